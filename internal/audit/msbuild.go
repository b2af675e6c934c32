package audit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// msbuildFiles are those of .NET's builds, which have the settings of its compiler's checks beside all else.
var msbuildFiles = pattern.New(`(?i)\.(props|targets|csproj|fsproj|vbproj)$`)

// buildProperties are properties of such builds, each with its values in order, those that hold under a condition marked as such.
type buildProperties map[string][]string

// underCondition begins a value that does not hold always.
const underCondition = "?"

// propertiesOf reads those of a build; nil, where it cannot be read.
func propertiesOf(src []byte) buildProperties {
	t, err := trees.XML(src)
	if err != nil {
		return nil
	}
	all := make(buildProperties)
	for _, group := range trees.List(trees.One(t["Project"])["PropertyGroup"]) {
		for name, values := range trees.Of(group) {
			for _, v := range trees.List(values) {
				value, under := trees.Text(v), trees.Text(trees.Of(group)["@Condition"]) != ""
				if trees.Is(v) {
					value, under = trees.Text(trees.Of(v)["#"]), true
				}
				if under {
					value = underCondition + value
				}
				all[strings.ToLower(name)] = append(all[strings.ToLower(name)], value)
			}
		}
	}
	return all
}

// stands reports whether a property has a value whatever holds.
func (p buildProperties) stands(name, value string) bool {
	return slices.ContainsFunc(p[name], func(v string) bool { return strings.EqualFold(strings.TrimSpace(v), value) })
}

// listed are the codes in the values of a property, whatever they hold under.
func (p buildProperties) listed(name string) []string {
	var all []string
	for _, v := range p[name] {
		for code := range strings.FieldsFuncSeq(strings.TrimPrefix(v, underCondition), func(r rune) bool { return strings.ContainsRune(";, \n\t", r) }) {
			if !strings.HasPrefix(code, "$(") {
				all = append(all, strings.ToUpper(code))
			}
		}
	}
	return all
}

var (
	// onIfSaid are switches that are off where nothing is said of them, offIfSaid those that are on.
	onIfSaid  = []string{"TreatWarningsAsErrors", "MSBuildTreatWarningsAsErrors", "CodeAnalysisTreatWarningsAsErrors", "EnforceCodeStyleInBuild"}
	offIfSaid = []string{"RunAnalyzers", "RunAnalyzersDuringBuild", "EnableNETAnalyzers", "NuGetAudit"}
)

// off reports whether a switch is off, always or under a condition.
func (p buildProperties) off(name string) bool {
	return p.stands(name, "false") || p.stands(name, underCondition+"false")
}

// looserBuilds looks for checks of a .NET build that say less, or whose warnings are errors no more.
func looserBuilds(v *patchView, f *fileView) []Finding {
	if !msbuildFiles.MatchString(path.Base(f.path)) || f.formatted || len(f.before) == 0 || len(f.after) == 0 {
		return nil
	}
	was, is := propertiesOf(f.before), propertiesOf(f.after)
	if was == nil || is == nil {
		return nil
	}
	var all []Finding
	add := func(name, says string) {
		all = append(all, Finding{Line: lineWith(f.after, "<"+name), Effect: v.unless(Healer, Tidier), Evidence: name + ": " + says})
	}
	for name, says := range switchedOff(was, is) {
		add(name, says)
	}
	asErrors := was.stands("treatwarningsaserrors", "true")
	for _, name := range []string{"NoWarn", "WarningsNotAsErrors", "NuGetAuditSuppress"} {
		fresh := trees.Without(is.listed(strings.ToLower(name)), was.listed(strings.ToLower(name)))
		if len(fresh) > 0 && (asErrors || name != "WarningsNotAsErrors") {
			add(name, strings.Join(fresh, ", ")+" counts no more")
		}
	}
	if gone := trees.Without(was.listed("warningsaserrors"), is.listed("warningsaserrors")); len(gone) > 0 && !is.stands("treatwarningsaserrors", "true") {
		add("WarningsAsErrors", strings.Join(gone, ", ")+" is an error no more")
	}
	slices.SortFunc(all, func(a, b Finding) int { return cmp.Or(a.Line-b.Line, strings.Compare(a.Evidence, b.Evidence)) })
	return all
}

// switchedOff are the switches that were on, and are so no more or not always, each with what that means.
func switchedOff(was, is buildProperties) map[string]string {
	all := make(map[string]string)
	for _, name := range onIfSaid {
		if low := strings.ToLower(name); was.stands(low, "true") && (!is.stands(low, "true") || is.off(low) && !was.off(low)) {
			all[name] = "it is on no more, or not always"
		}
	}
	for _, name := range offIfSaid {
		if low := strings.ToLower(name); is.off(low) && !was.off(low) {
			all[name] = "it is off"
		}
	}
	if was.stands("nullable", "enable") && !is.stands("nullable", "enable") {
		all["Nullable"] = "what may be null is asked about no more"
	}
	return all
}

// lineWith is the number of the last line in which a text stands; 0, if it stands in none.
func lineWith(src []byte, text string) int {
	at := 0
	for i, l := range strings.Split(string(src), "\n") {
		if strings.Contains(l, text) {
			at = i + 1
		}
	}
	return at
}
