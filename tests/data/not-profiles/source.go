package main

import "fmt"

const limit = 100

func main() {
	total := 0
	for i := 0; i < limit; i++ {
		total += i
	}
	fmt.Println(total)
}
