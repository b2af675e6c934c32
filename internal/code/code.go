// Package code answers "what does each part of this source do?" in one way for several languages.
//
// [syntax] says how a source is built, in the words of its language's grammar: a boolean_operator here, a binary_expression with && there.
// This package says what that is for: both are [Logic], with a [Left] and a [Right]. A template that exchanges the two sides, or asks
// which variables are in scope, is so written once. What a language calls things, and how it spells them, is data: see python.go and
// its neighbours.
//
//	file, err := code.Read(ctx, syntax.Python, "pkg/a.py", src)
//	for n := range file.Root.Walk() {
//		if n.Role == code.Compare && n.Op == "<" {
//			fmt.Println(n.Kid(code.Left).Text())
//		}
//	}
//
// Every node has the exact bytes that it spans, so that edits can be cut from it. What has no role of its own is [Other], and its parts
// are still there: nothing of the source is hidden but comments, types, and what stands in broken places.
package code

import (
	"context"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"

	"fettle/internal/syntax"
)

//go:generate go run golang.org/x/tools/cmd/stringer -type=Role,Part,Kind -output=strings.go

// Role is what a part of a program is.
type Role uint8

// The roles. Values first, then statements, then what holds them.
const (
	Other         Role = iota // without a role of its own
	Name                      // a variable, a function, a package: Node.Name
	Int                       // an integer literal
	Float                     // a literal of a number that is no integer
	Str                       // a string literal; its kids are what is computed inside
	Char                      // a character literal
	Bool                      // true or false
	Null                      // nil, null, None, undefined
	Self                      // this, super; in Python it is a Name
	List                      // a list, array, tuple or set, written out: Elem
	Map                       // a mapping, object or struct, written out: Pair
	Pair                      // an entry of it: Key, Value
	Compare                   // Left Op Right; a < b < c is (a < b) < c here
	Arith                     // Left Op Right, of numbers, bits, strings
	Logic                     // Left Op Right, of conditions
	Not                       // Op Operand
	Unary                     // Op Operand: a sign, a pointer, ~
	Call                      // Callee Arg…; also of constructors
	Keyword                   // an argument by name: Node.Name, Value
	Spread                    // *a, ...a
	Index                     // Object [ Index ]
	Slice                     // Object [ Low : High : Step ]
	Attr                      // Object . Member
	Member                    // the name after the dot: Node.Name
	Choice                    // Cond, Then, Else as a value
	Group                     // parentheses: Operand
	Comprehension             // Body, Each…, Cond…
	Wait                      // await: Operand
	Assign                    // Target… Op Value…; Node.Declares for one that makes the names
	Step                      // i++: Operand
	Declaration               // a statement that makes names: Elem, each an Assign
	Eval                      // a statement that is a value: Value
	Return                    // Value…
	Raise                     // Value
	If                        // Init, Cond, Then, Else: a Block, or another If
	While                     // Cond, Body, Else
	For                       // Init, Cond, Update, Body
	Each                      // Target…, Iter, Body, Else; without Body in a comprehension
	Break
	Continue
	Pass   // does nothing
	Block  // Stmt…
	Switch // Cond, Case…
	Case   // Value…, Stmt…
	Function
	Param // Node.Name, Value: its default
	Class
	Import
	Module
	TypeRef // a type; nothing in it is looked at
)

// Part is what a node is to the node that holds it.
type Part uint8

// The parts.
const (
	None Part = iota
	Left
	Right
	Operand
	Callee
	Arg
	Object
	Mem // the Member of an Attr
	At  // what indexes
	Low
	High
	Stride
	Cond
	Then
	Else
	Init
	Update
	Body
	Target
	Value
	Iter
	Params
	Stmt
	Elem
	Key
	Type
)

// Node is a part of a program. Nodes never change.
type Node struct {
	Role           Role
	Part           Part   // what it is to Parent
	Declares       bool   // an Assign or Each that makes its targets
	Op             string // the operator as it is spelled, with single blanks; of an Assign "=" or "+=" and so on
	Name           string // of names, members, parameters, functions, classes, keywords
	Start, End     int    // bytes of the source, End excluded
	OpStart, OpEnd int
	Type           string // the declared type of a Param, of the names of an Assign, or of what a Function gives, as it is spelled
	Parent         *Node  // nil for the root
	Kids           []*Node
	File           *File
}

// File is a source that was read.
type File struct {
	Path   string
	Lang   syntax.Lang
	Facts  *Facts
	Source string
	Root   *Node
	Tree   *syntax.Tree

	mu     sync.Mutex
	scopes map[*Node][]Variable
}

// Read reads a source. Errors are those of [syntax.Parse], and [syntax.ErrNoGrammar] for languages without tables here.
func Read(ctx context.Context, l syntax.Lang, path string, src []byte) (*File, error) {
	lang := languages[l]
	if lang == nil {
		return nil, &unknownError{l}
	}
	tree, err := syntax.Parse(ctx, l, src)
	if err != nil {
		return nil, err
	}
	f := &File{Path: path, Lang: l, Facts: lang.facts, Source: tree.Source(), Tree: tree, scopes: map[*Node][]Variable{}}
	f.Root = newReader(f, lang).read(tree.Root())
	return f, nil
}

type unknownError struct{ lang syntax.Lang }

func (e *unknownError) Error() string {
	return "nothing is known of how " + string(e.lang) + " is written"
}
func (e *unknownError) Unwrap() error { return syntax.ErrNoGrammar }

// Text is what the node spans of the source.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.File.Source[n.Start:n.End]
}

// Line is the line on which the node begins, from 1; for an operation of two sides the line of its operator.
func (n *Node) Line() int {
	at := n.Start
	if n.OpEnd > 0 && n.Kid(Right) != nil {
		at = n.OpStart
	}
	return n.File.Tree.Position(at).Line
}

// Is reports whether the node has one of these roles. No node has none.
func (n *Node) Is(roles ...Role) bool { return n != nil && slices.Contains(roles, n.Role) }

// Kid is the first part of this kind, or nil.
func (n *Node) Kid(p Part) *Node {
	if n == nil {
		return nil
	}
	for _, k := range n.Kids {
		if k.Part == p {
			return k
		}
	}
	return nil
}

// Calls is the name of what a call calls; empty where nothing is called, or what is called has no name.
func (n *Node) Calls() string {
	if callee := n.Kid(Callee); callee != nil {
		return callee.Name
	}
	return ""
}

// All are the parts of this kind, in order.
func (n *Node) All(p Part) []*Node {
	if n == nil {
		return nil
	}
	var out []*Node
	for _, k := range n.Kids {
		if k.Part == p {
			out = append(out, k)
		}
	}
	return out
}

// Walk is the node and everything in it, in the order of the source, each before what it holds.
func (n *Node) Walk() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.walk(yield) }
}

func (n *Node) walk(yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n) {
		return false
	}
	for _, k := range n.Kids {
		if !k.walk(yield) {
			return false
		}
	}
	return true
}

// Own is like Walk, and leaves out what stands in functions inside of the node.
func (n *Node) Own() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.own(n, yield) }
}

func (n *Node) own(top *Node, yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	if !yield(n) {
		return false
	}
	if n != top && n.Role == Function {
		return true
	}
	for _, k := range n.Kids {
		if !k.own(top, yield) {
			return false
		}
	}
	return true
}

// Up is the nearest node of one of these roles that holds this one, or nil.
func (n *Node) Up(roles ...Role) *Node {
	if n == nil {
		return nil
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if slices.Contains(roles, p.Role) {
			return p
		}
	}
	return nil
}

// Function is the innermost function around the node, or nil.
func (n *Node) Function() *Node { return n.Up(Function) }

// Outermost is the function that the node is or stands in and that stands in no other one; nil outside of functions.
func (n *Node) Outermost() (fn *Node) {
	for ; n != nil; n = n.Parent {
		if n.Role == Function {
			fn = n
		}
	}
	return fn
}

// Statement is the statement that the node is, or in which it stands; nil outside of statements.
func (n *Node) Statement() *Node {
	for ; n != nil; n = n.Parent {
		if n.Part == Stmt {
			return n
		}
	}
	return nil
}

// Next is the part of the same kind behind this one, Prev the one before; nil at the ends.
func (n *Node) Next() *Node { return n.beside(1) }

// Prev is the part of the same kind before this one.
func (n *Node) Prev() *Node { return n.beside(-1) }

func (n *Node) beside(by int) *Node {
	if n == nil || n.Parent == nil {
		return nil
	}
	kin := n.Parent.All(n.Part)
	if i := slices.Index(kin, n) + by; i >= 0 && i < len(kin) {
		return kin[i]
	}
	return nil
}

// Holds reports whether the bytes from start up to end lie in the node.
func (n *Node) Holds(start, end int) bool { return n != nil && n.Start <= start && end <= n.End }

// At is the smallest node that holds these bytes.
func (f *File) At(start, end int) *Node {
	n := f.Root
	if !n.Holds(start, end) {
		return nil
	}
	for {
		i := sort.Search(len(n.Kids), func(i int) bool { return n.Kids[i].End >= end })
		if i == len(n.Kids) || !n.Kids[i].Holds(start, end) {
			return n
		}
		n = n.Kids[i]
	}
}

// Indent is the white space before the first thing on the line where the node begins.
func (n *Node) Indent() string {
	src := n.File.Source
	from := strings.LastIndexByte(src[:n.Start], '\n') + 1
	to := from
	for to < len(src) && (src[to] == ' ' || src[to] == '\t') {
		to++
	}
	return src[from:to]
}

// Alone reports whether nothing else stands on the lines of the node but a terminator and a comment.
func (n *Node) Alone() bool {
	src := n.File.Source
	from := strings.LastIndexByte(src[:n.Start], '\n') + 1
	if strings.TrimSpace(src[from:n.Start]) != "" {
		return false
	}
	rest, _, _ := strings.Cut(src[n.End:], "\n")
	rest = strings.TrimSpace(strings.TrimPrefix(rest, n.File.Facts.End))
	return rest == "" || strings.HasPrefix(rest, n.File.Facts.Comment)
}
