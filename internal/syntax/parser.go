package syntax

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// parser is one instance of a grammar's module, with memory of its own. It does one thing at a time. The calls and what they give
// back are those of build/parse.c.
type parser struct {
	instance api.Module
	broken   bool // it trapped: nothing that it holds can be relied on
}

func newParser(ctx context.Context, vm wazero.Runtime, module wazero.CompiledModule) (*parser, error) {
	instance, err := vm.InstantiateModule(ctx, module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, fmt.Errorf("start a parser: %w", err)
	}
	return &parser{instance: instance}, nil
}

func (p *parser) close() { _ = p.instance.Close(context.Background()) }

func (p *parser) memory() int { return int(p.instance.Memory().Size()) }

// call runs one of the module's functions; each has at most one result.
func (p *parser) call(ctx context.Context, function string, args ...uint64) (uint64, error) {
	results, err := p.instance.ExportedFunction(function).Call(ctx, args...)
	if err == nil {
		return results[0], nil
	}
	p.broken = true
	if full, err := p.instance.ExportedFunction("full").Call(ctx); err == nil && full[0] != 0 {
		return 0, fmt.Errorf("%w: it needs more than %d MiB of memory", ErrTooLarge, maxMemory>>20)
	}
	what, _, _ := strings.Cut(err.Error(), "\n") // without the stack, whose functions have no names
	return 0, fmt.Errorf("the parser broke off: %s", what)
}

var errOutside = errors.New("the parser gave an address outside of its memory")

// bytes is a view of the parser's memory, for as long as nothing is called.
func (p *parser) bytes(at, size uint32) ([]byte, error) {
	view, ok := p.instance.Memory().Read(at, size)
	if !ok {
		p.broken = true
		return nil, errOutside
	}
	return view, nil
}

func (p *parser) parse(ctx context.Context, src []byte) ([]record, error) {
	at, err := p.call(ctx, "room", uint64(len(src)))
	if err != nil {
		return nil, err
	}
	room, err := p.bytes(uint32(at), uint32(len(src)))
	if err != nil {
		return nil, err
	}
	copy(room, src)
	for done := uint64(0); done == 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if done, err = p.call(ctx, "parse"); err != nil {
			return nil, err
		}
	}
	where, err := p.call(ctx, "nodes")
	if err != nil {
		return nil, err
	}
	flat, err := p.bytes(uint32(where), uint32(where>>32)*nodeSize)
	if err != nil {
		return nil, err
	}
	return read(flat), nil
}

// nodeSize is the size of a Node of build/parse.c.
const nodeSize = 16

// read makes records of the parser's nodes, and finds their parents.
func read(flat []byte) []record {
	nodes := make([]record, len(flat)/nodeSize)
	parent := uint32(0)
	for i := range nodes {
		b := flat[i*nodeSize : (i+1)*nodeSize]
		for i > 0 && uint32(i) >= parent+nodes[parent].size {
			parent = nodes[parent].parent
		}
		nodes[i] = record{
			start: binary.LittleEndian.Uint32(b), end: binary.LittleEndian.Uint32(b[4:]), size: binary.LittleEndian.Uint32(b[8:]), parent: parent,
			kind: binary.LittleEndian.Uint16(b[12:]), field: b[14], flags: b[15],
		}
		if nodes[i].kind == errorKind || nodes[i].flags&isMissing != 0 {
			markError(nodes, uint32(i))
		}
		if nodes[i].size > 1 {
			parent = uint32(i)
		}
	}
	return nodes
}

// markError makes sure that a fault is known to everything it is in: the parser counts what errors cost, and one inside of another
// costs nothing.
func markError(nodes []record, at uint32) {
	nodes[at].flags |= hasError
	for at > 0 {
		at = nodes[at].parent
		if nodes[at].flags&hasError != 0 {
			return
		}
		nodes[at].flags |= hasError
	}
}

// names are the grammar's kinds and fields, by number.
func (p *parser) names(ctx context.Context) (kinds, fields []string, err error) {
	where, err := p.call(ctx, "names")
	if err != nil {
		return nil, nil, err
	}
	all, err := p.bytes(uint32(where), uint32(p.memory())-uint32(where))
	if err != nil {
		return nil, nil, err
	}
	list := make([]string, binary.LittleEndian.Uint32(all)+binary.LittleEndian.Uint32(all[4:]))
	split := binary.LittleEndian.Uint32(all)
	all = all[8:]
	for i := range list {
		name, rest, _ := bytes.Cut(all, []byte{0})
		list[i], all = string(name), rest
	}
	return list[:split], list[split:], nil
}
