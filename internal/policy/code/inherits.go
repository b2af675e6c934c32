package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// What a class of the file has of another one of it: methods, and members, which an object has once, whichever of its classes puts something there.

// extends matches the class that one of JavaScript's or Java's is made from.
var extends = pattern.New(`^[^{]*?\bextends\s+(?:\w+\.)*(\w+)`)

// bases are the names of what a class says that it is made from.
func (s *scan) bases(class *program.Node) []string {
	if s.file.Lang != syntax.Python {
		if m := extends.FindStringSubmatch(class.Text()); m != nil {
			return m[1:]
		}
		return nil
	}
	var names []string
	for _, a := range class.All(program.Arg) {
		if a.Is(program.Name, program.Attr) {
			names = append(names, a.Name)
		}
	}
	return names
}

// lineage are a class and those of the file that it is made from, the nearest first.
func (s *scan) lineage(class string) []string {
	if known := s.ancestry[class]; known != nil {
		return known
	}
	all := []string{class}
	for i := 0; i < len(all); i++ {
		if c := s.classes[all[i]]; c != nil {
			for _, b := range s.bases(c) {
				if s.classes[b] != nil && !slices.Contains(all, b) {
					all = append(all, b)
				}
			}
		}
	}
	if s.bound { // all classes are known
		s.ancestry[class] = all
	}
	return all
}

// heirs are the classes of the file that are made from one.
func (s *scan) heirs(class string) []string {
	if s.descent == nil {
		s.descent = make(map[string][]string)
		for name := range s.classes {
			for _, b := range s.lineage(name)[1:] {
				s.descent[b] = append(s.descent[b], name)
			}
		}
		for _, heirs := range s.descent {
			slices.Sort(heirs)
		}
	}
	return s.descent[class]
}

// gets is all that a member is given, by whichever of the object's classes.
func (s *scan) gets(f field) []*program.Node {
	if f == (field{}) {
		return nil
	}
	members := s.linked().members
	all := members[f]
	for _, class := range slices.Concat(s.lineage(f.class)[1:], s.heirs(f.class)) {
		all = slices.Concat(all, members[field{class, f.name}])
	}
	return all
}

// keyOf is a text that stands for a member, the same one for all classes of one line; empty for none.
func (s *scan) keyOf(f field) string {
	if f == (field{}) {
		return ""
	}
	line := s.lineage(f.class)
	return "." + line[len(line)-1] + "." + f.name
}

// implied is all that a member is given that Java's methods name without its object.
func (s *scan) implied(n *program.Node) []flow {
	class := n.Up(program.Class)
	if class == nil {
		return nil
	}
	return flowsOf(s.gets(field{class.Name, n.Name}))
}

// ofClass are those of some methods that an object of a class has: its own, else those of the nearest class that it is made from; if there is none, those of its heirs.
func (s *scan) ofClass(class string, all []*program.Node) []*program.Node {
	var found []*program.Node
	for _, name := range append(slices.Clip(s.lineage(class)), "") {
		for _, f := range all {
			if owner := s.owner(f); owner == name && name != "" || name == "" && slices.Contains(s.heirs(class), owner) {
				found = append(found, f)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// super is the class that a mention of what a class is made from stands for: super, super().
func (s *scan) super(n *program.Node) string {
	class := n.Up(program.Class)
	if class == nil || strings.TrimSuffix(n.Text(), "()") != "super" {
		return ""
	}
	if all := s.lineage(class.Name); len(all) > 1 {
		return all[1]
	}
	return ""
}
