package parse

import (
	"maps"
	"slices"
)

// all lists the formats; each is described beside its parser.
var all = []Format{
	{"black", Combined, parseBlack},
	{"errorformat", Combined, parseErrorformat},
	{"flake8", Combined, parseFlake8},
	{"gobuild", Combined, parseGoBuild},
	{"gofmt", Combined, parseGofmt},
	{"golangci", Stdout, parseGolangci},
	{"gotest", Combined, parseGoTest},
	{"hooks", Combined, parseHooks},
	{"isort", Combined, parseIsort},
	{"junit", File, parseJUnit},
	{"mypy", Stdout, parseMypy},
	{"pytest", Combined, parsePytest},
	{"pytest-junit", File, parsePytestJUnit},
	{"ruff", Stdout, parseRuff},
	{"sarif", File, parseSARIF},
	{"unittest", Stderr, parseUnittest},
}

var byName = func() map[string]Format {
	m := make(map[string]Format, len(all))
	for _, f := range all {
		m[f.Name] = f
	}
	return m
}()

// Lookup finds a format by its name as it stands in fettle.yaml.
func Lookup(name string) (Format, bool) {
	f, ok := byName[name]
	return f, ok
}

// Names are the names of all formats, sorted.
func Names() []string { return slices.Sorted(maps.Keys(byName)) }
