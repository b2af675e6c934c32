// Command unlined writes Go's source files once more, with each declaration on the line where it begins and on no other, and prints
// the overlay (go help build) by which they are compiled instead. What a program knows of the lines of its code, for traces, is
// 180 KB of the hook; compiled so, a trace says where each function begins.
//
//	go list -deps -json=Dir,GoFiles,Module PACKAGE | go run ./scripts/unlined FOLDER >overlay.json
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("unlined: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: go list -deps -json=Dir,GoFiles,Module PACKAGE | unlined FOLDER")
	}
	if err := overlay(os.Stdin, os.Args[1], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// listed is what is asked of a package.
type listed struct {
	Dir     string
	GoFiles []string
	Module  *struct {
		Main    bool
		Replace *struct{ Version string }
	}
}

// local reports a package whose files an overlay may replace: those of the module cache it may not.
func (p *listed) local() bool {
	return p.Module == nil || p.Module.Main || p.Module.Replace != nil && p.Module.Replace.Version == ""
}

// overlay writes the packages' files into the folder, and says which stands for which.
func overlay(packages io.Reader, folder string, out io.Writer) error {
	replace := map[string]string{}
	for d := json.NewDecoder(packages); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("the list of packages: %w", err)
		}
		if !p.local() {
			continue
		}
		for _, name := range p.GoFiles {
			from := filepath.Join(p.Dir, name)
			src, err := os.ReadFile(from)
			if err != nil {
				return err
			}
			text, err := unlined(src)
			if err != nil {
				return fmt.Errorf("%s: %w", from, err)
			}
			to := filepath.Join(folder, strconv.Itoa(len(replace))+".go")
			if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
				return err
			}
			replace[from] = to
		}
	}
	return json.NewEncoder(out).Encode(map[string]any{"Replace": replace})
}

// deeper is how much further within brackets what follows a token is.
var deeper = map[token.Token]int{token.LPAREN: 1, token.LBRACK: 1, token.LBRACE: 1, token.RPAREN: -1, token.RBRACK: -1, token.RBRACE: -1}

// unlined is a file's text with each declaration on the line where it begins. Comments are left out, but for the compiler's
// directives, each of which needs a line of its own.
func unlined(src []byte) (string, error) {
	var (
		b     strings.Builder
		s     scanner.Scanner
		errs  scanner.ErrorList
		line  = 1
		depth int
		begun bool // a declaration has, on this line
	)
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, errs.Add, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return b.String(), errs.Err()
		case tok == token.COMMENT && !strings.HasPrefix(text, "//go:"):
			continue
		case tok == token.COMMENT && begun:
			text = "\n" + text + "\n"
		case tok == token.COMMENT:
			text += "\n"
		case tok == token.SEMICOLON || text == "": // the scanner has put it in where a line ends, or it is an operator
			text = tok.String()
		}
		if at := file.Line(pos); !begun && at > line {
			b.WriteString(strings.Repeat("\n", at-line))
			line = at
		}
		b.WriteString(text)
		b.WriteByte(' ')
		line += strings.Count(text, "\n")
		depth += deeper[tok]
		begun = depth > 0 || tok != token.SEMICOLON && tok != token.COMMENT
	}
}
