package model

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"

	"fettle/internal/budget"
)

// Options are what a [Client] is made of. The zero value of each is of use, but for the table and the purse.
type Options struct {
	Table   Table
	Purse   budget.Purse
	Bounded bool                // there is a limit of money: a model whose price is not known is not asked
	Getenv  func(string) string // nil: there is no environment, and so no key
	Note    func(string)        // is told what people may want to know: why a model was passed over. It may be called from many goroutines
	Clock   Clock               // nil: the wall's
	// Shared is a folder of the person's own in which processes tell one another what they ask of providers; it is asked for when the first call is made. Nil: each keeps to the limits by itself.
	Shared    func() (string, error)
	Random    func() float64    // 0–1, for the jitter of waiting; nil: math/rand
	Transport http.RoundTripper // nil: the network
	Providers []Provider        // further ones, or in the place of those of the table that have the same name
}

// Client answers calls by the table. It is safe for concurrent use.
type Client struct {
	table   Table
	purse   budget.Purse
	bounded bool
	note    func(string)
	clock   Clock
	random  func() float64
	veil    *veil
	hosts   map[string]*host
	shared  func() (string, error)
	missing map[string]string // what would bring a provider of the table that is not there
	wrong   map[string]error  // why one is not there that somebody has configured
}

// host is a provider with what guards it.
type host struct {
	Provider
	service Service
	limiter *limiter
	breaker breaker
}

// New makes a client of the providers that are configured. Those that are not, or wrongly ([Client.Wrong]), are missed when nobody else can be asked, and keep no other from work.
func New(o Options) *Client {
	c := &Client{table: o.Table.clone(), purse: o.Purse, bounded: o.Bounded, note: o.Note, clock: o.Clock, random: o.Random, hosts: map[string]*host{}, missing: map[string]string{}, wrong: map[string]error{}}
	if c.note == nil {
		c.note = func(string) {}
	}
	if c.clock == nil {
		c.clock = wall{}
	}
	if c.random == nil {
		c.random = rand.Float64
	}
	if o.Shared != nil {
		c.shared = sync.OnceValues(o.Shared)
	}
	base := o.Transport
	if base == nil {
		base = transport
	}
	getenv := o.Getenv
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	var keys []string
	for _, name := range slices.Sorted(maps.Keys(c.table.Providers)) {
		if slices.ContainsFunc(o.Providers, func(p Provider) bool { return p.Name() == name }) {
			continue
		}
		s := fromEnv(name, c.table.Providers[name], getenv)
		c.table.Providers[name] = s
		wire := func(model string) string { return c.table.wire(name + "/" + model) }
		p, used, err := open(name, s, getenv, base, c.clock, wire)
		if err != nil {
			c.wrong[name] = err
			continue
		}
		if p == nil {
			c.missing[name] = used[0]
			continue
		}
		keys = append(keys, used...)
		c.add(p, s)
	}
	for _, p := range o.Providers {
		c.add(p, c.table.Providers[p.Name()])
	}
	c.veil = newVeil(keys)
	return c
}

// Wrong says, in a sentence for each, which providers are not asked as they are configured wrongly: a key that is none, an address that gives it away.
func (c *Client) Wrong() (out []string) {
	for _, name := range slices.Sorted(maps.Keys(c.wrong)) {
		out = append(out, fmt.Sprintf("%s is not asked: %v", name, c.wrong[name]))
	}
	return out
}

func (c *Client) add(p Provider, s Service) {
	b := &board{clock: c.clock, note: c.note}
	if s.BaseURL != "" { // else it is a script, which is each process's own
		sum := sha256.Sum256([]byte(s.BaseURL))
		b.name, b.folder = fmt.Sprintf("%s-%x", p.Name(), sum[:6]), c.shared
	}
	c.hosts[p.Name()] = &host{Provider: p, service: s, limiter: newLimiter(s, b), breaker: breaker{b}}
}

// bases are the variables that move fettle's own providers elsewhere, and what follows the address that they hold. They are those of the issuers' own
// command lines, which mean the same by them.
var bases = map[string]struct{ env, path string }{
	"anthropic": {"ANTHROPIC_BASE_URL", ""}, "openai": {"OPENAI_BASE_URL", ""}, "gemini": {"GOOGLE_GEMINI_BASE_URL", "/v1beta/openai"},
}

// moved is where the environment puts a provider; empty: nowhere else.
func moved(name string, getenv func(string) string) string {
	base := bases[name]
	if base.env == "" {
		return ""
	}
	at := getenv(base.env)
	if at == "" || base.path == "" {
		return at
	}
	return strings.TrimRight(at, "/") + base.path
}

// anthropicToken is the variable of a token that stands in the place of a key.
const anthropicToken = "ANTHROPIC_AUTH_TOKEN" //nolint:gosec // a name, no token

// fromEnv lays the environment over a provider. What a person has written into models.yaml about where it is counts more.
func fromEnv(name string, s Service, getenv func(string) string) Service {
	own := Default().Providers[name].BaseURL != s.BaseURL
	if at := moved(name, getenv); at != "" && !own {
		s.BaseURL = at
	}
	if at := getenv("OLLAMA_HOST"); name == "ollama" && at != "" && !own {
		s.BaseURL = ollamaURL(at)
	}
	return s
}

// open makes the provider of a service, with the keys that it uses; nil, with the reason in their place, where it is not configured.
func open(name string, s Service, getenv func(string) string, base http.RoundTripper, clock Clock, wire func(model string) string) (Provider, []string, error) {
	if s.Kind == kindScript {
		script, err := LoadScript(s.Script)
		if err != nil {
			return nil, nil, err
		}
		return Scripted(name, script), nil, nil
	}
	if s.BaseURL == "" {
		if name == "ollama" {
			return nil, []string{"set OLLAMA_HOST"}, nil
		}
		return nil, []string{"give it a base_url in your own " + FileName}, nil
	}
	where := "base_url"
	if moved(name, getenv) == s.BaseURL {
		where = bases[name].env
	}
	if err := checkURL(where, s.BaseURL, s.Insecure); err != nil {
		return nil, nil, err
	}
	var key, token string
	if s.KeyEnv != "" {
		key = getenv(s.KeyEnv)
	}
	env, secret := s.KeyEnv, key
	if s.Kind == kindAnthropic && key == "" && name == "anthropic" && sameHostAsDefaultOrEnv(s, getenv) {
		token = getenv(anthropicToken)
		env, secret = anthropicToken, token
	}
	var keys []string
	switch {
	case secret != "":
		of := s.BaseURL
		if env == anthropicToken {
			of = "" // tokens look otherwise than keys
		}
		if err := checkKey(env, secret, of); err != nil {
			return nil, nil, err
		}
		keys = []string{secret}
	case s.KeyEnv != "" && !s.local():
		return nil, []string{"set " + s.KeyEnv}, nil
	}
	web := webClient(base, s.idle())
	if s.Kind == kindAnthropic {
		return newAnthropic(name, s.BaseURL, key, token, web, clock.Now), keys, nil
	}
	return newOpenAI(name, s.BaseURL, key, web, clock.Now, wire), keys, nil
}

// sameHostAsDefaultOrEnv says whether a provider is where fettle or the environment puts it: the token of the environment is for nobody else.
func sameHostAsDefaultOrEnv(s Service, getenv func(string) string) bool {
	return s.BaseURL == Default().Providers["anthropic"].BaseURL || s.BaseURL == moved("anthropic", getenv)
}

// unconfigured says what would make a chain work.
func (c *Client) unconfigured(role Role, tier Tier, chain []string) *Error {
	var ways []string
	for _, full := range chain {
		provider, _, _ := strings.Cut(full, "/")
		way := c.missing[provider] + " for " + provider
		if err := c.wrong[provider]; err != nil {
			way = fmt.Sprintf("mend %v", err)
		}
		if !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return &Error{Kind: Unconfigured, Message: fmt.Sprintf("there is no model for the %s (tier %s): %s; or name another in your own %s", role, tier, strings.Join(ways, ", or "), FileName)}
}
