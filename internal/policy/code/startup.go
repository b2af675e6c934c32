package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Files that Python carries out whenever it is started, whatever for.

var (
	// startUp matches expressions of paths of lists of folders, in which lines that begin with import are carried out; customized those of modules for it.
	startUp    = pattern.New(`(?m)\.pth['"]\)*$`)
	customized = pattern.New(`(?m)['"/](site|user)customize\.py['"]\)*$`)
	// imports matches such lines.
	imports = pattern.New(`(?m)^\s*import[ \t]`)
)

// startsWith judges a text that is written to a file, where it would be carried out at every start of Python; text is nil where it is written later.
func (c *call) startsWith(path, text *program.Node) *hit {
	if path == nil {
		return nil
	}
	spelled := c.s.unfolded(path)
	switch {
	case customized.MatchString(spelled):
		return c.hit(Interference, Danger)
	case !startUp.MatchString(spelled):
		return nil
	case text == nil:
		return c.hit(Interference, Danger)
	}
	if v := c.s.eval(text, 0); v.known() && !imports.MatchString(v.text) {
		return nil // folders alone
	}
	return c.hit(Interference, Danger)
}

// writesText judges a text that replaces a file.
func writesText(c *call) *hit {
	if h := c.startsWith(c.n.Kid(program.Callee).Kid(program.Object), c.node(0)); h != nil {
		return h
	}
	return c.write(c.object())
}

// opensToWrite judges a file of text that is opened to be written.
func (c *call) opensToWrite(path *program.Node, mode string) *hit {
	if strings.Contains(mode, "b") || !strings.ContainsAny(mode, "wax") {
		return nil
	}
	return c.startsWith(path, nil)
}
