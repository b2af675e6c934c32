package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// What an agent has written and then has run by roundabout ways is judged as if it were run by its name: what an interpreter is given on standard
// input, the recipes of task runners, and tests. See [Place].Script and [Place].Written.

// streamed judges code that is not known because it comes out of files: those that the command reads, where only an agent has read them.
func (s *shell) streamed(text value, language string, args []value) {
	if s.at.Script == nil || text.from&fromFile == 0 {
		return
	}
	for _, f := range slices.Clone(s.facts) {
		if f.Kind == Read && f.Zone.own() && !f.Is(Glob) && !f.Is(Vague) {
			s.unread(located{path: f.Target, zone: f.Zone}, language, args)
		}
	}
}

// recipeFile is what a program finds by itself, in the folder where it runs or in one above it, and what is in there.
type recipeFile struct {
	programs, names []string
	language        string
}

var recipeFiles = []recipeFile{
	{[]string{"just"}, []string{"justfile", ".justfile", "Justfile"}, "just"},
	{[]string{"task", "go-task"}, []string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"}, "task"},
	{[]string{"rake"}, []string{"Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"}, "ruby"},
	{[]string{"invoke", "inv"}, []string{"tasks.py"}, "python"},
	{[]string{"doit"}, []string{"dodo.py"}, "python"},
	{[]string{"nox"}, []string{"noxfile.py"}, "python"},
	{[]string{"scons"}, []string{"SConstruct", "Sconstruct", "sconstruct"}, "python"},
	{[]string{"waf"}, []string{"wscript"}, "python"},
	{[]string{"gulp"}, []string{"gulpfile.js", "gulpfile.mjs", "gulpfile.cjs", "gulpfile.ts"}, "javascript"},
	{[]string{"grunt"}, []string{"Gruntfile.js", "gruntfile.js", "Gruntfile.cjs"}, "javascript"},
}

// foundRecipes judges what the program finds by itself, or what an option names.
func foundRecipes(v *invocation, _ []value) (value, bool) {
	i := slices.IndexFunc(recipeFiles, func(r recipeFile) bool { return slices.Contains(r.programs, v.name) })
	if i < 0 {
		return value{}, false
	}
	r := recipeFiles[i]
	named := false
	for _, u := range v.uses {
		if u.role == Own && !slices.Contains(v.operands, u.value) {
			named = true
			v.recipe(v.locate(u.value, v.cwd), r.language)
		}
	}
	for dir := v.locate(v.cwd, v.cwd).path; !named; dir = slashpath.Dir(dir) {
		for _, name := range r.names {
			v.recipe(v.locate(known(slashpath.Join(dir, name)), v.cwd), r.language)
		}
		if _, below := within(v.at.Root, dir); !below {
			break
		}
	}
	return value{}, false
}

// judged interprets a file that this command has written, or that only an agent has read.
func (s *shell) judged(at located, language string) {
	if texts, ok := s.holds(at); ok {
		for _, text := range texts {
			s.code(language, text, nil)
		}
	}
	if at.zone.own() || at.zone == Scratch {
		s.unread(at, language, nil)
	}
}

// recipe judges such a file with parts of which one is asked for: only that counts of which it is known what it is about.
func (s *shell) recipe(at located, language string) {
	s.surely(func() { s.judged(at, language) })
}

// justfile runs the recipes of a justfile: each line of one in a shell, or all of it by the program that its first line names.
func (s *shell) justfile(src string) {
	m := assigned{}
	for line := range strings.Lines(src) {
		if name, text, ok := strings.Cut(line, ":="); ok && line[0] > ' ' {
			m.set(strings.TrimSpace(strings.TrimPrefix(name, "export ")), unquoted(strings.TrimSpace(text)), false)
		}
	}
	var recipe []string
	run := func() {
		if len(recipe) > 0 && strings.HasPrefix(recipe[0], "#!") {
			for _, text := range s.filled(m, strings.Join(recipe, "\n"), 0) {
				s.fork().shebang(known(strings.ReplaceAll(text, string(hole), "filled_in")), nil)
			}
		} else {
			for _, line := range recipe {
				s.starting(s.filled(m, strings.TrimLeft(line, "@-? "), 0))
			}
		}
		recipe = nil
	}
	for line := range strings.SplitSeq(src, "\n") {
		body := strings.TrimLeft(line, " \t")
		if body != line && body != "" {
			recipe = append(recipe, body)
			continue
		}
		if body == "" && len(recipe) > 0 {
			recipe = append(recipe, "")
			continue
		}
		run()
		if _, command, ok := strings.Cut(line, "`"); ok { // the value of a variable
			command, _, _ = strings.Cut(strings.Trim(command, "`"), "`")
			s.starting(s.filled(m, command, 0))
		}
	}
	run()
}

// filled are the texts that a runner may make of one by filling in {{name}}, or {{.name}}.
func (s *shell) filled(m assigned, text string, nested int) []string {
	out := []string{""}
	for {
		before, rest, open := strings.Cut(text, "{{")
		inner, after, closed := strings.Cut(rest, "}}")
		if !open || !closed {
			return s.spread(out, []string{text})
		}
		var values []string
		if nested < mostNested && s.spend(1) {
			for _, v := range m[strings.Trim(inner, " .-")] {
				values = append(values, s.filled(m, v, nested+1)...)
			}
		}
		if values == nil {
			values = []string{string(hole)}
		}
		out, text = s.spread(s.spread(out, []string{before}), values), after
	}
}

// taskfile runs the commands of a Taskfile. It is no reader of YAML: what stands in a line of its own behind a dash, cmd or sh is taken for a command,
// and so is a block below one of these.
func (s *shell) taskfile(src string) {
	lines := strings.Split(src, "\n")
	m := assigned{}
	for _, line := range lines {
		if name, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			m.set(name, unquoted(strings.TrimSpace(text)), false)
		}
	}
	for i := 0; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i])
		item, dash := strings.CutPrefix(text, "- ")
		command := strings.TrimSpace(item)
		for _, key := range []string{"cmd:", "sh:", "cmds:", "defer:"} {
			if rest, ok := strings.CutPrefix(command, key); ok {
				command, dash = strings.TrimSpace(rest), true
			}
		}
		switch {
		case !dash || command == "":
			continue
		case command[0] == '|' || command[0] == '>':
			indent := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
			var block []string
			for i+1 < len(lines) && (strings.TrimSpace(lines[i+1]) == "" || len(lines[i+1])-len(strings.TrimLeft(lines[i+1], " ")) > indent) {
				i++
				block = append(block, strings.TrimSpace(lines[i]))
			}
			command = strings.Join(block, "\n")
		case command[0] == '[':
			for one := range strings.SplitSeq(strings.Trim(command, "[]"), ",") {
				s.starting(s.filled(m, unquoted(strings.TrimSpace(one)), 0))
			}
			continue
		}
		s.starting(s.filled(m, unquoted(command), 0))
	}
}

// unquoted is a scalar of YAML without the quotation marks around it.
func unquoted(text string) string {
	for _, q := range []string{`"`, `'`} {
		if len(text) > 1 && strings.HasPrefix(text, q) && strings.HasSuffix(text, q) {
			text = text[1 : len(text)-1]
			if q == `"` {
				return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n").Replace(text)
			}
			return strings.ReplaceAll(text, "''", "'")
		}
	}
	return text
}
