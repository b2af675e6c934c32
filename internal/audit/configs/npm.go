package configs

import (
	"slices"
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/trees"
	"fettle/internal/glob"
	"fettle/internal/pattern"
)

// leaf is a command that is carried out in the end, whatever it was called by.
type leaf struct {
	text    string
	ignored bool // its failure counts not
	beside  bool // others may run at the same time
}

// leavesHeld reports whether all that was carried out is so still, by the same commands or by such as demand more, and what is new beside them only checks, or stood elsewhere before.
func leavesHeld(was, is []leaf, known map[string]bool) bool {
	left := slices.Clone(is)
	for _, w := range was {
		i := slices.IndexFunc(left, func(l leaf) bool { return (!l.ignored || w.ignored) && commands.AsMuch(w.text, l.text) })
		if i < 0 || left[i].beside && !w.beside && !commands.OnlyChecks(w.text) {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return !slices.ContainsFunc(left, func(l leaf) bool { return !known[l.text] && !commands.OnlyChecks(l.text) })
}

// npmScripts compares what the scripts of a package.json carry out in the end. All else has to be as it was, but for what the project needs.
func npmScripts(was, is trees.Tree) Judgement {
	needs := []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}
	_, restWas := split(was, append(needs, "scripts")...)
	_, restIs := split(is, append(needs, "scripts")...)
	if judgeBy(restWas, restIs, nil) != NoLess {
		return Unproven
	}
	had, has := packageScripts(trees.Of(was["scripts"])), packageScripts(trees.Of(is["scripts"]))
	known := make(map[string]bool)
	for name := range had {
		for _, l := range had.reach(name, 0, false) {
			known[l.text] = true
		}
	}
	for name := range has {
		_, there := had[name]
		switch leaves := has.reach(name, 0, false); {
		case there && !leavesHeld(had.reach(name, 0, false), leaves, nil):
			return Unproven
		case !there && (byItself.MatchString(name) || !leavesHeld(nil, leaves, known)):
			return Unproven
		}
	}
	for name := range had {
		if _, there := has[name]; !there {
			return Unproven
		}
	}
	return NoLess
}

// byItself matches scripts that package managers run without being asked.
var byItself = pattern.New(`^(pre|post)?(install|prepare|publish|pack|version)(Only)?$|^prepublish\w*$|^prepare\w*$`)

// scripts are those of a package.json, by their names.
type scripts map[string]string

func packageScripts(t trees.Tree) scripts {
	all := make(scripts)
	for name, v := range t {
		all[name] = trees.Text(v)
	}
	return all
}

// mostDeep is how deep scripts and targets may call one another.
const mostDeep = 12

// reach are the commands that a script carries out in the end. One that is no plain chain of commands is one of them as it stands.
func (s scripts) reach(name string, depth int, beside bool) []leaf {
	text := s[name]
	if depth > mostDeep || strings.ContainsAny(strings.ReplaceAll(text, "&&", ""), "|;&`<>") || strings.Contains(text, "$(") {
		return []leaf{{text: text, beside: beside}}
	}
	var all []leaf
	for _, hook := range []string{"pre" + name, "", "post" + name} {
		if _, there := s[hook]; there {
			all = append(all, s.reach(hook, depth+1, beside)...)
		}
		if hook != "" {
			continue
		}
		for one := range strings.SplitSeq(text, "&&") {
			one = strings.TrimSpace(one)
			called, parallel, calls := s.calls(one)
			if !calls {
				all = append(all, leaf{text: one, beside: beside})
			}
			for _, c := range called {
				all = append(all, s.reach(c, depth+1, beside || parallel)...)
			}
		}
	}
	return all
}

var runsScript = pattern.New(`^(?:npm|pnpm|yarn|bun) (?:run(?:-script)? )?(?:--silent |-s )?([\w:.-]+)(?: --silent| -s)?$`)

// sayMore are options of what runs several scripts by which it says more, or waits for all of them: it fails where one of them does.
var sayMore = map[string]*pattern.Pattern{
	"run-p": ofNpmRunAll, "run-s": ofNpmRunAll, "npm-run-all": ofNpmRunAll, "npm-run-all2": ofNpmRunAll, "concurrently": pattern.New(`^(-g|--group|--kill-others-on-fail|--raw|--no-color)$`),
}

var ofNpmRunAll = pattern.New(`^(-l|--print-label|-n|--print-name|--silent|-c|--continue-on-error|--aggregate-output|-p|-s|--parallel|--serial|--sequential)$`)

// calls are the scripts that a command calls, by their names or by patterns of these, and whether they run side by side.
func (s scripts) calls(command string) (names []string, parallel, calls bool) {
	if m := runsScript.FindStringSubmatch(command); m != nil {
		if _, there := s[m[1]]; there {
			return []string{m[1]}, false, true
		}
		return nil, false, false
	}
	words := strings.Fields(strings.TrimPrefix(command, "npx "))
	if len(words) < 2 || sayMore[words[0]] == nil {
		return nil, false, false
	}
	parallel = words[0] == "run-p" || words[0] == "concurrently"
	for _, w := range words[1:] {
		w = strings.Trim(w, `"'`)
		if sayMore[words[0]].MatchString(w) {
			parallel = parallel || w == "-p" || w == "--parallel"
			continue
		}
		npm := true
		if words[0] == "concurrently" {
			w, npm = strings.CutPrefix(w, "npm:")
		}
		if strings.HasPrefix(w, "-") || !npm {
			return nil, false, false
		}
		found := s.named(w)
		if len(found) == 0 {
			return nil, false, false
		}
		names = append(names, found...)
	}
	return names, parallel, len(names) > 0
}

// named are the scripts whose names match a pattern, in which a star stands for what has no colon.
func (s scripts) named(name string) []string {
	parts := strings.ReplaceAll(name, ":", "/")
	var all []string
	for own := range s {
		if own == name || strings.Contains(name, "*") && glob.Match(parts, strings.ReplaceAll(own, ":", "/")) {
			all = append(all, own)
		}
	}
	slices.Sort(all)
	return all
}
