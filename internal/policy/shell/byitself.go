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
	beginsWith = " conf.py fabfile.py noxfile.py tasks.py dodo.py pavement.py build.py conanfile.py locustfile.py gunicorn.conf.py sconscript wscript snakefile " +
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
	programs    = " app.py wsgi.py asgi.py settings.py " // of the project itself
)

// How a file counts that a tool loads by itself.
const (
	asTool   = iota // it runs from its beginning to its end
	asParts         // of what stands in it some may run: commands in settings, parts of the project's own program
	asUnread        // nobody reads its language here
	notLoaded
)

// byItself is the language of a file, by its path in the project, which tools load by themselves, and how it counts.
func byItself(rel string) (language string, how int) {
	base, ending, folder := strings.ToLower(slashpath.Base(rel)), slashpath.Ext(rel), slashpath.Base(slashpath.Dir(rel))
	language = languageByEnding(rel)
	switch {
	case speaks(base, "docker compose.y kube helm gitlab-ci pipelines travis appveyor"): // these run in containers, or elsewhere
		return "", notLoaded
	case oneWord(settingsFor, base), !strings.Contains(rel, "/") && oneWord(settingsIn, ending), ending == ".csproj":
		return "settings", asParts
	case oneWord(unreadBegins, base):
		return "foreign", asUnread
	case oneWord(programs, base), oneWord(beginsAbove, rel), language != "" && oneWord(beginsIn, folder) && folder[0] != '.':
		how = asParts
	case oneWord(beginsWith+packagesWith, base), ending == ".gemspec", language != "" && oneWord(beginsIn, folder):
	case language == "javascript" && (base[0] == '.' || strings.Contains("/"+rel, "/node_modules/") || speaks(base, ".config. .conf. .setup. .workspace. file.js webpack.")):
	default:
		return "", notLoaded
	}
	if language == "" {
		language = languageOfNamed(base, ending)
	}
	return language, how
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

// byThemselves judges what tools load of the project without being told of it. What such a file runs loads the same files, which are judged already.
func (v *invocation) byThemselves() {
	if v.at.Written == nil || v.testing || v.brings || v.loading {
		return
	}
	sub := v.fork()
	sub.loading = true
	for kind := range notLoaded {
		load := func() {
			sub.loaded(func(path string) string {
				rel, _ := within(v.at.Root, path)
				language, how := byItself(rel)
				if how != kind || oneWord(packagesWith, slashpath.Base(rel)) && v.prog.Special == "tests" {
					return ""
				}
				return language
			})
		}
		switch kind {
		case asTool:
			sub.outside(func() { sub.surely(load) })
		case asParts:
			sub.whole(load)
		default:
			load()
		}
	}
	switch v.prog.Special {
	case "", "tasks", "recipes": // others look for the tests that they are asked for
		if asked := v.name + " " + words(v.operands).text; speaks(asked, "test tox") {
			v.ownTests(nil)
		}
	}
}

// whole interprets what need not run: of what it deletes only that counts which would take a home, or a whole folder there, or may do so.
func (s *shell) whole(interpret func()) {
	s.outside(func() {
		s.omitting(func(f *Fact) bool {
			_, home := within(s.at.Home, f.Target)
			return f.destroys() && f.Zone != Above && !f.Is(Guessed) && (!home || !f.Is(Recursive))
		}, interpret)
	})
}

// destroys reports that something is deleted or emptied.
func (f *Fact) destroys() bool { return f.Kind == Delete || f.Kind == Empty }

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
