// Command shelltables makes Go of the YAML files that describe programs, languages, environment variables and rules for package
// policy/shell: data that the linker lays out, so that the guard, which starts for every tool call, reads nothing and builds little.
//
//	go run fettle/scripts/shelltables   (in internal/policy/shell)
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/policy/shell"
	"fettle/internal/policy/shell/tables"
)

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal("shelltables: ", err)
	}
}

func run() error {
	files, err := filepath.Glob("programs/*.yaml")
	if err != nil {
		return err
	}
	slices.Sort(files)
	var programs []shell.Program
	var languages []shell.Language
	var variables shell.Variables
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch filepath.Base(name) {
		case "languages.yaml":
			languages, err = tables.Languages(data)
		case "variables.yaml":
			variables, err = tables.Variables(data)
		default:
			var more []shell.Program
			more, err = tables.Programs(data)
			programs = append(programs, more...)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	data, err := os.ReadFile("rules/rules.yaml")
	if err != nil {
		return err
	}
	rules, err := tables.Rules(data)
	if err != nil {
		return err
	}
	index, err := indexOf(programs)
	if err != nil {
		return err
	}
	return write(lean(programs, true), index, languages, variables, rules)
}

// lean leaves out what says nothing: the names of programs, which the index has, and options that do nothing and have no value, as one that is not known
// does nothing either where the program is not strict.
func lean(programs []shell.Program, top bool) []shell.Program {
	for i := range programs {
		p := &programs[i]
		if top {
			p.Names = nil
		}
		var options []shell.Option
		for _, o := range p.Options {
			if !p.Strict && o.Value == shell.None && len(o.Acts) == 0 {
				o.Names = slices.DeleteFunc(o.Names, func(n string) bool { return idle(p, n) })
			}
			if len(o.Names) > 0 {
				options = append(options, o)
			}
		}
		p.Options = options
		p.Subs = lean(p.Subs, false)
	}
	return programs
}

// idle reports the name of an option that is taken for nothing else where it is not known: neither for letters, nor for another option with a value or a
// part, nor for the beginning of another's name.
func idle(p *shell.Program, name string) bool {
	if len(name) == 2 {
		return name[0] == '-'
	}
	long := strings.HasPrefix(name, "--") || p.Style == shell.Single && strings.HasPrefix(name, "-")
	return long && !strings.ContainsAny(name, "=.:") && !slices.ContainsFunc(p.Options, func(o shell.Option) bool {
		return slices.ContainsFunc(o.Names, func(n string) bool { return n != name && strings.HasPrefix(n, name) })
	})
}

// indexOf is the index of the programs' names, in order: all of them as one text, where each begins, and which program it names. A name that is there twice would hide a program.
func indexOf(programs []shell.Program) (string, error) {
	at := map[string]int{}
	var names []string
	for i, p := range programs {
		for _, n := range p.Names {
			if _, ok := at[n]; ok {
				return "", fmt.Errorf("the program %s is described twice", n)
			}
			at[n] = i
			names = append(names, n)
		}
	}
	slices.Sort(names)
	var programsOf []string
	for _, n := range names {
		programsOf = append(programsOf, strconv.Itoa(at[n]))
	}
	return fmt.Sprintf("const programNames = %q\n\nvar programPlaces = [...]uint16{%s}\n\nvar programsOf = [...]uint16{%s}\n\n",
		strings.Join(names, ""), places(names), strings.Join(programsOf, ", ")), nil
}

// packed are the programs, squeezed, one after the other in one text, and where each begins and the last one ends.
func packed(programs []shell.Program) string {
	var texts []string
	for i := range programs {
		texts = append(texts, programs[i].Pack())
	}
	signs, squeezed := shell.Squeeze(texts)
	return fmt.Sprintf("const packedSigns = %q\n\nvar signAt = [...]uint16{%s}\n\nconst packedPrograms = %q\n\nvar programAt = [...]uint32{%s}\n\n",
		strings.Join(signs, ""), places(signs), strings.Join(squeezed, ""), places(squeezed))
}

// places is where each of some texts begins that are put together, and where the last one ends.
func places(texts []string) string {
	at, all := 0, []string{"0"}
	for _, text := range texts {
		at += len(text)
		all = append(all, strconv.Itoa(at))
	}
	return strings.Join(all, ", ")
}

// packedLanguages are the languages, each in a text of its own.
func packedLanguages(languages []shell.Language) string {
	var all strings.Builder
	all.WriteString("var packedLanguages = [...]string{\n")
	for i := range languages {
		fmt.Fprintf(&all, "%q,\n", languages[i].Pack())
	}
	return all.String() + "}\n\n"
}

func write(programs []shell.Program, index string, languages []shell.Language, variables shell.Variables, rules []shell.Rule) error {
	var b bytes.Buffer
	b.WriteString("// Code generated by scripts/shelltables from programs and rules; DO NOT EDIT.\n\npackage shell\n\n")
	b.WriteString(index)
	b.WriteString(packed(programs))
	b.WriteString(packedLanguages(languages))
	fmt.Fprintf(&b, "const packedRules = %q\n\n", shell.PackRules(rules))
	b.WriteString("var variables = ")
	literal(&b, reflect.ValueOf(variables), true)
	src, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	return os.WriteFile("tables_gen.go", src, 0o644)
}

// literal writes a value as Go source, without the fields that are zero.
func literal(b *bytes.Buffer, v reflect.Value, typed bool) {
	if v.Kind() == reflect.Slice || typed && v.Kind() == reflect.Struct {
		b.WriteString(strings.ReplaceAll(v.Type().String(), "shell.", ""))
	}
	switch v.Kind() {
	case reflect.Slice:
		b.WriteString("{")
		for i := range v.Len() {
			if v.Index(i).Kind() == reflect.Struct {
				b.WriteString("\n")
			}
			literal(b, v.Index(i), false)
			b.WriteString(", ")
		}
		b.WriteString("}")
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() && (f.Kind() != reflect.Slice || f.Len() > 0) {
				b.WriteString(v.Type().Field(i).Name + ": ")
				literal(b, f, false)
				b.WriteString(", ")
			}
		}
		b.WriteString("}")
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	case reflect.Bool:
		fmt.Fprint(b, v.Bool())
	default:
		fmt.Fprint(b, v.Int())
	}
}
