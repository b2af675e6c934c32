package parse

import (
	"encoding/xml"
	"io"
	"strings"

	"fettle/internal/diag"
)

// parseCheckstyle reads the XML of Checkstyle, which eslint, ktlint, phpcs and others write as well: a file element with
// an error element for each finding.
func parseCheckstyle(r io.Reader, o Options) (Report, error) {
	c := newCollector(o, "checkstyle")
	source := newXMLFilter(r)
	dec := newXMLDecoder(source)
	file := ""
	for {
		token, err := dec.RawToken()
		if err != nil {
			break // the end, or a report that was cut off: what came before counts
		}
		t, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attr := map[string]string{}
		for _, a := range t.Attr {
			attr[a.Name.Local] = a.Value
		}
		switch t.Name.Local {
		case "file":
			file = c.places.file(attr["name"])
		case "error":
			c.checkstyle(file, attr)
		}
	}
	return c.report, source.failed()
}

func (c *collector) checkstyle(file string, attr map[string]string) {
	if attr["severity"] == "ignore" || attr["message"] == "" && attr["source"] == "" {
		return
	}
	d := diag.Diagnostic{File: file, Range: at(number(attr["line"]), number(attr["column"])), Message: attr["message"],
		Severity: severity(attr["severity"])}
	d.Tool, d.Rule = checkstyleRule(attr["source"])
	if strings.HasSuffix(attr["source"], ".checkstyle.Checker") || strings.HasSuffix(attr["source"], ".TreeWalker") {
		d.Masks = diag.MasksFile // it could not parse the file
	}
	c.add(d)
}

// checkstyleRule is the tool and its rule by the source of a finding: a class of Checkstyle's, or a rule with the tool
// before it.
func checkstyleRule(source string) (tool, rule string) {
	if rule, ok := strings.CutPrefix(source, "eslint.rules."); ok {
		return "eslint", rule
	}
	if strings.HasPrefix(source, "com.puppycrawl.") || strings.HasSuffix(source, "Check") {
		_, class, _ := cutLast(source, ".")
		return "checkstyle", strings.TrimSuffix(class, "Check")
	}
	return "", source
}
