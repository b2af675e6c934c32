package shell

import "maps"

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
