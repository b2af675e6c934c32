package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"fettle/internal/budget"
	"fettle/internal/fix"
)

// Price is what a question to a model costs, by the model's name as the agent calls it. Known is false where nobody knows.
type Price func(model string, took fix.Tokens) (usd float64, known bool)

// meter adds up what is asked through a door: nothing more goes through when the tokens are taken or, of an agent that does not say what it costs, the money is spent.
type meter struct {
	price  Price   // nil: the agent says what it costs, and keeps to what it may
	most   float64 // US dollars; zero: no limit
	tokens int     // that it may take; zero: no limit

	mu      sync.Mutex
	begun   int        // questions that were let through
	spent   float64    // US dollars
	unknown bool       // something has cost more, and nobody knows how much
	took    fix.Tokens // by the answers
	stopped string     // why a question was not let through
}

// named is where a request carries the name of the model that it asks.
type named struct{}

// admit says why a question may not be asked; nil where it may. The request that it returns is known by what it has asked. A run ends by a turn that may not be: without an answer to
// something else it may still do the work.
func (m *meter) admit(r *http.Request, body []byte, turn bool) (*http.Request, error) {
	if r.Method != http.MethodPost {
		return r, nil
	}
	name := modelIn(r.URL.Path, body)
	_, known := m.cost(name, fix.Tokens{})
	m.mu.Lock()
	defer m.mu.Unlock()
	var why error
	switch {
	case m.tokens > 0 && m.took.Read+m.took.Wrote >= m.tokens:
		why = fmt.Errorf("the tokens that it may take are taken (%d)", m.tokens)
	case m.most > 0 && !known:
		why = fmt.Errorf("what %s costs is not known, and there is a limit of money: write its prices into your own models.yaml", name)
	case m.most > 0 && m.spent >= m.most:
		why = fmt.Errorf("the money that it may spend is spent (%s)", budget.Dollars(m.most))
	default:
		m.begun++
		return r.WithContext(context.WithValue(r.Context(), named{}, name)), nil
	}
	if turn {
		m.stopped = why.Error()
	}
	return r, why
}

// cost is what a question has cost, as far as that is counted here.
func (m *meter) cost(name string, t fix.Tokens) (usd float64, known bool) {
	if m.price == nil {
		return 0, true
	}
	return m.price(name, t)
}

// modelIn is the model that a question names: in the path, as Gemini's do, or in the body.
func modelIn(path string, body []byte) string {
	if _, name, ok := strings.Cut(path, "/models/"); ok {
		name, _, _ = strings.Cut(name, ":")
		return name
	}
	var asks struct{ Model string }
	if json.Unmarshal(body, &asks) != nil {
		return ""
	}
	return asks.Model
}

// watch has an answer read for what it took, as it goes by.
func (m *meter) watch(r *http.Response, turn bool) {
	name, asked := r.Request.Context().Value(named{}).(string)
	if !asked {
		return
	}
	r.Body = &metered{ReadCloser: r.Body, end: func(text []byte) {
		took := usageIn(text)
		said := !took.None()
		usd, known := m.cost(name, took)
		took.Unknown = turn && !said // other questions may cost nothing, as counting does
		m.mu.Lock()
		defer m.mu.Unlock()
		if known {
			m.spent += usd
		}
		m.unknown = m.unknown || said && !known || took.Unknown
		m.took = m.took.Plus(took)
	}}
}

// sum is what all of it has cost, and whether that is known; nothing that is priced here was asked where begun is false.
func (m *meter) sum() (usd float64, known, begun bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent, !m.unknown, m.begun > 0 && m.price != nil
}

// taken is what a run has taken that says so much of itself. What its answers say counts more: they say it of each, those of agents of its own included.
func (m *meter) taken(said fix.Tokens) fix.Tokens {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.took.Unknown && !m.took.None() {
		return m.took
	}
	return fix.Tokens{Read: max(m.took.Read, said.Read), Wrote: max(m.took.Wrote, said.Wrote), Cached: m.took.Cached, Kept: m.took.Kept, Unknown: m.took.Unknown && said.None()}
}

// why is why a question was not let through; empty: none was.
func (m *meter) why() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stopped
}

// maxMetered bounds what is kept of an answer until its end, in bytes: more than any model writes.
const maxMetered = 32 << 20

// metered is an answer that is looked into at its end, however it ends.
type metered struct {
	io.ReadCloser
	text []byte
	once sync.Once
	end  func(text []byte)
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	m.text = append(m.text, p[:min(n, maxMetered-len(m.text))]...)
	if err != nil {
		m.once.Do(func() { m.end(m.text) })
	}
	return n, err
}

func (m *metered) Close() error {
	m.once.Do(func() { m.end(m.text) })
	return m.ReadCloser.Close()
}

// usage is what an answer says that it took, as Anthropic's Messages, OpenAI's Responses and Gemini say it.
type usage struct {
	Usage    *counted
	Message  struct{ Usage *counted }
	Response struct{ Usage *counted }
	Metadata *struct {
		Prompt   int `json:"promptTokenCount"`
		Tools    int `json:"toolUsePromptTokenCount"`
		Cached   int `json:"cachedContentTokenCount"`
		Answer   int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
}

// counted is what Anthropic and OpenAI have in common. Only the latter's input is all that was read.
type counted struct {
	Read    int `json:"input_tokens"`
	Details struct {
		Cached int `json:"cached_tokens"`
		Kept   int `json:"cache_write_tokens"`
	} `json:"input_tokens_details"`
	CacheRead  int `json:"cache_read_input_tokens"`
	CacheWrite int `json:"cache_creation_input_tokens"`
	Wrote      int `json:"output_tokens"`
}

// usageIn finds what an answer took: in the events of a stream, which say more and more, each maybe a part of it, or in the one document that it is.
func usageIn(text []byte) (took fix.Tokens) {
	for _, part := range append([][]byte{text}, bytes.Split(text, []byte("\n"))...) {
		part = bytes.TrimSpace(bytes.TrimPrefix(part, []byte("data:")))
		var u usage
		if !bytes.Contains(part, []byte("usage")) || json.Unmarshal(part, &u) != nil {
			continue
		}
		said := u.tokens()
		took = fix.Tokens{Read: max(took.Read, said.Read), Wrote: max(took.Wrote, said.Wrote), Cached: max(took.Cached, said.Cached), Kept: max(took.Kept, said.Kept)}
	}
	return took
}

// tokens are what one part of an answer says.
func (u usage) tokens() fix.Tokens {
	if m := u.Metadata; m != nil {
		return fix.Tokens{Read: m.Prompt + m.Tools, Wrote: m.Answer + m.Thoughts, Cached: m.Cached}
	}
	for _, c := range []*counted{u.Usage, u.Message.Usage, u.Response.Usage} {
		if c != nil {
			return fix.Tokens{Read: c.Read + c.CacheRead + c.CacheWrite, Wrote: c.Wrote, Cached: c.Details.Cached + c.CacheRead, Kept: c.Details.Kept + c.CacheWrite}
		}
	}
	return fix.Tokens{}
}
