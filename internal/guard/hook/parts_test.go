package hook

import (
	"reflect"
	"testing"
)

// TestParts: an object that is described by its parts forgets none of its fields.
func TestParts(t *testing.T) {
	for _, f := range []form{&memory{}, &trail{}, &Event{}} {
		at := reflect.ValueOf(f).Elem()
		named := map[any]bool{}
		for _, p := range f.parts() {
			named[p.at] = true
		}
		var look func(v reflect.Value)
		look = func(v reflect.Value) {
			for i := range v.NumField() {
				field := v.Type().Field(i)
				if field.Anonymous {
					look(v.Field(i))
				} else if field.IsExported() && !named[v.Field(i).Addr().Interface()] {
					t.Errorf("%s: no part is %s", at.Type(), field.Name)
				}
			}
		}
		look(at)
	}
}
