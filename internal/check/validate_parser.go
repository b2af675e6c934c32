package check

import (
	"slices"
	"strings"

	"fettle/internal/check/parse"
)

// parser checks that the check's parser can read what the check writes.
func (d *decoder) parser(name string, e checkEntry) {
	here := func(key string) *nodeAt { return &nodeAt{d, []string{"checks", name, key}} }
	parser := string(e.Parser.Name)
	format, known := parse.Lookup(parser)
	if parser != "" && !known { // what goes with it cannot be judged
		here("parser").problem("there is no parser %q%s", parser, didYouMean(parser, append(parse.Names(), unread)))
		return
	}
	d.pattern(name, "parser", parser, e.Pattern)
	if wants := known && format.Stream == parse.File && len(e.Reports) == 0; len(e.Run) > 0 && wants != namesReport(e.Run) {
		if wants {
			here("run").problem("the parser %q reads a report file, but the command does not name it: write {report} where its path belongs, or name the files in reports", parser)
		} else {
			here("run").problem("the command writes a {report}, but no parser reads it: use the parser junit, pytest-junit or sarif")
		}
	}
	if len(e.Reports) > 0 && (!known || format.Stream != parse.File && format.Reports == "") {
		here("reports").problem("only a parser of report files reads reports: junit, sarif and their like")
	}
}

// reader checks that the program which is the check's parser gets what the check writes, and that its own output can be read.
func (d *decoder) reader(name string, e checkEntry) {
	here := func(keys ...string) *nodeAt { return &nodeAt{d, append([]string{"checks", name}, keys...)} }
	r := e.Parser.Reader
	if len(r.Run) == 0 {
		d.missing("run", "checks", name, "parser")
	}
	if len(r.Run) > 0 && len(e.Run) > 0 && namesReport(r.Run) != namesReport(e.Run) {
		if namesReport(e.Run) {
			here("run").problem("the command writes a {report}, but its parser's command does not name it: write {report} where its path belongs")
		} else {
			here("parser", "run").problem("the parser's command reads a {report}, but the check's command does not write one: write {report} where its path belongs")
		}
	}
	if len(e.Reports) > 0 {
		here("reports").problem("a parser that is a program is given no reports: have it look for the files by itself")
	}
	if _, known := parse.Lookup(r.Format); !known {
		here("parser", "format").problem("there is no format %q%s", r.Format, didYouMean(r.Format, parse.Names()))
		return
	}
	d.pattern(name, "format", r.Format, e.Pattern)
}

// pattern checks that there is one where the format asks for it, that it is right, and that there is none elsewhere.
func (d *decoder) pattern(name, key, format string, pattern []string) {
	here := &nodeAt{d, []string{"checks", name, "pattern"}}
	if (format == "errorformat") != (len(pattern) > 0) {
		here.problem("pattern and the %s errorformat need each other", key)
	}
	if format == "errorformat" && len(pattern) > 0 {
		if err := parse.CheckPattern(pattern); err != nil {
			here.problem("%v", err)
		}
	}
}

func namesReport(argv []string) bool {
	return slices.ContainsFunc(argv, func(a string) bool { return strings.Contains(a, reportMark) })
}
