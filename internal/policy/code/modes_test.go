package code_test

import (
	"testing"

	"fettle/internal/policy/code"
)

// TestModes is what may be done with a file, however the number is written, and beside each one that keeps others from writing to it.
func TestModes(t *testing.T) {
	judgeKinds(t, "python", []kindRow{
		{"import os\nos.chmod(p, 0o757)", true},
		{"import os\nos.chmod(p, 511)", true},
		{"import os\nos.chmod(p, 0o4755)", true},
		{"import os\nos.chmod(p, 0o755)", false},
		{"import os\nos.chmod(p, 0o664)", false},
	})
	judgeKinds(t, "javascript", []kindRow{
		{"require('fs').chmodSync(p, 0o4755)", true},
		{"require('fs').chmodSync(p, '757')", true},
		{"require('fs').chmodSync(p, '0777')", true},
		{"require('fs').chmodSync(p, '755')", false},
		{"require('fs').chmodSync(p, 0o600)", false},
	})
	judgeKinds(t, "go", []kindRow{
		{"import \"os\"\nfunc f(p string) { os.Chmod(p, 0o757) }", true},
		{"import \"os\"\nfunc f(p string) { os.Chmod(p, 0755) }", false},
	})
}

// TestLoaders is a reader of YAML that makes some objects, by either of its names: for a person to see, where one that makes all of them is refused.
func TestLoaders(t *testing.T) {
	for src, want := range map[string]code.Grade{
		"import yaml\nyaml.full_load(s)":                      code.Review,
		"import yaml\nyaml.load(s, Loader=yaml.FullLoader)":   code.Review,
		"import yaml\nyaml.load(s, Loader=yaml.CFullLoader)":  code.Review,
		"import yaml\nyaml.load(s, Loader=yaml.UnsafeLoader)": code.Danger,
		"import yaml\nyaml.load(s)":                           code.Danger,
		"import yaml\nyaml.load(s, Loader=yaml.CSafeLoader)":  -1,
	} {
		if got, found := worst(t, "python", src); got != want {
			t.Errorf("%q: %v, want %v", src, found, want)
		}
	}
}
