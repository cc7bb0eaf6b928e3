// Writes a CPU profile of itself, cpu, and a profile of its memory, heap: inlined calls, a method, a closure.
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
)

type grid struct{ cells []float64 }

var kept [][]byte
var sum float64

func (g *grid) step(i int) float64 { // inlined
	return g.cells[i]*0.5 + float64(i%7)
}

//go:noinline
func (g *grid) hot() {
	for i := range g.cells {
		g.cells[i] = g.step(i)
	}
}

//go:noinline
func order(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i * 7919 % n
	}
	sort.Slice(v, func(a, b int) bool { return v[a] < v[b] })
	return v
}

//go:noinline
func keep() {
	for i := 0; i < 64; i++ {
		kept = append(kept, make([]byte, 1<<20))
	}
}

func main() {
	cpu, _ := os.Create("cpu")
	pprof.StartCPUProfile(cpu)
	g := &grid{make([]float64, 1<<16)}
	for i := 0; i < 6000; i++ {
		g.hot()
		if i%60 == 0 {
			sum += float64(len(order(20000)))
		}
	}
	pprof.StopCPUProfile()
	cpu.Close()
	runtime.MemProfileRate = 4096
	keep()
	order(100000)
	runtime.GC()
	heap, _ := os.Create("heap")
	pprof.WriteHeapProfile(heap)
	heap.Close()
}
