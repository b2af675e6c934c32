package same

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/pattern"
)

// sameGo compares two Go files after gofmt: their tokens in order, their imports as sets, their directives where they
// stand, and the letters of their other comments.
func sameGo(before, after []byte) bool {
	a, ok := goForm(before)
	if !ok {
		return false
	}
	b, ok := goForm(after)
	return ok && a.equal(b)
}

// form is a file reduced to what a formatter must keep.
type form struct {
	tokens   []string // code, with directives in their place
	imports  []string // sorted
	comments []string // the text of comments that are no directives, folded
}

func (f form) equal(o form) bool {
	return slices.Equal(f.tokens, o.tokens) && slices.Equal(f.imports, o.imports) && slices.Equal(f.comments, o.comments)
}

func goForm(src []byte) (form, bool) {
	src, err := format.Source(src)
	if err != nil {
		return form{}, false
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return form{}, false
	}
	var f form
	var spans [][2]int
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		spans = append(spans, [2]int{set.Position(g.Pos()).Offset, set.Position(g.End()).Offset})
		for _, s := range g.Specs {
			f.imports = append(f.imports, goImport(s.(*ast.ImportSpec)))
		}
		if slices.Contains(f.imports, ` "C"`) {
			return form{}, false // the comment before it is C
		}
	}
	slices.Sort(f.imports)
	f.scan(src, spans)
	return f, true
}

// goImport is an import as text.
func goImport(s *ast.ImportSpec) string {
	name := ""
	if s.Name != nil {
		name = s.Name.Name
	}
	return name + " " + s.Path.Value
}

// scan fills in tokens and comments of gofmt's output, without what lies in the spans of import declarations. Semicolons
// and commas that only a line break asks for are left out.
func (f *form) scan(src []byte, spans [][2]int) {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, scanner.ScanComments)
	var inImports []string
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		at := file.Offset(pos)
		imports := slices.ContainsFunc(spans, func(sp [2]int) bool { return at >= sp[0] && at < sp[1] })
		switch {
		case tok == token.COMMENT && goDirective.MatchString(lit):
			f.tokens = append(f.tokens, "//"+lit)
		case tok == token.COMMENT && imports:
			inImports = append(inImports, foldGoComment(lit))
		case tok == token.COMMENT:
			f.comments = append(f.comments, foldGoComment(lit))
		case !imports:
			f.add(tok, lit)
		}
	}
	slices.Sort(inImports)
	// Formatters insert empty comment lines: the letters in their order are what stays.
	f.comments = []string{strings.Join(f.comments, ""), strings.Join(inImports, "")}
}

func (f *form) add(tok token.Token, lit string) {
	switch {
	case tok == token.SEMICOLON:
		lit = ";"
		if n := len(f.tokens); n == 0 || f.tokens[n-1] == ";" {
			return
		}
	case tok == token.RPAREN, tok == token.RBRACE, tok == token.RBRACK:
		lit = tok.String()
		for n := len(f.tokens); n > 0 && (f.tokens[n-1] == ";" || f.tokens[n-1] == ","); n-- {
			f.tokens = f.tokens[:n-1]
		}
	case tok == token.STRING && strings.HasPrefix(lit, "`"):
		lit = strings.ReplaceAll(lit, "\r", "")
	case tok == token.CHAR || tok == token.STRING:
		if v, err := strconv.Unquote(lit); err == nil {
			lit = tok.String() + strconv.Quote(v)
		}
	case lit == "":
		lit = tok.String()
	}
	f.tokens = append(f.tokens, lit)
}

// goDirective matches comments that tools obey, as go/ast.isDirective and golangci-lint read them.
var goDirective = pattern.New(`^//(line |extern |export |nolint|[a-z0-9]+:[a-z0-9])|^// ?(#nosec|\+build|nolint|nosec|lint:)|(?i)^// *(unordered )?output:`)

// foldGoComment keeps a comment's letters: gofmt re-indents doc comments and gives lists another bullet.
func foldGoComment(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(s, "/*"), "//"), "*/")
	var b strings.Builder
	for _, line := range strings.Split(s, "\n") {
		line = strings.TrimLeft(strings.TrimSpace(line), "*-+•")
		b.WriteString(strings.Join(strings.Fields(line), ""))
	}
	return b.String()
}
