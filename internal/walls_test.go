// Package internal has no code of its own. Its test holds the walls of the house: which room may import which.
package internal

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors are the rooms from the ground up. A room may import rooms of the floors below its own.
var floors = [][]string{
	{"diag", "edit", "fresh", "glob", "lang", "loose", "message", "near", "ordinary", "pattern", "percent", "phrase", "silence", "verdict"},
	{"workspace", "git", "proc", "proc/inside", "proc/landlock", "runner", "runner/likely", "runner/golang", "runner/node", "runner/jvm", "runner/python", "syntax", "code", "names", "journal", "learn", "store", "budget", "model", "model/loopback", "look", "quote", "wording", "policy/path", "policy/secret", "policy/shell", "policy/code", "policy/shell/tables"},
	{"check", "check/parse", "locate", "fix", "fix/tool", "fix/nearby", "fix/complaint", "fix/custom", "fix/belief", "fix/search", "fix/plugin", "fix/agent", "fix/reply", "fix/prompt", "verify", "audit", "audit/configs", "audit/commands", "audit/trees", "audit/same", "audit/python", "audit/parts", "audit/assertions", "audit/doubles", "audit/accounts", "audit/functions", "audit/settings", "audit/jobs", "audit/examples", "audit/undefined", "audit/challenge"},
	{"heal", "flow"},
	{"cli", "report", "mcp", "guard", "guard/child", "guard/confine", "guard/guest", "guard/transcript", "guard/validate", "guard/hook", "guard/opinion", "guard/resident", "guard/setup", "guard/telemetry"},
}

// neighbours are the doors between rooms of one floor, and the few from below: everything else on a floor is a wall.
var neighbours = map[string][]string{
	"diag":                {"pattern"},
	"edit":                {"pattern"},
	"lang":                {"pattern"},
	"loose":               {"pattern"},
	"message":             {"pattern"},
	"silence":             {"lang", "pattern"},
	"verdict":             {"diag", "edit"},
	"workspace":           {"git", "journal", "policy/path", "proc", "proc/inside", "proc/landlock"},
	"git":                 {"proc"},
	"proc":                {"proc/inside"},
	"journal":             {"store"},
	"proc/inside":         {"proc/landlock"},
	"policy/shell":        {"policy/path"},
	"policy/shell/tables": {"policy/shell"},
	"policy/code":         {"policy/shell", "syntax", "code"},
	"learn":               {"store"},
	"budget":              {"store"},
	"model":               {"budget", "policy/secret"},
	"model/loopback":      {"model"},
	"runner":              {"check"},
	"runner/golang":       {"proc", "runner", "runner/likely", "check", "check/parse"},
	"runner/node":         {"proc", "runner", "runner/likely", "check", "check/parse", "syntax", "code"},
	"runner/jvm":          {"proc", "runner", "runner/likely", "check", "check/parse", "syntax", "code"},
	"runner/python":       {"proc", "runner", "check", "check/parse"},
	"look":                {"model", "policy/path", "policy/secret", "quote"},
	"wording":             {"quote"},
	"code":                {"syntax"},
	"names":               {"syntax"},
	"check":               {"check/parse"},
	"locate":              {"check", "check/parse"},
	"audit":               {"audit/configs", "audit/commands", "audit/trees", "audit/same", "audit/python", "audit/parts", "audit/assertions", "audit/doubles", "audit/accounts", "audit/functions", "audit/settings", "audit/jobs", "audit/examples", "audit/undefined"},
	"audit/same":          {"audit/python"},
	"audit/assertions":    {"audit/parts"},
	"audit/doubles":       {"audit/assertions", "audit/parts"},
	"audit/functions":     {"audit/assertions", "audit/parts", "audit/python"},
	"audit/settings":      {"audit/configs", "audit/commands", "audit/parts", "audit/trees"},
	"audit/jobs":          {"audit/commands", "audit/settings", "audit/trees"},
	"audit/examples":      {"audit/assertions", "audit/parts"},
	"audit/undefined":     {"audit/parts"},
	"audit/accounts":      {"audit/assertions", "audit/doubles", "audit/parts"},
	"audit/configs":       {"audit/commands", "audit/parts", "audit/trees"},
	"audit/commands":      {"audit/trees"},
	"fix":                 {"check", "check/parse", "locate"},
	"fix/tool":            {"audit/same", "check", "fix"},
	"fix/plugin":          {"check", "fix", "locate"},
	"fix/agent":           {"check", "fix", "fix/custom", "locate"},
	"fix/belief":          {"fix"},
	"fix/nearby":          {},
	"fix/custom":          {"check"},
	"fix/prompt":          {"check", "fix", "fix/nearby", "fix/custom", "fix/reply", "locate"},
	"fix/search":          {"check", "check/parse", "fix", "fix/nearby", "fix/belief", "fix/complaint", "locate"},
	"verify":              {"check", "check/parse", "locate"},
	"heal":                {"flow"},
	"guard/validate":      {"guard/child"},
	"guard/guest":         {"guard/hook", "guard/setup"},
	"guard/hook":          {"guard", "guard/child", "guard/transcript", "guard/validate"},
	"guard/opinion":       {"guard/validate"},
	"guard/resident":      {"guard/hook"},
	"guard/setup":         {"guard/hook", "guard/resident"},
	"guard/telemetry":     {"guard/hook", "guard/validate"},
	"cli":                 {"mcp", "guard", "guard/child", "guard/confine", "guard/guest", "guard/hook", "guard/opinion", "guard/resident", "guard/setup", "guard/telemetry", "guard/transcript", "guard/validate", "report"},
}

// pure are the rooms that import nothing but the standard library and the words beside them. edit may use two libraries
// that do nothing but read and write diffs.
var pure = map[string][]string{
	"diag": nil, "fresh": nil, "glob": nil, "lang": nil, "loose": nil, "message": nil, "near": nil, "ordinary": nil, "pattern": nil, "percent": nil, "phrase": nil, "silence": nil, "verdict": nil, "flow": nil,
	"edit": {"github.com/aymanbagabas/go-udiff", "github.com/bluekeyes/go-gitdiff"},
}

// makers are the rooms in which patches are made.
var makers = []string{"fix", "fix/tool", "fix/nearby", "fix/complaint", "fix/custom", "fix/belief", "fix/search", "fix/plugin", "fix/agent", "fix/reply", "fix/prompt", "heal"}

// never are imports that must not happen even indirectly: the judge cannot know the maker.
var never = map[string][]string{
	"verify":          append([]string{"model"}, makers...),
	"audit":           append([]string{"model", "check"}, makers...),
	"audit/challenge": append([]string{"check"}, makers...),
}

// helpers are packages that only tests import; they may import what they test.
var helpers = []string{"testenv", "testenv/fakemodel", "testenv/disk", "testenv/oracle", "fix/fixtest", "edit/treetest", "quote/quotetest", "runner/runnertest"}

type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

const prefix = "fettle/internal/"

func TestWalls(t *testing.T) {
	rooms := list(t)
	floor := map[string]int{}
	for i, names := range floors {
		for _, n := range names {
			floor[n] = i
		}
	}
	for name, p := range rooms {
		at, known := floor[name]
		if !known {
			t.Errorf("room %s stands on no floor: give it its place in this test", name)
			continue
		}
		for _, imp := range p.Imports {
			room, ours := strings.CutPrefix(imp, prefix)
			if !ours {
				if libs, isPure := pure[name]; isPure && strings.Contains(strings.Split(imp, "/")[0], ".") &&
					!slices.ContainsFunc(libs, func(l string) bool { return strings.HasPrefix(imp, l) }) {
					t.Errorf("%s imports %s: the words import the standard library only", name, imp)
				}
				continue
			}
			if floor[room] < at || slices.Contains(neighbours[name], room) {
				continue
			}
			t.Errorf("%s (floor %d) imports %s (floor %d): imports go down, or to a neighbour named in this test", name, at, room, floor[room])
		}
		for _, banned := range never[name] {
			if slices.Contains(p.Deps, prefix+banned) {
				t.Errorf("%s depends on %s: the judge cannot know the maker", name, banned)
			}
		}
	}
	for name := range floor {
		if _, ok := rooms[name]; !ok {
			t.Errorf("there is no room %s any more: take it out of this test", name)
		}
	}
}

// list asks the go command for the module's rooms, test helpers left out.
func list(t *testing.T) map[string]pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	rooms := map[string]pkg{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p pkg
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, prefix)
		if name != p.ImportPath && !slices.Contains(helpers, name) {
			rooms[name] = p
		}
	}
	return rooms
}
