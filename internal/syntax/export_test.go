package syntax

import "context"

// Anew parses with a grammar that nothing in this process has opened yet, as the first Parse of a program does.
func Anew(ctx context.Context, l Lang, src []byte) (*Tree, error) {
	g := newGrammar(l)
	t, err := g.parse(ctx, src)
	if g.vm != nil {
		_ = g.vm.Close(ctx)
	}
	return t, err
}

// Modules are the grammars as they are built into the program, by the names of their files.
func Modules() (map[string][]byte, error) {
	all := map[string][]byte{}
	for l, g := range grammars {
		code, err := g.code()
		if err != nil {
			return nil, err
		}
		all[string(l)+".wasm"] = code
	}
	return all, nil
}

// Idle is how many parsers of the language wait for work, and the memory of the largest.
func Idle(l Lang) (count, memory int) {
	g := grammars[l]
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range g.idle {
		memory = max(memory, p.memory())
	}
	return len(g.idle), memory
}

// Limits of a parser that waits.
const (
	KeptMemory  = keptMemory
	KeptParsers = keptParsers
)
