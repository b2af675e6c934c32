// Package flow answers "what comes next?": a small engine for cyclic graphs whose nodes are functions over one state.
//
// The graph is data. Nodes have names; a node ends with an outcome, and the graph says for each outcome which node or which
// end comes next. The same structure that runs is drawn by [Graph.Mermaid] and checked by [Graph.Validate], so a picture can
// never disagree with the program. After every node the engine hands the state to a checkpoint function before it goes on:
// a run that died resumes at the node it had not finished. Hence every node must be idempotent: it starts from the recorded
// state and makes no assumption about what it did before a crash.
//
// The package knows nothing of code, checks or patches.
package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Node does one step of the work. It changes s and returns its outcome, one of those that the graph lists for the node.
// An error means that the node could not do its work; the graph decides what an error leads to (see [Graph.OnError]).
type Node[S any] func(ctx context.Context, s *S) (outcome string, err error)

// Graph is a cyclic graph of nodes over a state S. Build it with [New], [Graph.Node] and [Graph.End]; a built graph is
// read-only and may be run by several goroutines at a time, each with a state of its own.
type Graph[S any] struct {
	name  string
	entry string
	nodes []node[S]
	ends  []end
	fault func(err error) (endName string) // which end an error leads to
}

type node[S any] struct {
	name  string
	does  string
	run   Node[S]
	edges []Edge
}

type end struct{ name, meaning string }

// Edge says which node or end follows a node's outcome.
type Edge struct {
	Outcome string // as the node returns it
	To      string // a node's or an end's name
}

// On is the edge from an outcome to a node or an end.
func On(outcome, to string) Edge { return Edge{Outcome: outcome, To: to} }

// New starts a graph whose first node is entry.
func New[S any](name, entry string) *Graph[S] { return &Graph[S]{name: name, entry: entry} }

// Node adds a node: its name, what it does in a few words, the function, and where each outcome leads.
func (g *Graph[S]) Node(name, does string, run Node[S], edges ...Edge) *Graph[S] {
	g.nodes = append(g.nodes, node[S]{name, does, run, edges})
	return g
}

// End adds a typed end: its name and its meaning in a few words.
func (g *Graph[S]) End(name, meaning string) *Graph[S] {
	g.ends = append(g.ends, end{name, meaning})
	return g
}

// OnError says which end an error of a node leads to. Without it, or for the empty name, the run fails with the error.
func (g *Graph[S]) OnError(f func(err error) string) *Graph[S] {
	g.fault = f
	return g
}

// Validate reports what is wrong with the graph: an unknown target, a name used twice, a node or an end that cannot be
// reached, a node without a way on.
func (g *Graph[S]) Validate() error {
	var faults []error
	bad := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	names := map[string]bool{}
	for _, n := range g.Names() {
		if names[n] {
			bad("%s: two nodes or ends are called %q", g.name, n)
		}
		names[n] = true
	}
	reached := map[string]bool{g.entry: true}
	for _, n := range g.nodes {
		if len(n.edges) == 0 {
			bad("%s: node %q leads nowhere", g.name, n.name)
		}
		outcomes := map[string]bool{}
		for _, e := range n.edges {
			if !names[e.To] {
				bad("%s: node %q leads to %q, which does not exist", g.name, n.name, e.To)
			}
			if outcomes[e.Outcome] {
				bad("%s: node %q has two edges for %q", g.name, n.name, e.Outcome)
			}
			outcomes[e.Outcome], reached[e.To] = true, true
		}
	}
	if _, ok := g.find(g.entry); !ok {
		bad("%s: the entry %q is not a node", g.name, g.entry)
	}
	for _, n := range g.nodes {
		if !reached[n.name] {
			bad("%s: node %q cannot be reached", g.name, n.name)
		}
	}
	return errors.Join(faults...)
}

// Names lists the nodes and then the ends, in the order they were added.
func (g *Graph[S]) Names() []string {
	var out []string
	for _, n := range g.nodes {
		out = append(out, n.name)
	}
	for _, e := range g.ends {
		out = append(out, e.name)
	}
	return out
}

// IsEnd reports whether name is one of the graph's ends.
func (g *Graph[S]) IsEnd(name string) bool {
	return slices.ContainsFunc(g.ends, func(e end) bool { return e.name == name })
}

func (g *Graph[S]) find(name string) (node[S], bool) {
	for _, n := range g.nodes {
		if n.name == name {
			return n, true
		}
	}
	return node[S]{}, false
}

func (n node[S]) next(outcome string) (string, error) {
	var known []string
	for _, e := range n.edges {
		if e.Outcome == outcome {
			return e.To, nil
		}
		known = append(known, e.Outcome)
	}
	return "", fmt.Errorf("node %q ended with %q; the graph knows only %s", n.name, outcome, strings.Join(known, ", "))
}
