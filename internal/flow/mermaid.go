package flow

import (
	"fmt"
	"strings"
)

// Mermaid draws the graph as a Mermaid flowchart, from the very structure that [Graph.Run] follows.
func (g *Graph[S]) Mermaid() string {
	var b strings.Builder
	fmt.Fprintf(&b, "flowchart TD\n    start((%s)) --> %s\n", g.name, g.entry)
	for _, n := range g.nodes {
		fmt.Fprintf(&b, "    %s[%q]\n", n.name, n.name+": "+n.does)
	}
	for _, e := range g.ends {
		fmt.Fprintf(&b, "    %s([%q])\n", e.name, e.name+": "+e.meaning)
	}
	for _, n := range g.nodes {
		for _, e := range n.edges {
			fmt.Fprintf(&b, "    %s -->|%s| %s\n", n.name, e.Outcome, e.To)
		}
	}
	return b.String()
}
