package syntax_test

import (
	"context"
	"fmt"

	"fettle/internal/syntax"
)

// A template that turns every comparison with None by == into one by "is".
func Example() {
	src := []byte("if user == None:\n    log('== None')\n")
	tree, err := syntax.Parse(context.Background(), syntax.Python, src)
	if err != nil {
		fmt.Println(err)
		return
	}
	for c := range tree.Root().Find("comparison_operator") {
		for none := range c.Find("none") {
			if op := none.Prev(); op.Kind() == "==" {
				fmt.Printf("line %d: bytes %d to %d become \"is\" in %q\n", op.Range().Start.Line, op.Start(), op.End(), c.Text())
			}
		}
	}
	// Output: line 1: bytes 8 to 10 become "is" in "user == None"
}

func ExampleTree_Errors() {
	for _, src := range []string{"let a = f(1);", "let a = f(1;"} {
		tree, err := syntax.Parse(context.Background(), syntax.JavaScript, []byte(src))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(tree.Root())
		for _, n := range tree.Errors() {
			at := n.Range().Start
			fmt.Printf("line %d, column %d: %s\n", at.Line, at.Column, n)
		}
	}
	// Output:
	// (program (lexical_declaration (variable_declarator name: (identifier) value: (call_expression function: (identifier) arguments: (arguments (number))))))
	// (program (lexical_declaration (variable_declarator name: (identifier) value: (call_expression function: (identifier) arguments: (arguments (number) (MISSING ")"))))))
	// line 1, column 12: (MISSING ")")
}
