// Package quote answers "how is text that is not ours put to a model?": as data, between boundaries that the text cannot forge.
//
// The boundary has fourteen random letters, 65 bits, drawn for each call, and once more if they should stand in the text: a text that was there before they were drawn cannot hold them.
// Letters cost a model half as many tokens as the same bits in digits. Names and whatever else is said of a text are JSON, in which no angle bracket is left. The text itself stays as it is, byte for byte: nothing is filtered, escaped or rewritten, because it may be code that has to come back. Characters that people do not see, or that
// make them see something else, are named beside it.
//
// That keeps a text from passing for something else. It does not keep a model from believing it: what limits that is what the model's answer is able to do.
package quote

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Text is one text that is not ours.
type Text struct {
	Kind string         // what it is, in a word of ours: "source", "finding"
	Meta map[string]any // what is said of it: "path", "lines"
	Body string
}

// Sheet is texts between the boundaries of one call.
type Sheet struct {
	Nonce string // letters
	Text  string
}

// letters is how many a boundary has.
const letters = 14

// Put puts texts between fresh boundaries. An error is one of the random source, or of metadata that is none of JSON's.
func Put(texts []Text) (Sheet, error) { return PutWith(rand.Reader, texts) }

// PutWith is [Put] with another source of random bytes.
func PutWith(random io.Reader, texts []Text) (Sheet, error) {
	metas := make([]string, len(texts))
	for i, t := range texts {
		var err error
		if metas[i], err = meta(t); err != nil {
			return Sheet{}, err
		}
	}
draw:
	for {
		var drawn [letters]byte
		if _, err := io.ReadFull(random, drawn[:]); err != nil {
			return Sheet{}, fmt.Errorf("draw a boundary: %w", err)
		}
		for i, b := range drawn {
			drawn[i] = 'a' + b%26 // some are a little likelier than others: 4.68 bits each, and not 4.70
		}
		nonce := string(drawn[:])
		for i, t := range texts {
			if strings.Contains(strings.ToLower(t.Body), nonce) || strings.Contains(metas[i], nonce) {
				continue draw
			}
		}
		var b strings.Builder
		for i, t := range texts {
			fmt.Fprintf(&b, "<data-%s %s>\n%s\n</data-%s>\n", nonce, metas[i], t.Body, nonce)
		}
		return Sheet{Nonce: nonce, Text: b.String()}, nil
	}
}

// meta is what is said of a text, on one line.
func meta(t Text) (string, error) {
	all := map[string]any{"kind": t.Kind}
	for k, v := range t.Meta {
		all[k] = v
	}
	if odd := Odd(t.Body); len(odd) > 0 {
		all["unseen"] = odd
	}
	b, err := json.Marshal(all) // which escapes < > &
	if err != nil {
		return "", fmt.Errorf("what is said of a %s: %w", t.Kind, err)
	}
	return string(b), nil
}

// Unseen is a character that people do not see, or that makes them see something else.
type Unseen struct {
	Line int    `json:"line"` // of the text, from 1
	Char string `json:"char"` // "U+202E"
}

// mostUnseen bounds how many are named.
const mostUnseen = 20

// Odd lists the characters of a text that people do not see: those that turn the direction of writing, those without width, tags, and what a terminal obeys. The mark at the very beginning
// of a file that says how it is encoded is none.
func Odd(text string) []Unseen {
	var out []Unseen
	line := 1
	for i, r := range text {
		switch {
		case r == '\n':
			line++
			continue
		case r == '\t', r == '\r', r == '\ufeff' && i == 0:
			continue
		case !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) && !variation(r):
			continue
		}
		if out = append(out, Unseen{Line: line, Char: fmt.Sprintf("U+%04X", r)}); len(out) == mostUnseen {
			break
		}
	}
	return out
}

func variation(r rune) bool {
	return 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF || r == 0x3164 || r == 0x115F || r == 0x1160 || r == 0xFFA0
}
