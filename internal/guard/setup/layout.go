package setup

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// layout is how a person, or their client, has laid settings out.
type layout struct {
	line string // what ends a line; empty: all is in one
	unit string // by what one is indented for each level
}

// layoutOf is the layout of settings. Those that hold nothing yet are laid out as most are.
func layoutOf(text string) layout {
	if strings.TrimSpace(text) == "{}" {
		return layout{"\n", "  "}
	}
	l := layout{unit: "  "}
	for i, line := range strings.SplitAfter(text, "\n") {
		switch body := strings.TrimLeft(line, " \t"); {
		case i == 0 && strings.HasSuffix(line, "\r\n"):
			l.line = "\r\n"
		case i == 0 && strings.HasSuffix(line, "\n"):
			l.line = "\n"
		case strings.HasPrefix(body, `"`) && len(body) < len(line):
			l.unit = line[:len(line)-len(body)]
			return l
		}
	}
	return l
}

func (l layout) begin(depth int) []byte {
	if l.line == "" {
		return nil
	}
	return []byte(l.line + strings.Repeat(l.unit, depth))
}

// add puts a value behind the others of an object or a list, which is so many levels deep in the settings: in one line, which stands as theirs do. A member that
// holds nothing (null) takes it in its place.
func (s *settings) add(parent, name string, depth int, value any) error {
	path := parent + "/" + name
	text, err := plainly(value)
	if err != nil {
		return err
	}
	if err := s.value.Patch(fmt.Appendf(nil, `[{"op": "add", "path": %q, "value": %s}]`, path, spaced(text))); err != nil {
		return err
	}
	if s.layout.line == "" {
		return nil
	}
	switch all := s.value.Find(parent).Value.(type) {
	case *hujson.Object:
		m := &all.Members[len(all.Members)-1]
		s.lay(&m.Name.BeforeExtra, &all.AfterExtra, depth)
		if len(m.Value.BeforeExtra) == 0 {
			m.Value.BeforeExtra = []byte(" ")
		}
	case *hujson.Array:
		s.lay(&all.Elements[len(all.Elements)-1].BeforeExtra, &all.AfterExtra, depth)
	}
	return nil
}

// plainly is a value as JSON that people read: signs of a shell's in it are not written as numbers.
func plainly(value any) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	err := out.Encode(value)
	return bytes.TrimSpace(b.Bytes()), err
}

// spaced is JSON in one line, as people write it.
func spaced(text []byte) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, text, "", "") // what json.Marshal has written is JSON
	return bytes.ReplaceAll(bytes.ReplaceAll(b.Bytes(), []byte(",\n"), []byte(", ")), []byte("\n"), nil)
}

// lay lays out what stands before the last one of an object or a list, and behind it. Comments stay.
func (s *settings) lay(before, after *hujson.Extra, depth int) {
	*before = append(bytes.TrimRight(*before, " \t\r\n"), s.layout.begin(depth+1)...)
	if len(bytes.TrimSpace(*after)) == 0 {
		*after = s.layout.begin(depth)
	}
}
