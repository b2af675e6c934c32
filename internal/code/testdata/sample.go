package p

import (
	"fmt"
	x "strings"
)

const K = 3

var V, W = 1, "a"

type T struct {
	A int
	b []string
}

func (t *T) F(a, b int, xs ...string) (n int, err error) {
	if v, ok := m[k]; ok && !(a < b) {
		return -1, nil
	} else if a == 0 {
	} else {
		a++
	}
	for i := 0; i < len(xs); i++ {
		xs[i] += "c"
		continue
	}
	for i, x := range xs[1:n:3] {
		t.A = x.y.z(i, xs...)
	}
	for a < b {
		break
	}
	for {
	}
	var q int = 3
	s := []int{1, 2, K}
	m := map[string]int{"a": 1}
	c := &T{A: 1, b: nil}
	f := func(a int) bool { return a > 1 }
	switch a {
	case 1, 2:
		fmt.Println("x")
	default:
	}
	a, b = b, a
	*p = <-ch
	defer f(1)
	go g()
	_ = x.(int) + int(y)&^3
	_ = 'c' + 1.5
	return
}
