// Goroutines that compute, wait for each other, and make garbage.
package main

type node struct {
	left, right *node
	value       uint32
}

func (n *node) insert(v uint32) *node {
	if n == nil {
		return &node{value: v}
	}
	if v < n.value {
		n.left = n.left.insert(v)
	} else {
		n.right = n.right.insert(v)
	}
	return n
}

//go:noinline
func tree(n int, v uint32) (root *node) {
	for i := 0; i < n; i++ {
		v = v*1664525 + 1013904223
		root = root.insert(v >> 8)
	}
	return root
}

func produce(out chan *node) {
	for i := uint32(0); i < 4000; i++ {
		out <- tree(500, i)
	}
	close(out)
}

func main() {
	out := make(chan *node)
	go produce(out)
	sum := uint32(0)
	for root := range out {
		sum += root.value + tree(300, root.value).value
	}
	println(sum)
}
