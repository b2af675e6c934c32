package model

import "context"

// Provider is whoever serves models: one account at one host, or a script.
type Provider interface {
	// Name is what the table calls it.
	Name() string
	// Call asks a model once. The request comes with the limits of the table filled in. It returns a whole reply, whose Tries says how often the provider was asked if that
	// was more than once, or an [*Error] unless the context has ended. It neither waits nor tries again for reasons that may pass.
	Call(ctx context.Context, model string, r Request) (Reply, error)
}
