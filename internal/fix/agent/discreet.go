package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/policy/secret"
)

// An agent reads files and output as they are. What it tells its model of them has marks in the place of secrets, and so has what is kept of its conversations; a mark that
// it writes into a file is what it stands for there.

// opaque are the members of requests that are no text, and must come back as they were sent.
var opaque = []string{"signature", "thoughtSignature", "thought_signature", "encrypted_content", "id", "call_id", "tool_use_id", "type", "role", "model"}

// leaf is a text in a JSON document, and where it stands, with its quotes.
type leaf struct {
	start, end int
	text       string
}

// leaves are the texts of a JSON document that may hold anything.
func leaves(doc []byte) ([]leaf, error) {
	var out []leaf
	var objects []bool // what is open, outermost first: whether it is an object
	key, isKey := "", false
	dec := json.NewDecoder(bytes.NewReader(doc))
	for {
		at := int(dec.InputOffset())
		token, err := dec.Token()
		if errors.Is(err, io.EOF) && len(objects) == 0 {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				objects = append(objects, v == '{')
				isKey = v == '{'
				continue
			}
			objects = objects[:len(objects)-1]
		case string:
			if isKey {
				key, isKey = v, false
				continue
			}
			if !slices.Contains(opaque, key) {
				out = append(out, leaf{at + bytes.IndexByte(doc[at:], '"'), int(dec.InputOffset()), v})
			}
		}
		isKey = len(objects) > 0 && objects[len(objects)-1]
	}
}

// between stands between texts that are looked through together, as what is found in one is a secret in the others, too.
const between = "\n\x00\n"

// discreet is a JSON document whose texts went through clean, which puts marks in the place of secrets. Everything else of it stays byte for byte. What is no JSON is one text.
func discreet(clean func(string) string, doc []byte) []byte {
	all, err := leaves(doc)
	if err != nil {
		return []byte(clean(string(doc)))
	}
	texts := make([]string, len(all))
	for i, l := range all {
		texts[i] = l.text
	}
	marked := strings.Split(clean(strings.Join(texts, between)), between)
	if len(marked) != len(all) { // a secret that goes over an end, or a text with one of ours in it
		marked = slices.Clone(texts)
		for i := range marked {
			marked[i] = clean(marked[i])
		}
	}
	var out bytes.Buffer
	end := 0
	for i, l := range all {
		if marked[i] == l.text {
			continue
		}
		out.Write(doc[end:l.start])
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(marked[i]); err != nil {
			panic(err) // a string can be written
		}
		out.Truncate(out.Len() - 1) // the end of the line
		end = l.end
	}
	out.Write(doc[end:])
	return out.Bytes()
}

// discreetLines is a file of JSON, a document a line or one in all, or of anything else.
func discreetLines(clean func(string) string, data []byte) []byte {
	if json.Valid(data) {
		return discreet(clean, data)
	}
	var out bytes.Buffer
	for line := range bytes.Lines(data) {
		out.Write(discreet(clean, line))
	}
	return out.Bytes()
}

var mark = regexp.MustCompile(`\[REDACTED:[^\]\s]*:([0-9a-f]{8})\]`)

// putBack has what marks stand for in their place in a patch. A mark that stands for nothing in its file is an error: it would take the place of a secret, or of something else that was not seen.
func putBack(sent secret.Outbound, at fix.Place, p edit.Patch) (edit.Patch, error) {
	base := fix.Source(at)
	files, err := p.Apply(base)
	if err != nil {
		return nil, err
	}
	var out edit.Patch
	for _, c := range p {
		after := files[c.Path]
		if !mark.Match(after.Data) {
			out = append(out, c)
			continue
		}
		before, err := base(c.Path)
		if err != nil {
			return nil, err
		}
		if after.Data, err = unmarked(sent, c.Path, before.Data, after.Data); err != nil {
			return nil, err
		}
		if c, changed := edit.Compare(c.Path, before, after); changed {
			out = append(out, c)
		}
	}
	return out, nil
}

// unmarked is a file's new content with what marks stand for in the old one.
func unmarked(sent secret.Outbound, path string, before, after []byte) (out []byte, failed error) {
	hidden := map[string][]byte{}
	for _, f := range sent.Find(before) {
		if m := mark.FindStringSubmatch(sent.Mark(before, f)); m != nil {
			hidden[m[1]] = before[f.Start:f.End]
		}
	}
	out = mark.ReplaceAllFunc(after, func(found []byte) []byte {
		if was, known := hidden[string(mark.FindSubmatch(found)[1])]; known && !bytes.Contains(before, found) {
			return was
		} else if !known && !bytes.Contains(before, found) {
			failed = fmt.Errorf("it has written %s into %s, where that stands for nothing", found, path)
		}
		return found
	})
	return out, failed
}
