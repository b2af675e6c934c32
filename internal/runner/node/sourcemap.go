package node

import (
	"encoding/json"
	"errors"
	"strings"
)

// readMap reads a source map (https://tc39.es/ecma426/): which places of the text, in UTF-16, stand for which lines of the source. skip is how
// much was put before the text that the map is of.
func readMap(raw []byte, text string, skip int) ([][2]int, error) {
	var m struct{ Mappings string }
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(text[skip:], "\n")
	out := [][2]int{}
	at, line := skip, 0
	for n, group := range strings.Split(m.Mappings, ";") {
		column := 0
		for segment := range strings.SplitSeq(group, ",") {
			if segment == "" {
				continue
			}
			fields, err := readVLQ(segment)
			if err != nil {
				return nil, err
			}
			column += fields[0]
			if len(fields) >= 4 {
				line += fields[2]
				out = append(out, [2]int{at + column, line + 1})
			}
		}
		if n < len(lines) {
			at += units(lines[n])
		}
	}
	return out, nil
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

var errMap = errors.New("it holds what is no number")

// readVLQ reads numbers in base 64, five bits a digit, the lowest first; the lowest bit is the sign.
func readVLQ(s string) ([]int, error) {
	var out []int
	n, shift := 0, 0
	for i := 0; i < len(s); i++ {
		d := strings.IndexByte(digits, s[i])
		if d < 0 || shift > 30 {
			return nil, errMap
		}
		n |= d & 31 << shift
		shift += 5
		if d&32 != 0 {
			continue
		}
		if n&1 != 0 {
			n = -(n >> 1)
		} else {
			n >>= 1
		}
		out = append(out, n)
		n, shift = 0, 0
	}
	if shift != 0 || len(out) == 0 {
		return nil, errMap
	}
	return out, nil
}
