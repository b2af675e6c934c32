package configs

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// gitlabKeys are keys at the top of GitLab's that are no jobs.
var gitlabKeys = strings.Fields("stages image services variables workflow include default before_script after_script cache pages spec")

// gitlab compares the jobs of GitLab's, each with what it takes from others.
func gitlab(was, is trees.Tree) Judgement {
	_, a := split(was, gitlabKeys...)
	_, b := split(is, gitlabKeys...)
	topWas, _ := split(was, gitlabKeys...)
	topIs, _ := split(is, gitlabKeys...)
	to := judgeBy(topWas, topIs, []demand{towards(`cache|cache/.*`, free)})
	for name := range a {
		if strings.HasPrefix(name, ".") {
			continue
		}
		had, okA := gitlabJob(a, name, 0)
		has, okB := gitlabJob(b, name, 0)
		if !okA || !okB || b[name] == nil {
			return Unproven
		}
		to = min(to, judgeBy(had, has, gitlabDemands))
	}
	for name := range b {
		if a[name] == nil && !strings.HasPrefix(name, ".") {
			return Unproven
		}
	}
	return to
}

var gitlabDemands = []demand{
	towards(`script|before_script|after_script`, linesHeld),
	towards(`allow_failure`, offByItself),
	towards(`retry`, fallsToNone),
	towards(`conditions`, grows),
	towards(`cache|artifacts|interruptible|timeout|coverage|resource_group`, free),
	towards(`needs|dependencies`, func(was, is any) Judgement { return ifSo(was == nil && len(trees.List(is)) == 0) }),
}

// gitlabJob is a job with what it takes from others by their names, and with one list of what it runs for.
func gitlabJob(all trees.Tree, name string, depth int) (trees.Tree, bool) {
	own, ok := all[name].(trees.Tree)
	if !ok || depth > mostDeep {
		return nil, false
	}
	job := trees.Tree{}
	for _, parent := range trees.Words(own["extends"]) {
		taken, ok := gitlabJob(all, parent, depth+1)
		if !ok {
			return nil, false
		}
		merge(job, taken)
	}
	own = maps.Clone(own)
	delete(own, "extends")
	merge(job, own)
	if depth > 0 {
		return job, true
	}
	if conditions, plain := gitlabConditions(job); plain {
		delete(job, "only")
		delete(job, "rules")
		job["conditions"] = conditions
	}
	return job, true
}

// merge lays one tree over another; lists are not joined.
func merge(under, over trees.Tree) {
	for k, v := range over {
		if trees.Is(v) && trees.Is(under[k]) {
			both := maps.Clone(trees.Of(under[k]))
			merge(both, trees.Of(v))
			v = both
		}
		under[k] = v
	}
}

var (
	ofMergeRequests = pattern.New(`^\$CI_PIPELINE_SOURCE == ["']merge_request_event["']$`)
	ofBranch        = pattern.New(`^\$CI_COMMIT_BRANCH == ["']([\w./-]+)["']$`)
)

// gitlabConditions are the pipelines that a job runs in, where they are named one by one.
func gitlabConditions(job trees.Tree) (all []any, plain bool) {
	if only := job["only"]; only != nil && job["rules"] == nil && !trees.Is(only) {
		for _, ref := range trees.Words(only) {
			all = append(all, ref)
		}
		return all, len(all) > 0
	}
	for _, r := range trees.List(job["rules"]) {
		rule := trees.Of(r)
		m := ofBranch.FindStringSubmatch(trees.Text(rule["if"]))
		switch {
		case len(rule) != 1:
			return nil, false
		case ofMergeRequests.MatchString(trees.Text(rule["if"])):
			all = append(all, "merge_requests")
		case m != nil:
			all = append(all, m[1])
		default:
			return nil, false
		}
	}
	return all, len(all) > 0
}

// linesHeld is said of commands that are carried out one after another: each is there, in order, as it was or demanding more, and what is new only checks.
func linesHeld(was, is any) Judgement {
	next := 0
	had := commandLines(was)
	for _, line := range commandLines(is) {
		switch {
		case next < len(had) && commands.AsMuch(had[next], line):
			next++
		case !commands.OnlyChecks(line):
			return Unproven
		}
	}
	return ifSo(next == len(had))
}

// takesAway matches commands that take away what a run before has left in containers and clusters, for which it matters little that nothing was there.
var takesAway = pattern.New(`^(docker(-compose)?\s+((container|network|volume)\s+)?(rm|stop|kill|down)|docker\s+compose\s+down|podman\s+(rm|stop|kill)|kubectl\s+delete|minikube\s+(stop|delete)|kind\s+delete)\b[^|;&<>$` + "`" + `]*(\d?>\s?/dev/null\s*)*(2>&1\s*)?(\|\|\s*true)?$`)

// commandLines are the lines of commands, without those that take away what was left.
func commandLines(v any) []string {
	var all []string
	for _, w := range trees.Words(v) {
		for line := range strings.SplitSeq(strings.ReplaceAll(w, "\\\n", " "), "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !takesAway.MatchString(line) {
				all = append(all, line)
			}
		}
	}
	return all
}

// mavenTests compares a pom.xml in which tests may have come from surefire to failsafe, which has to run them then.
func mavenTests(was, is trees.Tree) Judgement {
	a, b := pluginsOf(was), pluginsOf(is)
	if a == nil || b == nil || !reflect.DeepEqual(a.rest, b.rest) {
		return Unproven
	}
	if !othersHeld(a.plugins, b.plugins) {
		return Unproven
	}
	old, now, later := testRuns(a.plugins[surefire]), testRuns(b.plugins[surefire]), testRuns(b.plugins[failsafe])
	if old == nil || now == nil || now.ignores && !old.ignores || len(trees.Without(now.includes, old.includes)) > 0 || !reflect.DeepEqual(old.rest, now.rest) {
		return Unproven
	}
	left := append(trees.Without(old.includes, now.includes), trees.Without(now.excludes, old.excludes)...)
	switch {
	case len(left) == 0:
		return NoLess
	case !later.runs(left):
		return Unproven
	case slices.Contains([]string{"verify", "install", "deploy"}, b.goal):
		return NoLess
	}
	return MatterOfTaste // whether anybody goes as far as failsafe
}

const surefire, failsafe = "maven-surefire-plugin", "maven-failsafe-plugin"

// othersHeld reports whether all plugins are as they were, but for surefire, and for failsafe where there was none.
func othersHeld(was, is map[string]trees.Tree) bool {
	for name, plugin := range was {
		if name != surefire && !reflect.DeepEqual(plugin, is[name]) {
			return false
		}
	}
	for name := range is {
		if was[name] == nil && name != failsafe {
			return false
		}
	}
	return true
}

// runs reports whether a plugin runs tests by these names, and tells how they ended.
func (r *testRun) runs(names []string) bool {
	return r != nil && r.bound && !r.ignores && len(r.excludes)+len(r.rest) == 0 && len(trees.Without(names, r.includes)) == 0
}

// pom is one that was read, with its plugins by their names apart from the rest.
type pom struct {
	plugins map[string]trees.Tree
	goal    string
	rest    trees.Tree
}

func pluginsOf(t trees.Tree) *pom {
	project := trees.One(t["project"])
	build := trees.One(project["build"])
	p := &pom{plugins: make(map[string]trees.Tree), goal: trees.First(build["defaultGoal"])}
	properties := trees.One(project["properties"])
	for _, v := range trees.List(trees.One(build["plugins"])["plugin"]) {
		plugin := maps.Clone(trees.Of(v))
		name := trees.First(plugin["artifactId"])
		if _, twice := p.plugins[name]; twice || name == "" {
			return nil
		}
		delete(plugin, "version") // an update of the tool's
		p.plugins[name] = plugin
	}
	_, rest := split(project, "build", "properties")
	_, restBuild := split(build, "plugins")
	rest["build"] = restBuild
	_, rest["properties"] = versionsApart(properties)
	p.rest = rest
	return p
}

// versionsApart takes properties that are called as versions of plugins are out of the others.
func versionsApart(t trees.Tree) (versions, rest trees.Tree) {
	versions, rest = trees.Tree{}, trees.Tree{}
	for k, v := range t {
		if strings.HasSuffix(k, ".version") && (strings.Contains(k, "surefire") || strings.Contains(k, "failsafe")) {
			versions[k] = v
		} else {
			rest[k] = v
		}
	}
	return versions, rest
}

// testRun is which tests a plugin of Maven's runs.
type testRun struct {
	includes, excludes []string
	ignores, bound     bool // failures count not; it runs by itself, and tells how it ended
	rest               trees.Tree
}

func testRuns(plugin trees.Tree) *testRun {
	if plugin == nil {
		return nil
	}
	configuration, rest := split(trees.One(plugin["configuration"]), "includes", "excludes", "testFailureIgnore")
	goals := []string{}
	for _, e := range trees.List(trees.One(plugin["executions"])["execution"]) {
		if phase := trees.First(trees.Of(e)["phase"]); phase == "" || phase == "integration-test" || phase == "verify" {
			goals = append(goals, trees.Words(trees.One(trees.Of(e)["goals"])["goal"])...)
		}
	}
	return &testRun{
		includes: trees.Words(trees.One(configuration["includes"])["include"]), excludes: trees.Words(trees.One(configuration["excludes"])["exclude"]),
		ignores: trees.TruthOf(trees.First(configuration["testFailureIgnore"])) == trees.Yes, bound: len(trees.Without([]string{"integration-test", "verify"}, goals)) == 0, rest: rest,
	}
}
