package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Signatures that are compared letter by letter: by the time that it takes, whoever asks learns how much of one is right.

// signatures matches what functions give that sign with a key.
var signatures = pattern.New(`^(hmac\.(new|HMAC)\(\)\.(hexdigest|digest)|hmac\.digest|crypto\.createHmac\(\)(\.update\(\))*\.digest|crypto/hmac\.New\(\)\.Sum|Mac\.getInstance\(\)\.doFinal|HmacUtils(\(\))?\.hmac\w*|` +
	`(crypto-js|CryptoJS)[./]\w*Hmac\w+|(crypto-js/)?hmac-sha\w+)(\(\))?(\.(toString|encode|decode|hex|slice|substring|lower|toLowerCase)\(\))?$`)

// spells matches functions that write bytes in letters, or letters in others, and are no secret.
var spells = pattern.New(`(?i)hex|base64|b64|^(str|bytes|String|string|Buffer\.from|fmt\.Sprintf|fmt\.Sprint|String\.valueOf|String\.format|Arrays\.copyOf)$`)

// spelledOut are what a call spells otherwise: its arguments, or what its method is called on.
func spelledOut(n *program.Node, path string) []*program.Node {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	if spells.MatchString(path) || callee.Is(program.Attr) && spells.MatchString(callee.Name) {
		return args
	}
	switch n.Calls() {
	case "toString", "encode", "decode", "getBytes", "strip", "lower", "upper", "toLowerCase", "toUpperCase", "hex":
		return callee.All(program.Object)
	case "format", "concat", "formatted":
		return append(args, callee.Kid(program.Object))
	}
	return nil
}

// signed reports a signature that was just made with a key.
func (s *scan) signed(n *program.Node) bool {
	if n == nil || n.Is(program.Str, program.Null) && len(n.Kids) == 0 {
		return false
	}
	return s.hunts(n, func(at *program.Node) bool {
		if at.Role == program.Call && at.Calls() == "doFinal" && s.typeOf(at.Kid(program.Callee).Kid(program.Object)) == "Mac" {
			return true
		}
		return at.Is(program.Call, program.Name, program.Attr) && signatures.MatchString(s.eval(at, 0).path)
	}, spelledOut)
}

// equalities are functions that compare texts as they are, by their paths; the methods by their names.
var (
	equalities      = set("bytes.Equal bytes.Compare strings.Compare strings.EqualFold slices.Equal reflect.DeepEqual Arrays.equals Objects.equals StringUtils.equals Buffer.compare operator.eq lodash.isEqual")
	equalityMethods = set("equals equalsIgnoreCase contentEquals localeCompare __eq__")
)

// sides are the two values that a node compares; nil where it compares none.
func (s *scan) sides(n *program.Node) (l, r *program.Node) {
	switch n.Role {
	case program.Compare:
		if strings.HasPrefix(n.Op, "==") || strings.HasPrefix(n.Op, "!=") {
			return n.Kid(program.Left), n.Kid(program.Right)
		}
	case program.Call:
		callee, args := n.Kid(program.Callee), n.All(program.Arg)
		switch {
		case len(args) == 2 && callee.Is(program.Attr) && equalities[s.eval(callee, 0).path]:
			return args[0], args[1]
		case len(args) == 1 && callee.Is(program.Attr) && equalityMethods[callee.Name]:
			return callee.Kid(program.Object), args[0]
		}
	default: // compares nothing
	}
	return nil, nil
}

// timed judges a signature that is compared with what somebody sends.
func (s *scan) timed(n *program.Node) *hit {
	l, r := s.sides(n)
	if l == nil || r == nil || literal(l) || literal(r) || s.tries(n) || asserted(n) {
		return nil
	}
	if s.signed(l) != s.signed(r) {
		return &hit{Weakening, Review, "a signature is compared in a time that tells"}
	}
	return nil
}

// literal reports a value that is written where it stands.
func literal(n *program.Node) bool {
	return n.Is(program.Str, program.Char, program.Int, program.Null, program.Bool) && len(n.Kids) == 0
}

// asserted reports what a test demands.
func asserted(n *program.Node) bool {
	return strings.HasPrefix(n.Statement().Text(), "assert")
}
