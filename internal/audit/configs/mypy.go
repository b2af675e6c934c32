package configs

import (
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

var (
	// mypyStrict are the switches that mypy's "strict" turns on.
	mypyStrict = strings.Fields(`warn_unused_configs disallow_any_generics disallow_subclassing_any disallow_untyped_calls disallow_untyped_defs disallow_incomplete_defs check_untyped_defs
		disallow_untyped_decorators warn_redundant_casts warn_unused_ignores warn_return_any no_implicit_reexport strict_equality extra_checks`)
	// mypyMore are switches by which it finds more, mypyLess those by which it finds less.
	mypyMore = pattern.New(`^(disallow_\w+|warn_(unused_configs|redundant_casts|unused_ignores|return_any|unreachable|no_return|incomplete_stub)|check_untyped_defs|no_implicit_(reexport|optional)|strict_\w+|extra_checks|local_partial_types)$`)
	mypyLess = pattern.New(`^(ignore_(missing_imports|errors)|allow_(redefinition|untyped_globals)|implicit_optional)$`)
	// mypyByItself are those that are on where nothing is said of them.
	mypyByItself = []string{"warn_no_return", "strict_optional"}
)

// mypyDemands are what else it is told, for all modules.
var mypyDemands = []demand{
	towards(`files|packages|modules`, growsToAll),
	towards(`plugins`, growsFromNone),
	towards(`exclude`, shrinksExactly),
	towards(`pretty|show_\w+|color_output|error_summary|cache_dir|sqlite_cache|incremental|namespace_packages|explicit_package_bases`, free),
}

// mypyRules is what mypy is told of modules, by their patterns: of those without a section of their own under "".
type mypyRules struct {
	switches map[string]map[string]bool
	codes    map[string][]string // of errors that it does not tell
	enabled  map[string][]string // of those that it tells besides
	rest     trees.Tree
	bad      bool // something is not known
}

// mypySections compares settings of mypy's in a file of sections. What is none of its sections has to be as it was.
func mypySections(was, is trees.Tree) Judgement {
	a, b := sectionsOfMypy(was), sectionsOfMypy(is)
	return a.becomes(b)
}

func sectionsOfMypy(t trees.Tree) *mypyRules {
	r := newMypyRules()
	for name, section := range t {
		modules, own := strings.CutPrefix(name, "mypy-")
		switch {
		case name == "mypy":
			r.add("", trees.Of(section))
		case own:
			for module := range strings.SplitSeq(modules, ",") {
				r.add(strings.TrimSpace(module), trees.Of(section))
			}
		default:
			r.rest["["+name+"]"] = section
		}
	}
	return r
}

// mypyTables compares settings of mypy's in a pyproject.toml.
func mypyTables(was, is trees.Tree) Judgement { return tablesOfMypy(was).becomes(tablesOfMypy(is)) }

func tablesOfMypy(t trees.Tree) *mypyRules {
	r := newMypyRules()
	overrides, all := split(t, "overrides")
	r.add("", all)
	for _, o := range trees.List(overrides["overrides"]) {
		modules, own := split(trees.Of(o), "module")
		for _, module := range trees.Words(modules["module"]) {
			r.add(module, own)
		}
	}
	return r
}

func newMypyRules() *mypyRules {
	return &mypyRules{switches: make(map[string]map[string]bool), codes: make(map[string][]string), enabled: make(map[string][]string), rest: trees.Tree{}}
}

// add takes what is said of the modules of a pattern.
func (r *mypyRules) add(module string, section trees.Tree) {
	own := r.switches[module]
	if own == nil {
		own = make(map[string]bool)
		r.switches[module] = own
	}
	for key, v := range section {
		name, value, known := mypySwitch(key, trees.TruthOf(trees.Text(v)))
		switch {
		case known:
			own[name] = value
		case key == "disable_error_code":
			r.codes[module] = append(r.codes[module], partsIn(v)...)
		case key == "enable_error_code":
			r.enabled[module] = append(r.enabled[module], partsIn(v)...)
		case key == "strict" && module == "":
			own["strict"] = trees.TruthOf(trees.Text(v)) == trees.Yes
		case module == "":
			r.rest[key] = v
		default:
			r.bad = true
		}
	}
}

// mypySwitch is a switch by the name by which it finds more or less, whichever way round it is called.
func mypySwitch(key string, said trees.Truth) (name string, value, known bool) {
	value = said == trees.Yes
	switch {
	case said == trees.Neither:
		return "", false, false
	case mypyMore.MatchString(key) || mypyLess.MatchString(key):
		return key, value, true
	case key == "implicit_reexport":
		return "no_implicit_reexport", !value, true
	case strings.HasPrefix(key, "allow_") && mypyMore.MatchString("dis"+key):
		return "dis" + key, !value, true
	}
	return "", false, false
}

// value is how a switch stands for the modules of a pattern.
func (r *mypyRules) value(module, name string) bool {
	if v, said := r.switches[module][name]; said {
		return v
	}
	widest := ""
	for _, wide := range r.patterns() {
		if _, said := r.switches[wide][name]; said && len(wide) > len(widest) && modulesCover(wide, module) {
			widest = wide
		}
	}
	if v, said := r.switches[widest][name]; said {
		return v
	}
	return r.switches[""]["strict"] && slices.Contains(mypyStrict, name) || slices.Contains(mypyByItself, name)
}

func (r *mypyRules) patterns() []string {
	var all []string
	for p := range r.switches {
		all = append(all, p)
	}
	slices.Sort(all)
	return all
}

// modulesCover reports whether a pattern of modules is about all that another one is about.
func modulesCover(wide, narrow string) bool {
	head, many := strings.CutSuffix(wide, ".*")
	return wide == narrow || wide == "*" || many && narrow != "" && (narrow == head || strings.HasPrefix(narrow, head+"."))
}

// becomes compares what was told with what is told, for the modules of each pattern.
func (r *mypyRules) becomes(o *mypyRules) Judgement {
	if r.bad || o.bad {
		return Unproven
	}
	names := slices.Clone(mypyStrict)
	for _, rules := range []*mypyRules{r, o} {
		for _, own := range rules.switches {
			for name := range own {
				names = append(names, name)
			}
		}
	}
	for _, module := range append(r.patterns(), o.patterns()...) {
		for _, name := range names {
			was, is := r.value(module, name), o.value(module, name)
			if name != "strict" && was != is && is == mypyLess.MatchString(name) {
				return Unproven
			}
		}
		if len(trees.Without(o.codes[module], append(r.codes[module], r.codes[""]...))) > 0 || len(trees.Without(r.enabled[module], append(o.enabled[module], o.enabled[""]...))) > 0 {
			return Unproven
		}
	}
	return judgeBy(r.rest, o.rest, mypyDemands)
}
