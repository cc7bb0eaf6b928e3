// As c.c.
use std::hint::black_box;

pub struct Point {
    x: i32,
    y: u64,
}

#[inline(never)]
fn add(a: i32, b: i64) -> i64 {
    black_box(a);
    i64::from(a) + b
}

#[inline(never)]
fn negate(yes: bool, small: u8) -> bool {
    black_box(small);
    !yes
}

#[inline(never)]
fn length(p: &Point) -> u64 {
    black_box(p);
    p.y
}

#[inline(never)]
fn slice(s: &[u32]) -> u32 {
    black_box(s);
    s[0] + s[1]
}

#[inline(never)]
fn text(s: &str) -> usize {
    black_box(s);
    s.len()
}

fn main() {
    let p = Point { x: -3, y: 1 << 40 };
    println!("rs::add a=-5 b=-6");
    println!("rs::add retval={}", add(black_box(-5), black_box(-6)));
    println!("rs::negate yes=1 small=255");
    println!("rs::negate retval={}", u8::from(negate(black_box(true), black_box(255))));
    println!("rs::length x=-3 y={}", p.y);
    println!("rs::length retval={}", length(black_box(&p)));
    println!("rs::slice length=2 data_ptr=8");
    println!("rs::slice retval={}", slice(black_box(&[7, 8][..])));
    println!("rs::text length=5 data_ptr=\"seven\"");
    println!("rs::text retval={}", text(black_box(&"seven\0"[..5])));
    black_box(p.x);
}
