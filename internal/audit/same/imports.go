package same

import (
	"slices"
	"strings"
)

// sortImports turns each run of Python's import lines into the sorted list of what it imports, name by name: sorting,
// splitting and joining imports is formatting. Where two of them bind the same name differently, their order counts and
// they stay as they are.
func sortImports(lines [][]string) [][]string {
	var out [][]string
	for i := 0; i < len(lines); {
		end := i
		var run []pyImport
		for end < len(lines) && isImport(lines[end]) {
			run = append(run, pyImports(lines[end])...)
			end++
		}
		switch {
		case end == i:
			out, i = append(out, lines[i]), i+1
			continue
		case orderCounts(run):
			out = append(out, lines[i:end]...)
		default:
			entries := make([]string, len(run))
			for k, imp := range run {
				entries[k] = imp.from + imp.name
			}
			slices.Sort(entries)
			out = append(out, slices.Compact(entries))
		}
		i = end
	}
	return out
}

func isImport(line []string) bool { return line[0] == " import" || line[0] == " from" }

// pyImport is one name of an import line.
type pyImport struct {
	from string // " from a import", or " import"
	name string // " b as c"
}

// binds is the name that the import defines, and its origin: two imports of one package's modules bind the same.
func (i pyImport) binds() (name, origin string) {
	if at := strings.LastIndex(i.name, " as "); at >= 0 {
		return i.name[at+3:], i.from + i.name
	}
	if i.from == " import" {
		root, _, _ := strings.Cut(i.name, " .")
		return root, i.from + root
	}
	return i.name, i.from
}

func pyImports(line []string) []pyImport {
	at := slices.Index(line, " import")
	if at < 0 {
		return []pyImport{{from: strings.Join(line, "")}}
	}
	from := strings.Join(line[:at+1], "")
	var all []pyImport
	name := ""
	for _, t := range line[at+1:] {
		switch t {
		case " (", " )":
		case " ,", "\n":
			all, name = append(all, pyImport{from, name}), ""
		default:
			name += t
		}
	}
	return all
}

func orderCounts(run []pyImport) bool {
	origins := make(map[string]string)
	for _, i := range run {
		name, origin := i.binds()
		if o, ok := origins[name]; ok && o != origin || name == " *" {
			return true
		}
		origins[name] = origin
	}
	return false
}
