package edit_test

import (
	"slices"
	"testing"

	"fettle/internal/edit/treetest"

	"pgregory.net/rapid"
)

type tree = treetest.Tree

// The trees that the properties are tried on: of any bytes, and of text.
var (
	anything = treetest.Shape{Names: slices.Concat(treetest.Names, treetest.OddNames)}
	texts    = treetest.Shape{Names: slices.Concat(treetest.Names, treetest.OddNames), Text: true}
)

func of(pairs ...string) tree { return treetest.Of(pairs...) }

func check(t *testing.T, f func(*rapid.T)) { t.Helper(); treetest.Check(t, 200, 3000, f) }
