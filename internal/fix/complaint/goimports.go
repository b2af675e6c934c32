package complaint

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/edit"
)

func (b *bench) importingGo(spec string) []edit.Edit {
	for _, n := range b.file.Root.Kids {
		text := n.Text()
		if n.Role != code.Import || !strings.HasPrefix(text, "import") {
			continue
		}
		open := strings.IndexByte(text, '(')
		if open < 0 {
			return []edit.Edit{replaced(n.Start, n.Start, "import "+spec+"\n")}
		}
		at := n.Start + open + 2
		for line := range strings.Lines(text[open+1:]) {
			if l := strings.TrimSpace(line); l != "" && (l > spec || l == ")") {
				break
			} else if l != "" {
				at = n.Start + strings.Index(text, l) + len(l) + 1
			}
		}
		return []edit.Edit{replaced(at, at, "\t"+spec+"\n")}
	}
	for _, n := range b.file.Root.Kids {
		if n.Role == code.Import {
			return []edit.Edit{replaced(n.End, n.End, "\n\nimport "+spec)}
		}
	}
	return nil
}
