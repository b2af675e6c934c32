package message_test

import (
	"fmt"
	"strings"
	"testing"

	"fettle/internal/message"

	"pgregory.net/rapid"
)

func TestSizeOf(t *testing.T) {
	for _, tt := range []struct {
		files, lines int
		want         message.Size
	}{
		{1, 1, message.Small}, {3, 49, message.Small}, {4, 10, message.Medium}, {1, 50, message.Medium}, {10, 200, message.Medium}, {11, 5, message.Large}, {2, 201, message.Large},
	} {
		if got := message.SizeOf(tt.files, tt.lines); got != tt.want {
			t.Errorf("%d files, %d lines: %s, want %s", tt.files, tt.lines, got, tt.want)
		}
	}
}

func TestCheck(t *testing.T) {
	points := "\n\n- one\n- two\n- three\n"
	for _, tt := range []struct {
		text string
		size message.Size
		want string // in the error; empty: it is taken
	}{
		{"refuse a price below zero", message.Small, ""},
		{"README names the port", message.Small, ""},
		{"parse: refuse what is cut off", message.Small, ""},
		{"Refuse a price below zero", message.Small, "small letter"},
		{"parse: refuse what is cut off", message.Medium, ""},
		{"feat(parse): refuse what is cut off", message.Medium, ""},
		{"parse: refuse what is cut off\n\nIt was read as whole before.", message.Medium, ""},
		{"refuse what is cut off", message.Medium, "scope: what it does"},
		{"a new parser" + points, message.Large, ""},
		{"a new parser", message.Large, "three to six points"},
		{"a new parser\n\n- one\n- two\n- 3\n- 4\n- 5\n- 6\n- 7", message.Large, "it has 7"},
		{"", message.Small, "empty"},
		{" \n ", message.Small, "empty"},
		{"various fixes", message.Small, "in the place of"},
		{"minor improvements", message.Small, "in the place of"},
		{"update", message.Small, "in the place of"},
		{"update the parser for empty input", message.Small, ""},
		{"tell of changes in the tree", message.Small, ""},
		{"fix misc things", message.Small, "in the place of"},
		{"mend the parser ✨", message.Small, "emoji"},
		{"mend the parser\n\nCo-Authored-By: A <a@b.c>", message.Small, "credits"},
		{"mend the parser\n\nGenerated with a tool", message.Small, "credits"},
		{"mend the parser\nat once", message.Small, "second line"},
		{"mend the parser\x1b[2J", message.Small, "control"},
		{"mend " + strings.Repeat("x", 100), message.Small, "105 characters"},
		{"!!!", message.Small, "says nothing"},
	} {
		err := message.Check(tt.text, tt.size)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%q for %s: %v, want %q", tt.text, tt.size, err, tt.want)
		}
	}
}

func TestOf(t *testing.T) {
	add, edit, remove := "add", "edit", "remove"
	var many []message.Change
	for i := range 12 {
		many = append(many, message.Change{Path: fmt.Sprintf("internal/p%d/f.go", i), Verb: edit})
	}
	for _, tt := range []struct {
		name string
		all  []message.Change
		size message.Size
		want string
	}{
		{"small", []message.Change{{"a/x.go", edit}, {"y.go", add}, {"z.go", remove}}, message.Small, "add y.go, edit a/x.go, remove z.go"},
		{"medium", []message.Change{{"in/a/x.go", edit}, {"in/a/y.go", edit}, {"in/b/z.go", add}, {"in/b/u.go", edit}, {"in/v.go", edit}}, message.Medium, "in: add b/z.go, edit a/x.go, a/y.go, b/u.go and 1 more"},
		{"medium, everywhere", []message.Change{{"a/x.go", edit}, {"b/y.go", edit}}, message.Medium, "all: edit a/x.go, b/y.go"},
		{"large", many, message.Large, "internal: edit 12 files\n\n- p0: edit f.go\n- p1: edit f.go\n- p2: edit f.go\n- p3: edit f.go\n- p4: edit f.go\n- elsewhere: edit p5/f.go, p6/f.go, p7/f.go, p8/f.go and 3 more\n"},
		{"large, one file", []message.Change{{"a.go", edit}}, message.Large, "all: edit 1 file\n\n- top: edit a.go\n- edit 1 file\n- in all edit 1 file\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := message.Of(tt.all, tt.size); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

// TestOfIsTaken: what is written without anybody's words passes the check that those must pass.
func TestOfIsTaken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []message.Change
		for range rapid.IntRange(1, 30).Draw(t, "files") {
			all = append(all, message.Change{Path: rapid.StringMatching(`([a-c]/){0,3}[a-zA-Z]{1,40}\.go`).Draw(t, "path"), Verb: rapid.SampledFrom([]string{"add", "edit", "remove"}).Draw(t, "verb")})
		}
		size := message.SizeOf(len(all), rapid.IntRange(1, 400).Draw(t, "lines"))
		if err := message.Check(message.Of(all, size), size); err != nil {
			t.Fatalf("%s: %v\n%s", size, err, message.Of(all, size))
		}
	})
}
