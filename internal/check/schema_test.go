package check

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"fettle/internal/check/parse"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"
	"gotest.tools/v3/golden"
)

// published is where the schema of fettle.yaml is, from testdata.
const published = "../../../docs/fettle.schema.json"

// schema describes fettle.yaml by the very types that read it.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	word := &jsonschema.Schema{Type: "string"}
	argv := &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		{Type: "string", MinLength: jsonschema.Ptr(1)},
		{Type: "array", Items: word, MinItems: jsonschema.Ptr(1)},
	}}
	options := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[command](): argv,
		reflect.TypeFor[commands](): {OneOf: []*jsonschema.Schema{
			{Type: "string", MinLength: jsonschema.Ptr(1)},
			{Type: "array", Items: argv.CloneSchemas()},
		}},
		reflect.TypeFor[duration]():    {Type: "string", Pattern: `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`},
		reflect.TypeFor[policyEntry](): {Type: "object"},
		reflect.TypeFor[text]():        {Types: []string{"string", "number", "boolean"}},
	}}
	reader, err := jsonschema.For[readerEntry](options)
	if err != nil {
		t.Fatal(err)
	}
	reader.Properties["format"].Enum = anyOf(parse.Names())
	options.TypeSchemas[reflect.TypeFor[parserEntry]()] = &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		{Type: "string", Enum: anyOf(append(parse.Names(), unread))},
		reader,
	}}
	s, err := jsonschema.For[document](options)
	if err != nil {
		t.Fatal(err)
	}
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "fettle.yaml"
	s.Description = "What fettle goes by in one repository."
	one := any(1)
	s.Properties["version"].Const = &one
	checks := s.Properties["checks"]
	checks.PropertyNames = &jsonschema.Schema{Pattern: "^(" + strings.Join(kinds, "|") + `)(\.[A-Za-z0-9_][A-Za-z0-9_+-]*)*$`}
	entry := checks.AdditionalProperties
	entry.Properties["lang"].Enum = anyOf(langs)
	limits := s.Properties["limits"].Properties
	for _, key := range []string{"iterations", "findings", "edits_per_file", "max_file_size", "output"} {
		limits[key].Minimum = jsonschema.Ptr(1.0)
	}
	for _, key := range []string{"calls", "tokens"} {
		limits[key].Minimum = jsonschema.Ptr(0.0)
	}
	limits["confidence"].Minimum, limits["confidence"].Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(1.0)
	trust := s.Properties["fixers"].Properties["trust"].Properties
	for _, key := range []string{"least", "most"} {
		trust[key].Minimum, trust[key].Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(1.0)
	}
	limits["budget"].Minimum, limits["budget"].Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(float64(maxBudget))
	models := s.Properties["models"].Properties
	models["challenge"].Properties["iterations"].Minimum, models["challenge"].Properties["iterations"].Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(10.0)
	models["challenge"].Properties["threshold"].Minimum, models["challenge"].Properties["threshold"].Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(100.0)
	role := models["roles"].AdditionalProperties.Properties
	role["temperature"].Minimum, role["temperature"].Maximum = jsonschema.Ptr(0.0), jsonschema.Ptr(2.0)
	for _, key := range []string{"max_tokens", "samples", "turns"} {
		role[key].Minimum = jsonschema.Ptr(0.0)
	}
	return s
}

// anyOf is an enumeration of these words.
func anyOf(words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}

func TestSchemaIsPublished(t *testing.T) {
	b, err := json.MarshalIndent(schema(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, string(b)+"\n", published)
}

func TestSchemaDescribesEveryKey(t *testing.T) {
	var walk func(where string, s *jsonschema.Schema)
	walk = func(where string, s *jsonschema.Schema) {
		for key, p := range s.Properties {
			if p.Description == "" {
				t.Errorf("%s.%s has no description", where, key)
			}
			walk(where+"."+key, p)
		}
		if s.AdditionalProperties != nil {
			walk(where+".*", s.AdditionalProperties)
		}
		for _, form := range s.OneOf {
			walk(where, form)
		}
	}
	walk("", schema(t))
}

// The schema and the reader agree about files that are right and files that are wrong.
func TestSchemaAgreesWithTheReader(t *testing.T) {
	resolved, err := schema(t).Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile("testdata/whole.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for file, right := range map[string]bool{
		string(whole):               true,
		string(Default().Marshal()): true,
		"version: 1":                true,
		"version: 1\nchecks: {test: {run: [go, test], parser: gotest}}":                                     true,
		"version: 1\nchecks: {test: {run: x, env: {A: 1, B: true}}}":                                        true,
		"version: 1\nchecks: {test: {run: x, fix: [[a, b], c], after: d}}":                                  true,
		"version: 1\nchecks: {test: {run: x, parser: {run: y}}}":                                            true,
		"version: 1\nchecks: {test: {run: [x, '{report}'], parser: {run: [y, '{report}'], format: junit}}}": true,
		"version: 1\nchecks: {test: {run: x, parser: {}}}":                                                  false,
		"version: 1\nchecks: {test: {run: x, parser: {run: y, format: {run: z}}}}":                          false,
		"version: 1\nchecks: {test: {run: x, parser: {run: y, format: none}}}":                              false,
		"version: 1\nchecks: {test: {run: x, parser: {run: y, fromat: sarif}}}":                             false,
		"version: 1\nchecks: {test: {run: x, parser: [y, z]}}":                                              false,
		"version: 1\npolicy: {rules: []}":                                                                   true,
		"version: 1\npolicy: [a]":                                                                           false,
		"version: 2":                                                                                        false,
		"checks: {}":                                                                                        false,
		"version: 1\ncheck: {}":                                                                             false,
		"version: 1\nchecks: {tets: {run: x}}":                                                              false,
		"version: 1\nchecks: {test: {}}":                                                                    false,
		"version: 1\nchecks: {test: {run: []}}":                                                             false,
		"version: 1\nchecks: {test: {run: x, parser: gotset}}":                                              false,
		"version: 1\nchecks: {test: {run: x, timeout: 90}}":                                                 false,
		"version: 1\nchecks: {test: {run: x, timeout: soon}}":                                               false,
		"version: 1\nlimits: {confidence: 2}":                                                               false,
		"version: 1\nlimits: {iterations: 0}":                                                               false,
		"version: 1\nfixers: {plugins: {a: {checks: [lint]}}}":                                              false,
		"version: 1\nprotect: deploy":                                                                       false,
	} {
		_, readErr := parseConfig([]byte(file))
		var value any
		if err := yaml.Unmarshal([]byte(file), &value); err != nil {
			t.Fatal(err)
		}
		schemaErr := resolved.Validate(value)
		if (readErr == nil) != right || (schemaErr == nil) != right {
			t.Errorf("right: %v\nthe reader says %v\nthe schema says %v\n%s", right, readErr, schemaErr, file)
		}
	}
}
