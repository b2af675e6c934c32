// Package model answers "what does a language model say to this?": one call, whichever provider serves it.
//
// Whoever asks names a [Role] and never a model. A role has a tier (fast, standard, deep), a tier has models, and both stand in one table that people may override
// ([Table]). A [Client] takes a call through its life: it reserves the money, asks the first model of the tier whose provider is able to work, waits and tries again where that
// may help, goes on to the next model of the chain where it does not, and settles what the call has cost.
//
// What it promises: a call ends in a [Reply] or in an [Error] that says what kind of failure it was and what to do about it; no reply is ever a half one
// ([Reply.Stop] tells one that was cut); nothing is spent that was not reserved; a key never stands in an error, a log or a reply. What it does not do: read what the reply
// means. That is for whoever has asked, and never by looking for words in text.
package model

import (
	"context"
	"encoding/json"
	"time"

	"fettle/internal/budget"
)

// Role is what a model is asked to be.
type Role string

// The roles.
const (
	Fixer      Role = "fixer"      // proposes patches
	Challenger Role = "challenger" // judges a patch, blind to the fixer's reasoning
	Approver   Role = "approver"   // judges another agent's tool call that the policy asks about
	Watcher    Role = "watcher"    // judges whether an agent's calls still serve what the person said
)

// Tier is how much of a model a role needs.
type Tier string

// The tiers, cheapest first.
const (
	Fast     Tier = "fast"
	Standard Tier = "standard"
	Deep     Tier = "deep"
)

// Request is one call.
type Request struct {
	Role     Role
	Tier     Tier     // empty: the role's own
	Only     string   // "provider/model", which alone is asked, even if its provider has not answered others lately; empty: those of the tier
	Unlike   []string // models and agents whose family is asked last: a second reader should err otherwise than the first
	Fixer    string   // who asks, as the ledger calls it; empty: no fixer
	Purpose  string   // what the call is for, in a word or two: stands in the ledger ("fix", "retry", "challenge")
	System   string   // constant bytes of the program's own; never text of a repository, a tool or a person
	Messages []Message
	Tools    []Tool
	Schema   *Schema // the shape of the answer; nil: text
	// MaxTokens and Temperature override the role's own. Zero and nil: as in the table.
	MaxTokens   int
	Temperature *float64
	Warmer      float64 // is added to the temperature, as far as the provider lets it go up
}

// Speaker is who says a message.
type Speaker string

// The speakers. There is no other: what the system says is in [Request.System], and nothing else is ever said in its name.
const (
	User      Speaker = "user"
	Assistant Speaker = "assistant"
)

// Message is what one speaker says in one turn.
type Message struct {
	Speaker Speaker
	Text    string
	Calls   []ToolCall   // of the assistant
	Results []ToolResult // of the user: the answers to the calls of the turn before
	Cached  bool         // the conversation up to this message will be sent again: providers that can keep it are told to
	Kept    *Kept        // of the assistant: as in the reply that this was
}

// Kept is what a model wants to see again, as it was, when its turn is sent back: its own reasoning, signed. Other models are not shown it. Whoever carries on a conversation
// passes it on and never looks into it.
type Kept struct {
	By   string          `json:"by"` // "provider/model"
	What json.RawMessage `json:"what"`
}

// Tool is something that the model may ask to have done while it answers.
type Tool struct {
	Name        string
	Description string
	Input       json.RawMessage // a JSON schema of type object
}

// ToolCall is what the model asks for.
type ToolCall struct {
	ID    string
	Name  string
	Input json.RawMessage // as the model wrote it: it may be no valid JSON
	Kept  *Kept           // what the model wants to see again with the call
}

// ToolResult is what became of a call.
type ToolResult struct {
	ID     string // of the call
	Text   string
	Failed bool
}

// Schema asks for JSON of one shape. Providers that can hold a model to it do; the reply is data all the same, and is to be read as such.
type Schema struct {
	Name   string // lower-case letters, digits and hyphens
	Schema json.RawMessage
}

// Stop is why a reply ended.
type Stop string

// The ways to end.
const (
	Ended   Stop = "end"     // the model had said all
	Asked   Stop = "tools"   // it waits for the results of its calls
	Cut     Stop = "length"  // MaxTokens was reached: what is there is a beginning
	Refused Stop = "refusal" // it would not, or the provider did not let it
	Repeats Stop = "repeats" // it said the same over and over, and was not listened to any more: what is there is a beginning
)

// Begun reports whether what there is of a reply is a beginning only.
func (s Stop) Begun() bool { return s == Cut || s == Repeats }

// Usage is what a call took, in tokens. Input counts every token that was read, whether or not it was cached.
type Usage struct {
	Input      int `json:"input" yaml:"input"`
	CacheRead  int `json:"cache_read,omitempty" yaml:"cache_read,omitempty"`   // of Input: those that the provider had kept
	CacheWrite int `json:"cache_write,omitempty" yaml:"cache_write,omitempty"` // of Input: those that it keeps from now on
	Output     int `json:"output" yaml:"output"`                               // reasoning included
}

// Reply is what a model said.
type Reply struct {
	Text     string
	Calls    []ToolCall
	Kept     *Kept // for the message that this becomes
	Stop     Stop
	Usage    Usage
	Cost     budget.Money
	Unpriced bool // what it has cost is not known: Cost says nothing
	Provider string
	Model    string        // as the table names it
	Tries    int           // calls that were made, over all models of the chain, this one included
	Took     time.Duration // of the call that was answered
}

// Caller is whoever answers a request: a [Client], or a test's function.
type Caller interface {
	// Call returns a whole reply, or an error that is an [*Error] unless the context has ended.
	Call(ctx context.Context, r Request) (Reply, error)
}

// Kind is what went wrong with a call. Each asks for something else of whoever called.
type Kind string

// The kinds of failure.
const (
	Unconfigured Kind = "unconfigured" // there is no provider for the role: a key or a server is missing
	Forbidden    Kind = "forbidden"    // offline, switched off, or nobody has agreed to what would be sent
	Denied       Kind = "denied"       // the provider refuses the key
	Spent        Kind = "spent"        // the budget, or the account at the provider
	Limited      Kind = "limited"      // too many calls: later it may work
	Overloaded   Kind = "overloaded"   // the provider cannot answer now
	TooLong      Kind = "too long"     // more tokens than the model reads
	Malformed    Kind = "malformed"    // the provider does not understand the request, or says what cannot be read
	Unreachable  Kind = "unreachable"  // no connection, or no answer in time
)

// Error is a call that failed.
type Error struct {
	Kind     Kind
	Provider string // empty: none was asked
	Model    string
	Status   int           // of HTTP; zero: there was no answer
	After    time.Duration // the provider asks to wait so long; zero: it does not say
	Message  string        // for people, without secrets: what happened, and what to do about it
	Tries    int           // calls that were made

	unsent bool  // the request has reached nobody: nothing can have been charged for it
	limit  error // of this person's own, that the call would have passed: a [*budget.ExceededError] or a [*budget.CountError]
}

// Unwrap is the person's own limit that the call would have passed, if it was one.
func (e *Error) Unwrap() error { return e.limit }

func (e *Error) Error() string {
	switch {
	case e.Provider == "":
		return e.Message
	case e.Model == "":
		return e.Provider + ": " + e.Message
	}
	return e.Provider + ", " + e.Model + ": " + e.Message
}
