package shell

import (
	"maps"
	"reflect"
)

// table holds what a shell knows by name. A copy shares the map until one of the two changes it: most shells that are forked
// change nothing.
type table[V any] struct {
	m      map[string]V
	shared bool
}

// fork is a copy that is independent from now on.
func (t *table[V]) fork() table[V] {
	t.shared = t.m != nil
	return *t
}

func (t *table[V]) get(name string) (V, bool) {
	v, ok := t.m[name]
	return v, ok
}

func (t *table[V]) set(name string, v V) {
	t.own()
	t.m[name] = v
}

func (t *table[V]) drop(name string) {
	if _, ok := t.m[name]; ok {
		t.own()
		delete(t.m, name)
	}
}

// own makes the map this table's alone.
func (t *table[V]) own() {
	if t.m == nil {
		t.m = map[string]V{}
	} else if t.shared {
		t.m = maps.Clone(t.m)
	}
	t.shared = false
}

// same reports whether two tables hold the same. Copies of which neither was changed share their map, and are not compared.
func (t *table[V]) same(u *table[V], equal func(V, V) bool) bool {
	if len(t.m) != len(u.m) {
		return false
	}
	return len(t.m) == 0 || reflect.ValueOf(t.m).Pointer() == reflect.ValueOf(u.m).Pointer() || maps.EqualFunc(t.m, u.m, equal)
}

// meld makes of t what one of two tables may hold: both gives the value of a name that the two tell otherwise, where one of them
// may not have it at all.
func (t *table[V]) meld(u *table[V], equal func(V, V) bool, both func(a, b V) V) {
	if t.same(u, equal) {
		return
	}
	for name, b := range u.m {
		if a, ok := t.m[name]; !ok || !equal(a, b) {
			t.set(name, both(a, b))
		}
	}
	var zero V
	for name, a := range maps.Clone(t.m) {
		if _, ok := u.m[name]; !ok {
			t.set(name, both(a, zero))
		}
	}
}
