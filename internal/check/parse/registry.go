package parse

import (
	"maps"
	"slices"
)

// all lists the formats; each is described beside its parser.
var all = []Format{
	{Name: "black", Stream: Combined, Parse: parseBlack},
	{Name: "errorformat", Stream: Combined, Parse: parseErrorformat},
	{Name: "flake8", Stream: Combined, Parse: parseFlake8},
	{Name: "gobuild", Stream: Combined, Parse: parseGoBuild},
	{Name: "gofmt", Stream: Combined, Parse: parseGofmt},
	{Name: "golangci", Stream: Stdout, Parse: parseGolangci},
	{Name: "gotest", Stream: Combined, Parse: parseGoTest},
	{Name: "hooks", Stream: Combined, Parse: parseHooks},
	{Name: "isort", Stream: Combined, Parse: parseIsort},
	{Name: "junit", Stream: File, Parse: parseJUnit},
	{Name: "mypy", Stream: Stdout, Parse: parseMypy},
	{Name: "pytest", Stream: Combined, Parse: parsePytest},
	{Name: "pytest-junit", Stream: File, Parse: parsePytestJUnit},
	{Name: "ruff", Stream: Stdout, Parse: parseRuff},
	{Name: "sarif", Stream: File, Parse: parseSARIF},
	{Name: "unittest", Stream: Stderr, Parse: parseUnittest},
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
