package shell

import (
	"encoding/json"
	slashpath "path"
	"slices"
	"strings"
)

// Many tools load code that no command names: settings which are code, and the file where a framework, a builder or a runner begins. Settings of other forms hold
// commands. Which of them a program loads is not told apart: whatever runs the project's code has to answer for all that only an agent has read, but only for
// what it would destroy or change outside of the project.

// Names in small letters.
const (
	// beginsWith are files of code that a tool finds by their names.
	beginsWith = " app.py wsgi.py asgi.py conf.py settings.py fabfile.py noxfile.py tasks.py dodo.py pavement.py build.py conanfile.py locustfile.py gunicorn.conf.py sconscript wscript snakefile " +
		"gemfile rakefile config.ru guardfile vagrantfile magefile.go mix.exs .formatter.exs test_helper.exs rector.php ecs.php castor.php .php-cs-fixer.php .php-cs-fixer.dist.php .rprofile makefile.pl build.pl " +
		"gatsby-node.js gatsby-config.js ember-cli-build.js typedoc.js codegen.ts "
	// beginsAbove are those that count where the project begins, and packagesWith those by which a package is made, which tests do not load.
	beginsAbove  = " server.js index.js main.js "
	packagesWith = " setup.py hatch_build.py "
	// unreadBegins are in languages that are not read here.
	unreadBegins = " package.swift build.zig project.clj deps.edn "
	// beginsIn are folders of which a tool loads every file.
	beginsIn = " migrations versions alembic magefiles .storybook .vitepress .vuepress config initializers steps step_definitions support "
	// settingsIn are endings of files that hold commands, if these lie where the project begins, or are called as in settingsFor.
	settingsIn  = " .toml .json .yml .yaml .ini .cfg .xml .sbt .targets .props .csproj .robot "
	settingsFor = " package.json composer.json deno.json project.json pyproject.toml tox.ini build.xml pipfile procfile .lintstagedrc "
)

// byItself is the language of a file, by its path in the project, which tools load by themselves; empty if it is none.
func byItself(rel string) string {
	base, ending := strings.ToLower(slashpath.Base(rel)), slashpath.Ext(rel)
	language := languageByEnding(rel)
	switch {
	case oneWord(settingsFor, base), !strings.Contains(rel, "/") && oneWord(settingsIn, ending), ending == ".csproj":
		return "settings"
	case oneWord(unreadBegins, base):
		return "foreign"
	case oneWord(beginsWith+packagesWith, base), oneWord(beginsAbove, rel), ending == ".gemspec", language != "" && oneWord(beginsIn, slashpath.Base(slashpath.Dir(rel))):
	case language == "javascript" && (base[0] == '.' || strings.Contains("/"+rel, "/node_modules/") || speaks(base, ".config. .conf. .setup. .workspace. file.js webpack.")):
	default:
		return ""
	}
	if language == "" {
		language = languageOfNamed(base, ending)
	}
	return language
}

// languageOfNamed is the language of such a file whose ending says none.
func languageOfNamed(base, ending string) string {
	switch {
	case base[0] == 'g' || base[0] == 'v' || base == "rakefile" || base == "config.ru" || ending == ".gemspec":
		return "ruby"
	case base == ".rprofile":
		return "r"
	}
	return "python"
}

// byThemselves judges what tools load of the project without being told of it.
func (v *invocation) byThemselves() {
	if v.at.Written == nil || v.testing || v.brings {
		return
	}
	tests := v.prog.Special == "tests"
	of := func(foreign bool) func(path string) string {
		return func(path string) string {
			rel, _ := within(v.at.Root, path)
			language := byItself(rel)
			if (language == "foreign") != foreign || tests && oneWord(packagesWith, slashpath.Base(rel)) {
				return ""
			}
			return language
		}
	}
	v.outside(func() { v.loaded(of(false)) })
	v.loaded(of(true))
	switch v.prog.Special {
	case "", "tasks", "recipes": // others look for the tests that they are asked for
		if asked := v.name + " " + words(v.operands).text; speaks(asked, "test tox") {
			v.ownTests(nil)
		}
	}
}

// gravely are the kinds of facts that commands in settings have to answer for.
var gravely = []Kind{Delete, Empty, Write, Send}

// settings judges commands that stand in a line of their own, behind a colon or an equals sign, or between quotation marks, if one of their words begins what destroys.
func (s *shell) settings(src string) {
	s.omitting(func(f *Fact) bool { return !slices.Contains(gravely, f.Kind) }, func() {
		for line := range strings.Lines(src) {
			if !speaks(line, "rm find dd git sh mv unlink shred truncate") {
				continue
			}
			_, after, _ := cutAny(line, "=:")
			for _, text := range append(strings.FieldsFunc(line, func(r rune) bool { return r == '"' || r == '\'' }), line, after) {
				text = strings.Trim(text, " \t\r\n-[],'\"")
				if slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '&' || r == '|' }), func(part string) bool { return destroys(strings.TrimSpace(part)) }) && s.spend(1) {
					s.starts(known(text))
				}
			}
		}
	})
}

// cellText is the text of a cell, which may stand there line by line.
func cellText(source any) string {
	var b strings.Builder
	text, _ := source.(string)
	b.WriteString(text)
	lines, _ := source.([]any)
	for _, line := range lines {
		text, _ = line.(string)
		b.WriteString(text)
	}
	return b.String()
}

// cells is the code in a notebook, or the text itself: what is no code of Python's own in a cell, a shell runs.
func (s *shell) cells(language, src string) string {
	var book struct {
		Cells []struct {
			Kind   string `json:"cell_type"`
			Source any
		}
	}
	if language != "python" || !strings.HasPrefix(src, "{") || json.Unmarshal([]byte(src), &book) != nil {
		return src
	}
	var code strings.Builder
	for _, cell := range book.Cells {
		text := cellText(cell.Source)
		if cell.Kind != "code" {
			continue
		}
		if magic, script, ok := strings.Cut(text, "\n"); ok && oneWord(" %%bash %%sh %%script ", strings.TrimSpace(magic)) {
			s.starts(known(script))
			continue
		}
		for line := range strings.Lines(text) {
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
				s.starts(known(command))
			} else {
				code.WriteString(line)
			}
		}
		code.WriteByte('\n')
	}
	return code.String()
}
