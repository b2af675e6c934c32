package syntax

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/tetratelabs/wazero"
)

// The grammars, each a WebAssembly module of its own together with tree-sitter's runtime: a program that reads one language
// pays for one.
//
//go:generate build/build.sh
//go:embed grammars/*.wasm.gz
var modules embed.FS

var grammars = map[Lang]*grammar{
	Go: newGrammar(Go), Java: newGrammar(Java), JavaScript: newGrammar(JavaScript), Python: newGrammar(Python),
	Rust: newGrammar(Rust), TypeScript: newGrammar(TypeScript), TSX: newGrammar(TSX),
}

const (
	// maxMemory bounds what one parser may take: a hundred times the largest source, of which a hostile one may need all.
	maxMemory = 512 << 20
	// keptMemory is the most that a parser may hold while it waits for work.
	keptMemory = 16 << 20
	// keptParsers is the most that wait for work, per language.
	keptParsers = 4

	wasmPage = 64 << 10
)

// errorKind is the kind that all grammars have in common: what they could not read.
const errorKind = 0xffff

// busy bounds how many parsers are at work.
var busy = make(chan struct{}, runtime.GOMAXPROCS(0))

// grammar is a language's module. It is opened when it is first needed, and stays open: there is nothing to give back but memory.
type grammar struct {
	lang Lang

	mu     sync.Mutex
	vm     wazero.Runtime // nil until opened
	module wazero.CompiledModule
	kinds  []string // names by number; so are fields, of which 0 is no field
	fields []string
	idle   []*parser
}

func newGrammar(l Lang) *grammar { return &grammar{lang: l} }

func (g *grammar) kind(number uint16) string {
	if number == errorKind {
		return "ERROR"
	}
	return g.kinds[number]
}

// wanted tells by number which kinds have one of the names: several numbers may have the same.
func (g *grammar) wanted(names []string) func(number uint16) bool {
	set := make([]bool, len(g.kinds))
	for i, name := range g.kinds {
		set[i] = slices.Contains(names, name)
	}
	errors := slices.Contains(names, "ERROR")
	return func(number uint16) bool {
		if number == errorKind {
			return errors
		}
		return set[number]
	}
}

// parse has a parser, waiting or new, read the source.
func (g *grammar) parse(ctx context.Context, src []byte) (*Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case busy <- struct{}{}:
		defer func() { <-busy }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p, err := g.take(ctx)
	if err != nil {
		return nil, err
	}
	nodes, err := p.parse(ctx, src)
	g.put(p)
	if err != nil {
		return nil, err
	}
	return newTree(g, string(src), nodes), nil
}

// take is a parser that nobody else uses.
func (g *grammar) take(ctx context.Context) (*parser, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.vm == nil {
		// Whoever waits for this can wait no shorter by giving up: the next one would have to begin again.
		if err := g.open(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
	}
	if last := len(g.idle) - 1; last >= 0 {
		p := g.idle[last]
		g.idle = g.idle[:last]
		return p, nil
	}
	return newParser(ctx, g.vm, g.module)
}

// put takes a parser back, or ends it: when it is broken, has grown large, or enough others wait.
func (g *grammar) put(p *parser) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.broken || p.memory() > keptMemory || len(g.idle) == keptParsers {
		p.close()
		return
	}
	g.idle = append(g.idle, p)
}

// open compiles the module and asks it for its names.
func (g *grammar) open(ctx context.Context) (err error) {
	code, err := g.code()
	if err != nil {
		return err
	}
	vm, module, err := compile(ctx, code)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = vm.Close(ctx)
		}
	}()
	p, err := newParser(ctx, vm, module)
	if err != nil {
		return err
	}
	if g.kinds, g.fields, err = p.names(ctx); err != nil {
		return err
	}
	g.vm, g.module, g.idle = vm, module, []*parser{p}
	return nil
}

// code is the module as WebAssembly.
func (g *grammar) code() ([]byte, error) {
	packed, err := modules.ReadFile("grammars/" + string(g.lang) + ".wasm.gz")
	if err != nil {
		return nil, err
	}
	unpack, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("the grammar built into this program is damaged: %w", err)
	}
	code, err := io.ReadAll(unpack)
	if err != nil {
		return nil, fmt.Errorf("the grammar built into this program is damaged: %w", err)
	}
	return code, nil
}
