package edit

import "bytes"

// FileStat is how much of one file a patch changes.
type FileStat struct {
	Path        string `json:"path"`
	Op          Op     `json:"op"`
	Added       int    `json:"added"`   // lines; 0 for binary files
	Removed     int    `json:"removed"` // lines; 0 for binary files
	Binary      bool   `json:"binary,omitempty"`
	ModeChanged bool   `json:"mode_changed,omitempty"`
}

// Stat counts the lines that the patch adds and removes, file by file, as a line diff of before and after would.
func (p Patch) Stat(src Source) ([]FileStat, error) {
	var out []FileStat
	err := p.each(src, func(c Change, before, after File) {
		s := FileStat{Path: c.Path, Op: c.Op, Binary: isBinary(before.Data) || isBinary(after.Data)}
		s.ModeChanged = c.Op == Modify && before.Mode.Perm() != after.Mode.Perm()
		if !s.Binary {
			for _, e := range diffLines(before.Data, after.Data) {
				s.Added += countLines(e.New)
				s.Removed += countLines(before.Data[e.Start:e.End])
			}
		}
		out = append(out, s)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func countLines(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}
