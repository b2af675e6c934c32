package parse

import (
	"maps"
	"slices"
)

// all lists the formats; each is described beside its parser.
var all = []Format{
	{Name: "biome", Stream: Stdout, Parse: parseBiome},
	{Name: "black", Stream: Combined, Parse: parseBlack},
	{Name: "cargo", Stream: Joined, Parse: parseCargo},
	{Name: "cargo-test", Stream: Joined, Parse: parseCargoTest},
	{Name: "checkstyle", Stream: File, Parse: parseCheckstyle, sound: soundXML},
	{Name: "errorformat", Stream: Combined, Parse: parseErrorformat},
	{Name: "eslint", Stream: Stdout, Parse: parseESLint, sound: soundJSON},
	{Name: "flake8", Stream: Combined, Parse: parseFlake8},
	{Name: "gcc", Stream: Joined, Parse: parseGCC},
	{Name: "gobuild", Stream: Combined, Parse: parseGoBuild},
	{Name: "gofmt", Stream: Combined, Parse: parseGofmt},
	{Name: "golangci", Stream: Stdout, Parse: parseGolangci},
	{Name: "gotest", Stream: Combined, Parse: parseGoTest},
	{Name: "gradle", Stream: Combined, Parse: parseGradle, Reports: "java-junit"},
	{Name: "hooks", Stream: Combined, Parse: parseHooks},
	{Name: "isort", Stream: Combined, Parse: parseIsort},
	{Name: "jest", Stream: File, Parse: parseJest, sound: soundJSON},
	{Name: "java-junit", Stream: File, Parse: parseJavaJUnit, sound: soundXML},
	{Name: "javac", Stream: Combined, Parse: parseJavac},
	{Name: "junit", Stream: File, Parse: parseJUnit, sound: soundXML},
	{Name: "lefthook", Stream: Combined, Parse: parseLefthook},
	{Name: "mocha", Stream: File, Parse: parseMocha, sound: soundJSON},
	{Name: "maven", Stream: Stdout, Parse: parseMaven, Reports: "java-junit"},
	{Name: "mypy", Stream: Stdout, Parse: parseMypy},
	{Name: "prettier", Stream: Combined, Parse: parsePrettier},
	{Name: "pylint", Stream: Stdout, Parse: parsePylint},
	{Name: "pyright", Stream: Stdout, Parse: parsePyright},
	{Name: "pytest", Stream: Combined, Parse: parsePytest},
	{Name: "pytest-junit", Stream: File, Parse: parsePytestJUnit, sound: soundXML},
	{Name: "rdjson", Stream: Stdout, Parse: parseRDJSON, sound: soundJSON},
	{Name: "rdjsonl", Stream: Stdout, Parse: parseRDJSON, sound: soundJSON},
	{Name: "ruff", Stream: Stdout, Parse: parseRuff},
	{Name: "rustfmt", Stream: Joined, Parse: parseRustfmt},
	{Name: "sarif", Stream: File, Parse: parseSARIF, sound: soundJSON},
	{Name: "tap", Stream: Stdout, Parse: parseTAP},
	{Name: "tape", Stream: Stdout, Parse: parseTape},
	{Name: "tsc", Stream: Combined, Parse: parseTsc},
	{Name: "unittest", Stream: Stderr, Parse: parseUnittest},
	{Name: "vitest", Stream: File, Parse: parseVitest, sound: soundJSON},
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
