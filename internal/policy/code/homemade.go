package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// pickles judges settings by which a queue or a session makes objects out of bytes: what=, {"what": …}, app.conf.what = ….
func pickles(name string, v *program.Node) *hit {
	if serializers.MatchString(name) && pickled.MatchString(v.Text()) {
		return &hit{Deserialization, Danger, name}
	}
	return nil
}

var (
	serializers = pattern.New(`(?i)(^|_)(serializer|accept_content)$`)
	pickled     = pattern.New(`(?i)['"]([\w.]*pickle(serializer)?|application/x-python-serialize)['"]`)
)

// Ciphers of one's own: they keep nothing secret.
var (
	ciphers   = pattern.New(`(?i)(en|de)(crypt|cipher)|obfuscat|\bseal|(^|[._])x?or(_?(bytes|cipher|key|text|data))`)
	encrypted = pattern.New(`(?i)passw(or)?d|secret|token|credential|api_?key|cookie|session`)
)

// homemade judges a function that encrypts secrets and does it by turning bits over.
func (s *scan) homemade(f *program.Node) *hit {
	name := function(f)
	if !ciphers.MatchString(name) || !encrypted.MatchString(name) {
		return nil
	}
	if s.turnsBits(f, make(map[*program.Node]bool)) {
		return &hit{Weakening, Review, "a cipher of one's own"}
	}
	return nil
}

// compares matches functions that compare without telling by their time where two texts differ.
var compares = pattern.New(`(?i)equal|compare|verif|same`)

// turnsBits reports a function that, by itself or by others of the file, combines values by exclusive or.
func (s *scan) turnsBits(f *program.Node, seen map[*program.Node]bool) bool {
	if seen[f] || len(seen) > 8 || compares.MatchString(called(f)) {
		return false
	}
	seen[f] = true
	for n := range f.Walk() {
		if n.Role == program.Arith && n.Op == "^" || n.Role == program.Assign && n.Op == "^=" {
			return true
		}
		if g := s.carriedOut(n); g != nil && s.turnsBits(g, seen) {
			return true
		}
	}
	return false
}

// blocks judges a cipher that is called block by block: the same text always gives the same.
func blocks(c *call) *hit {
	made := c.s.unfolded(c.n.Kid(program.Callee).Kid(program.Object))
	return given(strings.Contains(made, "aes.NewCipher(") && c.n.Up(program.For, program.While, program.Each) != nil, Weakening, "aes, block by block")
}

// secretFiles matches names of files in a home folder that hold keys; each is a literal of its own.
var secretFiles = pattern.New("^['\"`]~?/?(\\.npmrc|\\.netrc|\\.pypirc|\\.git-credentials|\\.docker/config\\.json|\\.aws/credentials|\\.config/(gh/hosts\\.yml|gcloud/[\\w.]+)|\\.ssh/id_\\w+|\\.kube/config)['\"`]$")

// homeFolder matches ways to the user's home folder.
var homeFolder = pattern.New(`homedir\(|Path\.home\(|expanduser|UserHomeDir|user\.home|\bHOME\b|USERPROFILE`)

// collects joins what is harmless alone: keys of the home folder are named in a file that talks to another machine.
func (s *scan) collects() {
	network := slices.ContainsFunc(s.found, func(c Capability) bool { return c.Class == Network })
	if !network || !homeFolder.MatchString(s.file.Source) {
		return
	}
	var first *program.Node
	grade := Review // a tool's own
	for n := range s.file.Root.Walk() {
		if n.Role != program.Str || !secretFiles.MatchString(n.Text()) {
			continue
		}
		if first != nil && first.Text() != n.Text() {
			grade = Danger // of several
		} else {
			first = n
		}
	}
	if first != nil {
		s.add(first, &hit{Secrets, grade, "keys of the home folder"})
	}
}

// claims matches headers by which whoever asks says himself who he is.
var claims = pattern.New(`(?i)header.*['"]x-[\w-]*(debug|admin|role|user|internal|bypass|auth|super|staff|trust)[\w-]*['"]`)

// guards matches functions, and classes, that decide who may do something.
var guards = pattern.New(`(?i)guard|is_?admin|allow|authori[sz]|permi(t|ssion)|can_?(activate|access|edit|delete|view)|require_?(admin|role|user|auth|login)|has_?(role|permission|access)`)

// claimed judges a guard that believes a header whatever it says of who asks.
func (s *scan) claimed(n *program.Node) *hit {
	if n.Op != "==" && n.Op != "===" && n.Op != "!=" && n.Op != "!==" || !guards.MatchString(function(n)) {
		return nil
	}
	l, r := n.Kid(program.Left), n.Kid(program.Right)
	for _, side := range [][2]*program.Node{{l, r}, {r, l}} {
		if claims.MatchString(side[0].Text()) && side[1].Is(program.Str) {
			return &hit{Weakening, Review, "a header says who asks"}
		}
	}
	return nil
}
