package model

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"time"
)

// The kinds of services: which wire they speak.
const (
	kindAnthropic = "anthropic"
	kindOpenAI    = "openai" // chat completions, or the Responses API: OpenAI, Ollama, vLLM, llama.cpp, OpenRouter, Gemini's compatible endpoint
	kindScript    = "script" // a file of replies
)

// Service is how a provider is reached. It comes from fettle itself, from a person's own models.yaml and from the environment; never from a repository.
type Service struct {
	Kind     string `yaml:"kind,omitempty"`
	Wire     string `yaml:"wire,omitempty"` // of kind openai: chat or responses, for all of its models; empty: as the table says of each, and else chat
	BaseURL  string `yaml:"base_url,omitempty"`
	KeyEnv   string `yaml:"key_env,omitempty"`  // the variable that holds the key; a key itself is never written into a file
	Insecure bool   `yaml:"insecure,omitempty"` // base_url may be plain HTTP to another machine
	Script   string `yaml:"script,omitempty"`   // the file of a script
	// Parallel is how many calls may run at a time; zero: eight.
	Parallel int `yaml:"parallel,omitempty"`
	// RequestsPerMinute and TokensPerMinute are what the account allows; zero: the provider will say so.
	RequestsPerMinute int `yaml:"requests_per_minute,omitempty"`
	TokensPerMinute   int `yaml:"tokens_per_minute,omitempty"`
	// Retries is how often a call is made again that failed for a while only; nil: twice.
	Retries *int `yaml:"retries,omitempty"`
	// Timeout is how long a call may take; empty: ten minutes. Idle is how long nothing may come; empty: two minutes, and from this machine as long as the call may take, as
	// one that has no other processors reads for minutes before it says a word.
	Timeout string `yaml:"timeout,omitempty"`
	Idle    string `yaml:"idle,omitempty"`
}

// over lays what is said over what was there. Where a provider is moved to another host, the key of the old one does not go along.
func (s Service) over(n Service) Service {
	if n.BaseURL != "" && n.BaseURL != s.BaseURL {
		if !sameHost(s.BaseURL, n.BaseURL) {
			s.KeyEnv = ""
		}
		s.BaseURL, s.Insecure = n.BaseURL, false
	}
	for to, from := range map[*string]string{&s.Kind: n.Kind, &s.Wire: n.Wire, &s.KeyEnv: n.KeyEnv, &s.Script: n.Script, &s.Timeout: n.Timeout, &s.Idle: n.Idle} {
		if from != "" {
			*to = from
		}
	}
	for to, from := range map[*int]int{&s.Parallel: n.Parallel, &s.RequestsPerMinute: n.RequestsPerMinute, &s.TokensPerMinute: n.TokensPerMinute} {
		if from != 0 {
			*to = from
		}
	}
	s.Insecure = s.Insecure || n.Insecure
	if n.Retries != nil {
		s.Retries = n.Retries
	}
	return s
}

var (
	variable     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
	providerName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)
)

func (s Service) check(name string) error {
	where := "providers." + name
	if !providerName.MatchString(name) {
		return fmt.Errorf("providers: %q should be lower-case letters, digits and hyphens", name)
	}
	if s.Kind == "" {
		return fmt.Errorf("%s: kind is missing: anthropic, openai (whatever speaks OpenAI's chat completions or Responses) or script", where)
	}
	if err := among("kind", s.Kind, []string{kindAnthropic, kindOpenAI, kindScript}); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	if err := s.checkWire(where); err != nil {
		return err
	}
	if s.KeyEnv != "" && (!variable.MatchString(s.KeyEnv) || looksLikeKey(s.KeyEnv)) {
		return fmt.Errorf("%s.key_env: should be the name of a variable of the environment, as OPENAI_API_KEY; the key itself belongs into that variable, never into a file", where)
	}
	if s.Kind == kindScript && s.Script == "" {
		return fmt.Errorf("%s: script should name the file of replies", where)
	}
	for key, n := range map[string]int{"parallel": s.Parallel, "requests_per_minute": s.RequestsPerMinute, "tokens_per_minute": s.TokensPerMinute} {
		if n < 0 {
			return fmt.Errorf("%s.%s: should be a number of at least 1", where, key)
		}
	}
	if s.Retries != nil && (*s.Retries < 0 || *s.Retries > mostRetries) {
		return fmt.Errorf("%s.retries: should be between 0 and %d", where, mostRetries)
	}
	for key, text := range map[string]string{"timeout": s.Timeout, "idle": s.Idle} {
		if d, err := time.ParseDuration(text); text != "" && (err != nil || d <= 0) {
			return fmt.Errorf("%s.%s: should be a time as 90s or 10m", where, key)
		}
	}
	if s.BaseURL != "" {
		return checkURL(where+".base_url", s.BaseURL, s.Insecure)
	}
	return nil
}

func (s Service) checkWire(where string) error {
	if s.Wire != "" && s.Kind != kindOpenAI {
		return fmt.Errorf("%s.wire: is for the kind openai; leave it out", where)
	}
	return checkWire(where, s.Wire)
}

func checkWire(where, wire string) error {
	if wire == "" {
		return nil
	}
	if err := among("wire", wire, []string{wireChat, wireResponses}); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	return nil
}

// checkURL refuses what would send keys and code over the network in the clear. It never shows the address, for there may be a password in it.
func checkURL(where, base string, insecure bool) error {
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%s: should be an address as https://host/v1", where)
	case u.User != nil:
		return fmt.Errorf("%s: holds a password; name the variable of a key in key_env instead", where)
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%s: should be without ? and #", where)
	case u.Scheme == "http" && !loopbackHost(u.Hostname()) && !insecure:
		return fmt.Errorf("%s: is plain http to another machine, where everybody on the way could read the key and the code: use https, or write insecure: true for this provider into your own models.yaml", where)
	}
	return nil
}

// loopbackHost says whether a host is this machine. A name other than localhost is looked up nowhere: it is another machine.
func loopbackHost(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// local says whether the service is on this machine, so that calls cost nothing.
func (s Service) local() bool {
	if s.Kind == kindScript {
		return true
	}
	u, err := url.Parse(s.BaseURL)
	return err == nil && loopbackHost(u.Hostname())
}

func sameHost(a, b string) bool {
	x, errA := url.Parse(a)
	y, errB := url.Parse(b)
	return errA == nil && errB == nil && x.Host == y.Host
}

func (s Service) timeout() time.Duration { return duration(s.Timeout, 10*time.Minute) }

func (s Service) idle() time.Duration {
	if s.local() {
		return duration(s.Idle, s.timeout())
	}
	return duration(s.Idle, 2*time.Minute)
}

func duration(text string, otherwise time.Duration) time.Duration {
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d
	}
	return otherwise
}

// ollamaURL is the address in OLLAMA_HOST, which people write in many forms: a host, a port, an address. What it listens on ("0.0.0.0") is reached on loopback.
func ollamaURL(host string) string {
	scheme, rest := "http", host
	if u, err := url.Parse(host); err == nil && u.Host != "" {
		scheme, rest = u.Scheme, u.Host
	}
	name, port, err := net.SplitHostPort(rest)
	if err != nil {
		name, port = rest, "11434"
	}
	if ip, err := netip.ParseAddr(name); name == "" || err == nil && ip.IsUnspecified() {
		name = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(name, port) + "/v1"
}
