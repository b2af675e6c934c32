package model

import (
	"fmt"

	"fettle/internal/budget"
)

// Price is what a model costs, in US dollars for a million tokens, how much it reads, and how it is asked. What is nil is not known.
type Price struct {
	Input      *float64 `json:"input,omitempty" yaml:"input,omitempty"`
	CacheRead  *float64 `json:"cache_read,omitempty" yaml:"cache_read,omitempty"`   // nil: as other input
	CacheWrite *float64 `json:"cache_write,omitempty" yaml:"cache_write,omitempty"` // nil: as other input
	Output     *float64 `json:"output,omitempty" yaml:"output,omitempty"`
	Context    int      `json:"context,omitempty" yaml:"context,omitempty"` // tokens that it reads and writes in one call; zero: not known
	Wire       string   `json:"wire,omitempty" yaml:"wire,omitempty"`       // chat or responses, where its provider is of kind openai; empty: as its provider says, and else chat
	Long       *Long    `json:"long,omitempty" yaml:"long,omitempty"`       // nil: long prompts cost the same
}

// Long is what a call costs whose prompt is longer than some length: all of it, not only what lies above.
type Long struct {
	Above      int      `json:"above" yaml:"above"`
	Input      *float64 `json:"input,omitempty" yaml:"input,omitempty"`
	CacheRead  *float64 `json:"cache_read,omitempty" yaml:"cache_read,omitempty"`
	CacheWrite *float64 `json:"cache_write,omitempty" yaml:"cache_write,omitempty"`
	Output     *float64 `json:"output,omitempty" yaml:"output,omitempty"`
}

func (p Price) known() bool { return p.Input != nil && p.Output != nil }

func (p Price) check(name string) error {
	numbers := []*float64{p.Input, p.CacheRead, p.CacheWrite, p.Output}
	if l := p.Long; l != nil {
		if l.Above < 1 || l.Input == nil || l.Output == nil {
			return fmt.Errorf("models.%s.long: should say above how many tokens, and the prices of input and output", name)
		}
		numbers = append(numbers, l.Input, l.CacheRead, l.CacheWrite, l.Output)
	}
	for _, n := range numbers {
		if n != nil && !(*n >= 0 && *n <= 1_000_000) { // so that NaN is refused too
			return fmt.Errorf("models.%s: a price should be between 0 and 1000000 dollars for a million tokens", name)
		}
	}
	if p.Context < 0 {
		return fmt.Errorf("models.%s: context should be a number of tokens", name)
	}
	if err := checkWire("models."+name, p.Wire); err != nil {
		return err
	}
	if (p.Input == nil) != (p.Output == nil) {
		return fmt.Errorf("models.%s: the price of input without that of output, or the other way, is no price", name)
	}
	return nil
}

// perToken is a price in billionths of a dollar for one token.
func perToken(price, otherwise *float64) budget.Money {
	if price == nil {
		price = otherwise
	}
	if price == nil {
		return 0
	}
	return budget.Dollars(*price / 1_000_000)
}

// of is what a call costs. It is exact: each price is a whole number of billionths of a dollar a token.
func (p Price) of(u Usage) budget.Money {
	in, read, write, out := p.Input, p.CacheRead, p.CacheWrite, p.Output
	if p.Long != nil && u.Input > p.Long.Above {
		in, read, write, out = p.Long.Input, p.Long.CacheRead, p.Long.CacheWrite, p.Long.Output
	}
	plain := max(u.Input-u.CacheRead-u.CacheWrite, 0)
	return perToken(in, nil)*budget.Money(plain) + perToken(read, in)*budget.Money(u.CacheRead) +
		perToken(write, in)*budget.Money(u.CacheWrite) + perToken(out, nil)*budget.Money(u.Output)
}

// most is the most that a call can cost: every token counted as the dearest kind of input, and every token written that may be.
func (p Price) most(input, output int) budget.Money {
	dearest := Usage{Input: input, Output: output}
	cost := p.of(dearest)
	dearest.CacheWrite = input
	return max(cost, p.of(dearest))
}

// room is how long an answer may be: no longer than what a prompt leaves of the context. The estimate of a prompt is high, so that a quarter of the context is there for the answer in any case.
func (p Price) room(input, output int) int {
	if p.Context == 0 {
		return output
	}
	return min(output, max(p.Context-input, p.Context/4))
}

// estimate is how many tokens a request has at most, as far as that can be told without the model's own tokenizer. Letters and blanks come at least two to a token in every
// tokenizer in use; digits, signs and the bytes of other scripts may be one each.
func estimate(r Request) int {
	n := 512 + textTokens(r.System) // what providers put around it
	for _, m := range r.Messages {
		n += 16 + textTokens(m.Text)
		for _, c := range m.Calls {
			n += 32 + textTokens(c.Name) + textTokens(string(c.Input))
			if c.Kept != nil {
				n += len(c.Kept.What)
			}
		}
		for _, res := range m.Results {
			n += 32 + textTokens(res.Text)
		}
		if m.Kept != nil {
			n += len(m.Kept.What)
		}
	}
	for _, t := range r.Tools {
		n += 64 + textTokens(t.Name) + textTokens(t.Description) + textTokens(string(t.Input))
	}
	if r.Schema != nil {
		n += 128 + 2*textTokens(string(r.Schema.Schema)) // it may be told twice
	}
	return n
}

func textTokens(s string) int {
	easy := 0
	for i := range len(s) {
		if c := s[i]; c == ' ' || c == '\n' || c == '\t' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			easy++
		}
	}
	return (easy+1)/2 + len(s) - easy
}
