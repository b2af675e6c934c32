package parse

import (
	"path"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

// pytestBlock is what pytest tells of one failure: its title and the text below it.
type pytestBlock struct {
	kept
	part     pytestPart
	title    string // as the test is called inside its file: "TestClass.test_name[param]", or the file that was collected
	when     string // "setup" or "teardown", for an error of a fixture
	collects bool   // an error of collection
	quiet    bool   // captured output follows: nothing in it is a frame or a message
	used     bool   // the short summary lists it
	frames   []diag.Frame
	said     []string // the lines marked E
}

var (
	pytestErrorAt = pattern.New(`^ERROR (at (setup|teardown) of|collecting) (.+)$`)
	pytestRule    = pattern.New(`^(_ ){10,}_?$`)
	pytestCapture = pattern.New(`^-+ Captured .+ -+$`)
	pytestOneLine = pattern.New(`^(\S(?:[^:]|:\\)*?):(\d+): (.+)$`)
	pytestRaised  = pattern.New(`^E {3}(.*)$`)
)

// inBlock is a line of ERRORS or FAILURES.
func (p *pytest) inBlock(line string) {
	if m := pytestTitle.FindStringSubmatch(line); m != nil && !pytestRule.MatchString(line) {
		p.newBlock(m[1])
		return
	}
	if p.block != nil {
		p.frame(p.block, line)
		return
	}
	if m := pytestOneLine.FindStringSubmatch(line); m != nil { // --tb=line
		p.newBlock("")
		p.block.said = []string{m[3]}
		p.block.add(line)
		if f := p.places.own(m[1]); f != "" {
			p.block.frames = []diag.Frame{{File: f, Line: number(m[2])}}
		}
		p.block = nil
	}
}

func (p *pytest) newBlock(title string) {
	p.block = &pytestBlock{part: p.part, title: title}
	if m := pytestErrorAt.FindStringSubmatch(title); m != nil && p.part == pytestErrors {
		p.block.title, p.block.when, p.block.collects = m[3], m[2], m[1] == "collecting"
	}
	if len(p.blocks) < maxFindings {
		p.blocks = append(p.blocks, p.block)
	}
}

// frame reads one line of a traceback, in whatever style.
func (p *pytest) frame(b *pytestBlock, line string) {
	b.add(line)
	if pytestCapture.MatchString(line) {
		b.quiet = true
	}
	if b.quiet {
		return
	}
	if m := pytestRaised.FindStringSubmatch(line); m != nil && len(b.said) < 40 {
		b.said = append(b.said, m[1])
	}
	if fs := p.pyFrames([]string{line}); len(fs) > 0 && len(b.frames) < 2*maxFrames {
		b.frames = append(b.frames, fs[0])
	}
}

// explain makes a finding of a block: the last frame of the repository is where it happened.
func (p *pytest) explain(b *pytestBlock) diag.Diagnostic {
	text := b.lines()
	d := diag.Diagnostic{Detail: b.String()}
	for i := len(b.frames) - 1; i >= 0; i-- {
		d.Frames = append(d.Frames, b.frames[i])
	}
	if b.frames == nil {
		d.Frames = p.pyFrames(text)
	}
	p.locate(&d)
	if b.said == nil {
		b.said = pytestRaisedLines(b.String())
	}
	d.Message = pytestMessage(b.said)
	if d.Message == "" && len(text) > 0 {
		d.Message = raised(text)
	}
	return d
}

// pytestMessage is the first line that was raised. Of several exceptions, each the cause of the next, the last counts; a
// syntax error stands below the place it names.
func pytestMessage(said []string) string {
	message := ""
	for i, line := range said {
		if strings.HasPrefix(strings.TrimSpace(line), "File \"") {
			message = ""
			continue
		}
		raises := pyRaised.MatchString(line) || strings.HasPrefix(line, "assert ") || strings.HasPrefix(line, "Failed: ")
		if message == "" && strings.TrimSpace(line) != "" && (raises || i == 0) {
			message = strings.TrimSpace(line)
		}
	}
	return message
}

// blockOf finds the block that a line of the short summary is about. Tests of one name in several files are told apart by
// the files that their frames name, else by their order.
func (p *pytest) blockOf(l pytestListed) *pytestBlock {
	file, rest, isTest := strings.Cut(l.id, "::")
	title := strings.ReplaceAll(rest, "::", ".")
	if open := strings.IndexByte(rest, '['); open >= 0 {
		title = strings.ReplaceAll(rest[:open], "::", ".") + rest[open:]
	}
	if l.sub != "" {
		title += " " + l.sub
	}
	part := pytestFailures
	if l.error {
		part = pytestErrors
	}
	var first *pytestBlock
	for _, b := range p.blocks {
		if b.used || b.part != part {
			continue
		}
		switch {
		case !isTest && b.title == l.id, isTest && b.title == title && b.names(p.places.file(file)):
			return b
		case first == nil && (b.title == "" || isTest && b.title == title):
			first = b
		}
	}
	return first
}

func (b *pytestBlock) names(file string) bool {
	for _, f := range b.frames {
		if f.File == file {
			return true
		}
	}
	return false
}

// unlisted is a block's line in the short summary, where pytest printed none.
func (b *pytestBlock) unlisted(p *pytest) pytestListed {
	l := pytestListed{error: b.part == pytestErrors, id: b.title}
	if b.collects || b.title == "" {
		return l
	}
	file := ""
	for _, f := range b.frames {
		base := path.Base(f.File)
		if file == "" || strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py") {
			file = f.File
		}
		if file == f.File && file != "" && (strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py")) {
			break
		}
	}
	name, sub := subtest(b.title)
	params := ""
	if open := strings.IndexByte(name, '['); open >= 0 {
		name, params = name[:open], name[open:]
	}
	l.sub = sub
	l.id = p.fromDir(file) + "::" + strings.ReplaceAll(name, ".", "::") + params
	return l
}

// fromDir is a path from the root as one from the folder in which the tool ran.
func (c *collector) fromDir(file string) string {
	if dir := c.places.dir; dir != "" && dir != "." {
		if rest, ok := strings.CutPrefix(file, dir+"/"); ok {
			return rest
		}
	}
	return file
}
