package functions

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// AskedByInterface reports whether the standard library, or its like, asks values of any type whether they have a method of this name.
func AskedByInterface(method string) bool { return askedFor[method] }

var askedFor = map[string]bool{
	"String": true, "GoString": true, "Format": true, "Error": true, "Unwrap": true, "Is": true, "As": true, "Timeout": true, "Temporary": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true, "AppendText": true, "MarshalBinary": true, "UnmarshalBinary": true, "AppendBinary": true,
	"MarshalXML": true, "UnmarshalXML": true, "MarshalXMLAttr": true, "UnmarshalXMLAttr": true, "MarshalYAML": true, "UnmarshalYAML": true, "MarshalTOML": true, "UnmarshalTOML": true,
	"GobEncode": true, "GobDecode": true, "Scan": true, "Value": true, "LogValue": true, "IsZero": true, "Set": true, "IsBoolFlag": true,
	"Flush": true, "FlushError": true, "Hijack": true, "Push": true, "CloseNotify": true, "SetReadDeadline": true, "SetWriteDeadline": true, "EnableFullDuplex": true,
	"ReadFrom": true, "WriteTo": true, "WriteString": true, "ReadByte": true, "WriteByte": true, "Sync": true, "Close": true, "ReadDir": true, "ReadFile": true, "Stat": true, "Glob": true, "Sub": true,
}

// HandedOut reports whether others than a package of Go's, all files of which are given, can have a value of one of its types: by the name, by one that is the same, as a part of what has an exported name,
// from a function or a variable with one. What cannot be read may hand out anything.
func HandedOut(owner string, sources [][]byte) bool {
	if ast.IsExported(owner) {
		return true
	}
	var files []*ast.File
	for _, src := range sources {
		if len(src) == 0 {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
		if err != nil {
			return true
		}
		files = append(files, f)
	}
	names := map[string]bool{owner: true}
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Type.Results != nil && mentions(fn.Type.Results, names) {
				names[fn.Name.Name] = true // makes one
			}
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if handsOut(d, owner, names) {
				return true
			}
		}
	}
	return false
}

func handsOut(d ast.Decl, owner string, names map[string]bool) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.IsExported() && !isMethodOf(d, owner) && mentions(d.Type, map[string]bool{owner: true})
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if typeHandsOut(s, owner) {
					return true
				}
			case *ast.ValueSpec:
				if variableHandsOut(s, names) {
					return true
				}
			}
		}
	}
	return false
}

// isMethodOf reports whether a function is a method of a type, which only who has a value of it can call.
func isMethodOf(d *ast.FuncDecl, owner string) bool {
	return d.Recv != nil && len(d.Recv.List) == 1 && mentions(d.Recv.List[0].Type, map[string]bool{owner: true})
}

// typeHandsOut reports whether a type is another one by a second name, has it as a part by which its methods are called, or, where it is exported, speaks of it.
func typeHandsOut(s *ast.TypeSpec, owner string) bool {
	name := map[string]bool{owner: true}
	if s.Assign.IsValid() {
		return mentions(s.Type, name)
	}
	parts, is := s.Type.(*ast.StructType)
	if !is {
		return s.Name.IsExported() && s.Name.Name != owner && mentions(s.Type, name)
	}
	for _, f := range parts.Fields.List {
		open := len(f.Names) == 0
		for _, n := range f.Names {
			open = open || n.IsExported() && s.Name.IsExported()
		}
		if open && mentions(f.Type, name) {
			return true
		}
	}
	return false
}

func variableHandsOut(s *ast.ValueSpec, names map[string]bool) bool {
	exported := false
	for _, n := range s.Names {
		exported = exported || n.IsExported()
	}
	if !exported {
		return false
	}
	if s.Type != nil {
		return mentions(s.Type, names)
	}
	for _, v := range s.Values {
		if mentions(v, names) {
			return true
		}
	}
	return false
}

// mentions reports whether one of some names stands in a part of a program.
func mentions(n ast.Node, names map[string]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is && names[id.Name] {
			found = true
		}
		return !found
	})
	return found
}
