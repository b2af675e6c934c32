package golang

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// listen has the calls of the functions that candidates change listened to, and tells which they are, by the names that people know them by,
// each with the expression that stands for it. Those of type parameters are none that can be called without them.
func (s *schema) listen() map[string]string {
	functions := map[string]string{}
	for i := range s.funcs {
		f := &s.funcs[i]
		if len(f.ids) == 0 || f.decl.Type.TypeParams != nil {
			continue
		}
		name, expr := f.decl.Name.Name, f.decl.Name.Name
		if f.decl.Recv != nil {
			of := s.text(f.decl.Recv.List[0].Type, f)
			if strings.Contains(of, "[") {
				continue
			}
			name, expr = strings.TrimLeft(of, "*")+"."+name, "("+of+")."+expr
		}
		functions[name] = expr
		f.known = name
		f.heard = "fettleHears_" + strings.ReplaceAll(name, ".", "__")
	}
	return functions
}

// changing are the functions that a candidate changes, by the names that people know them by; empty: one that is not listened to.
func (s *schema) changing(id int) (names []string) {
	for i := range s.funcs {
		if slices.Contains(s.funcs[i].ids, id) {
			names = append(names, s.funcs[i].known)
		}
	}
	return names
}

// text is a part of a function's declaration as it is written.
func (s *schema) text(e ast.Expr, f *function) string {
	base := int(f.decl.Pos()) - f.start
	return string(s.src[int(e.Pos())-base : int(e.End())-base])
}

// listener is a function of the same parameters and results, the receiver before them, that tells of each call and what comes of it.
func (f *function) listener(src []byte) string {
	s := &schema{src: src}
	var params, args, results, gives []string
	takes := func(list *ast.FieldList, names *[]string, typed *[]string, prefix string) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			for range max(len(field.Names), 1) {
				n := fmt.Sprintf("%s%d", prefix, len(*names))
				*names = append(*names, n)
				*typed = append(*typed, n+" "+s.text(field.Type, f))
			}
		}
	}
	takes(f.decl.Recv, &args, &params, "fettleA")
	takes(f.decl.Type.Params, &args, &params, "fettleA")
	takes(f.decl.Type.Results, &gives, &results, "fettleG")
	target, handed := "", args
	if f.decl.Recv != nil {
		target, handed = args[0]+".", args[1:]
	}
	call := target + f.decl.Name.Name + "(" + strings.Join(handed, ", ")
	if p := f.decl.Type.Params.List; len(p) > 0 {
		if _, variadic := p[len(p)-1].Type.(*ast.Ellipsis); variadic {
			call += "..."
		}
	}
	call += ")"
	if len(gives) > 0 {
		call = strings.Join(gives, ", ") + " = " + call
	}
	told := strings.Join(gives, ", ")
	heard := strings.Join(append([]string{fmt.Sprintf("%q", f.known)}, args...), ", ")
	return fmt.Sprintf("func %s(%s) (%s) { fettleC := fettleHear(%s); defer fettleC.end(); %s; fettleC.told(%s); return }",
		f.heard, strings.Join(params, ", "), strings.Join(results, ", "), heard, call, told)
}
