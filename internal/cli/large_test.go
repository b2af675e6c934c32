package cli_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"fettle/internal/testenv"
	"fettle/scripts/lay"
)

// large is a repository of 2,000 files with a fault in one.
type large struct {
	name    string
	files   map[string]string
	failing []string // the command that runs the failing test alone
}

// largePOM is a project whose plugins and libraries are those that make deps has brought.
const largePOM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>com.x</groupId><artifactId>large</artifactId><version>1</version>
  <properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
  <dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope></dependency></dependencies>
  <build><plugins>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.2</version></plugin>
  </plugins></build>
</project>
`

// larges are such repositories, one in each language.
func larges() []large {
	const half = 1000
	py := large{name: "python", files: map[string]string{
		"pyproject.toml": "[tool.pytest.ini_options]\npythonpath = [\".\"]\n",
		"fettle.yaml":    "version: 1\nchecks:\n  test: {run: [python3, -m, pytest, -q, \"--junit-xml={report}\"], parser: pytest-junit}\n",
	}, failing: []string{"python3", "-m", "pytest", "-q", "tests/test_m500.py"}}
	golang := large{name: "go", files: map[string]string{
		"go.mod":      "module large\n\ngo 1.22\n",
		"fettle.yaml": "version: 1\nchecks:\n  test: {run: [go, test, -json, ./...], parser: gotest}\n",
	}, failing: []string{"go", "test", "-count=1", "./p50"}}
	js := large{name: "javascript", files: map[string]string{
		"package.json": `{"name": "large", "scripts": {"test": "node --test"}}`,
		"fettle.yaml":  "version: 1\nchecks:\n  test: {run: [node, --test]}\n",
	}, failing: []string{"node", "--test", "test/m975.test.js"}}
	java := large{name: "java", files: map[string]string{
		"pom.xml": largePOM, ".gitignore": "target/\n",
	}, failing: []string{"mvn", "-q", "-B", "-o", "test", "-Dtest=M500Test"}}
	for i := range half {
		less := "<="
		if i == half/2 {
			less = "<"
		}
		py.files[fmt.Sprintf("lib/m%d.py", i)] = fmt.Sprintf("def within%d(x, low, high):\n    return low <= x and x %s high\n\n\ndef total%d(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n\n", i, less, i)
		py.files[fmt.Sprintf("tests/test_m%d.py", i)] = fmt.Sprintf("from lib.m%d import total%d, within%d\n\n\ndef test_within():\n    assert within%d(3, 1, 3) and within%d(1, 1, 3) and not within%d(4, 1, 3)\n\n\ndef test_total():\n    assert total%d([1, 2]) == 3\n", i, i, i, i, i, i, i)
		p := i / 10
		golang.files[fmt.Sprintf("p%d/m%d.go", p, i)] = fmt.Sprintf("package p%d\n\n// Within%d tells.\nfunc Within%d(x, low, high int) bool { return low <= x && x %s high }\n", p, i, i, less)
		golang.files[fmt.Sprintf("p%d/m%d_test.go", p, i)] = fmt.Sprintf("package p%d\n\nimport \"testing\"\n\nfunc TestWithin%d(t *testing.T) {\n\tif !Within%d(3, 1, 3) || !Within%d(1, 1, 3) || Within%d(4, 1, 3) {\n\t\tt.Error(\"no\")\n\t}\n}\n", p, i, i, i, i)
		java.files[fmt.Sprintf("src/main/java/com/x/p%d/M%d.java", p, i)] = fmt.Sprintf("package com.x.p%d;\n\npublic class M%d {\n  public static boolean within(int x, int low, int high) { return low <= x && x %s high; }\n}\n", p, i, less)
		java.files[fmt.Sprintf("src/test/java/com/x/p%d/M%dTest.java", p, i)] = fmt.Sprintf("package com.x.p%d;\n\nimport static org.junit.jupiter.api.Assertions.assertTrue;\n\nimport org.junit.jupiter.api.Test;\n\nclass M%dTest {\n  @Test void within() { assertTrue(M%d.within(3, 1, 3) && M%d.within(1, 1, 3) && !M%d.within(4, 1, 3)); }\n}\n", p, i, i, i, i)
	}
	for i := range 1950 { // node:test starts a process for each file of tests
		less := "<="
		if i == 975 {
			less = "<"
		}
		js.files[fmt.Sprintf("lib/m%d.js", i)] = fmt.Sprintf("exports.within = function (x, low, high) {\n  return low <= x && x %s high\n}\n", less)
		if i%39 == 0 {
			js.files[fmt.Sprintf("test/m%d.test.js", i)] = fmt.Sprintf("const test = require('node:test')\nconst assert = require('node:assert')\nconst { within } = require('../lib/m%d')\n\ntest('within %d', () => {\n  assert.ok(within(3, 1, 3) && within(1, 1, 3) && !within(4, 1, 3))\n})\n", i, i)
		}
	}
	return []large{py, golang, js, java}
}

// BenchmarkSearchInLarge is how long the search takes in a repository of 2,000 files until the first candidate has been tried, beside the failing
// test's own command in the same run.
func BenchmarkSearchInLarge(b *testing.B) {
	testenv.NeedTool(b, "pytest")
	testenv.NeedTool(b, "node")
	testenv.NeedMaven(b)
	fettle := program(b, sources(), "./cmd/fettle")
	for _, l := range larges() {
		b.Run(l.name, func(b *testing.B) {
			repo := b.TempDir()
			if err := lay.Files(repo, l.files); err != nil {
				b.Fatal(err)
			}
			for _, argv := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "all"}} {
				cmd := exec.Command("git", argv...)
				cmd.Dir = repo
				wall(b, cmd)
			}
			var ready, until, own time.Duration
			for b.Loop() {
				r, u := searched(b, exec.Command(fettle, "-C", repo, "fix", "--dry-run", "--json", "--quiet"))
				ready, until = ready+r, until+u
				cmd := exec.Command(l.failing[0], l.failing[1:]...)
				cmd.Dir = repo
				began := time.Now()
				if cmd.Run() == nil {
					b.Fatal("the test passes")
				}
				own += time.Since(began)
			}
			b.ReportMetric(ms(ready)/float64(b.N), "first-tried-ms/op")
			b.ReportMetric(ms(until)/float64(b.N), "first-passed-ms/op")
			b.ReportMetric(ms(own)/float64(b.N), "failing-test-ms/op")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// searched is how long the search took until the first candidate had been tried, and until one had passed.
func searched(b *testing.B, cmd *exec.Cmd) (ready, until time.Duration) {
	b.Helper()
	out, err := cmd.Output() // what waits is no success
	var run struct {
		Iterations []struct {
			Changes []struct {
				Effort *struct {
					Ready time.Duration `json:"ready_ns"`
					Until time.Duration `json:"until_ns"`
				} `json:"effort"`
			} `json:"changes"`
		} `json:"iterations"`
	}
	if jerr := json.Unmarshal(out, &run); jerr != nil || len(run.Iterations) == 0 || len(run.Iterations[0].Changes) == 0 || run.Iterations[0].Changes[0].Effort == nil {
		b.Fatalf("no repair: %v %v\n%s", err, jerr, out)
	}
	e := run.Iterations[0].Changes[0].Effort
	return e.Ready, e.Until
}
