package main

import (
	"cmp"
	"slices"
)

const head = `# With a small model on this machine: figures

<!-- Written by make bench-local-model; edit scripts/benchlocal, not this file. -->

` + "`make bench-local-model`" + ` has Qwen2.5-Coder-1.5B-Instruct (weights of four bits, 1.1 GB) asked about small real bugs, by nothing but this machine's processors, and by way of everything that fettle does
with a model: ` + "`fettle fix --fixer model-fast`" + `, for one round, with a models.yaml as docs/models.md has it. Of the rows of [repair.md](repair.md), half are ones that the search leaves or mends wrongly. Here
%d of %d rows were measured: with a context of %d tokens, on %d processors that other work came first on (nice %d).

* **every test passes**: fettle has verified and applied what the model proposed, however sure the model said that it was;
* **right**: and it does what the reference does, by its text or on generated inputs;
* **no usable answer**: three answers in a row could not be read as one patch;
* **seconds a call**: the median, and the 90th percentile, as long as one had to wait on this machine. Between two calls about one bug the server keeps what it has read.

The temperature is 0 and the seed is fixed, but the boundaries around what is put to a model are drawn anew for each call, and the other words of a request depend on what was measured: another time some answers are others.

`

// mostFirst sorts by count, what came earlier first among equals.
func mostFirst(all []string, count map[string]int) []string {
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	return all
}
