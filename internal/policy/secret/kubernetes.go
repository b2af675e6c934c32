package secret

import "bytes"

// kubernetes finds the values in manifests of kind Secret: all below data and stringData, by their place.
func (s *scanner) kubernetes() {
	for at := 0; ; {
		n := bytes.Index(s.text[at:], []byte("kind:"))
		if n < 0 {
			return
		}
		at += n + len("kind:")
		rest := bytes.TrimLeft(s.text[at:min(len(s.text), at+32)], " \"'")
		if kind := firstWord(rest); !bytes.EqualFold(kind, []byte("secret")) {
			continue
		}
		start, end := max(0, at-maxManifest), min(len(s.text), at+maxManifest)
		if n := bytes.LastIndex(s.text[start:at], []byte("\n---")); n >= 0 {
			start += n
		}
		if n := bytes.Index(s.text[at:end], []byte("\n---")); n >= 0 {
			end = at + n
		}
		s.manifest(start, end)
		at = end
	}
}

// maxManifest bounds how far before and after its kind a manifest is read.
const maxManifest = 16 << 10

// manifest finds the values below data and stringData, in lines of YAML.
func (s *scanner) manifest(start, end int) {
	depth, block := -1, -1 // the indents of data, and of a name whose value stands in the lines below it
	for at := start; at < end; {
		stop := end
		if n := bytes.IndexByte(s.text[at:end], '\n'); n >= 0 {
			stop = at + n
		}
		line := s.text[at:stop]
		indent := len(line) - len(bytes.TrimLeft(line, " \t"))
		name, value, ok := bytes.Cut(line[indent:], []byte(":"))
		switch {
		case len(bytes.TrimSpace(line)) == 0 || line[indent] == '#':
		case block >= 0 && indent > block:
			s.datum(at+indent, line[indent:])
		case ok && (string(name) == "data" || string(name) == "stringData"):
			depth, block = indent, -1
		case indent <= depth:
			depth, block = -1, -1
		case ok && depth >= 0:
			block = -1
			if value = bytes.TrimLeft(value, " "); len(value) > 0 && (value[0] == '|' || value[0] == '>') {
				block = indent
				break
			}
			s.datum(stop-len(value), value)
		}
		at = stop + 1
	}
}

// datum judges one value of a manifest that begins, spaces included, at from.
func (s *scanner) datum(from int, value []byte) {
	left := bytes.TrimLeft(value, " \t\"'")
	from += len(value) - len(left)
	left = bytes.TrimRight(left, " \t\r\"'")
	if len(left) >= 4 && !fillsIn(left) && !isPlaceholder(left) && bytes.IndexByte(left, ' ') < 0 {
		s.add("kubernetes", from, from+len(left))
	}
}

// firstWord is the word that a text begins with.
func firstWord(text []byte) []byte {
	for i, c := range text {
		if !isWord(c) {
			return text[:i]
		}
	}
	return text
}
