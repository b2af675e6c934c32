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
)

// Price is what a question to a model costs, by the model's name as the agent calls it; of what is read, cached was kept from before. Known is false where nobody knows.
type Price func(model string, read, cached, wrote int) (usd float64, known bool)

// meter adds up what is asked through a door, for agents that do not say what they cost: nothing more goes through when the money is spent.
type meter struct {
	price Price
	most  float64 // US dollars; zero: no limit

	mu      sync.Mutex
	begun   int     // questions that were let through
	spent   float64 // US dollars
	unknown bool    // something has cost more, and nobody knows how much
	stopped string  // why a question was not let through
}

// named is where a request carries the name of the model that it asks.
type named struct{}

// admit says why a question may not be asked; nil where it may. The request that it returns is known by what it has asked. A run ends by a turn that may not be: without an answer to
// something else it may still do the work.
func (m *meter) admit(r *http.Request, body []byte, turn bool) (*http.Request, error) {
	if m == nil || r.Method != http.MethodPost {
		return r, nil
	}
	name := modelIn(r.URL.Path, body)
	_, known := m.price(name, 0, 0, 0)
	m.mu.Lock()
	defer m.mu.Unlock()
	var why error
	switch {
	case m.most > 0 && !known:
		why = fmt.Errorf("what %s costs is not known, and there is a limit of money: write its prices into your own models.yaml", name)
	case m.most > 0 && m.spent >= m.most:
		why = fmt.Errorf("the money that it may spend is spent ($%.2f)", m.most)
	default:
		m.begun++
		return r.WithContext(context.WithValue(r.Context(), named{}, name)), nil
	}
	if turn {
		m.stopped = why.Error()
	}
	return r, why
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
	if m == nil || !asked {
		return
	}
	r.Body = &metered{ReadCloser: r.Body, end: func(text []byte) {
		read, cached, wrote, said := usageIn(text)
		usd, known := m.price(name, read, cached, wrote)
		m.mu.Lock()
		defer m.mu.Unlock()
		if known {
			m.spent += usd
		}
		m.unknown = m.unknown || said && !known || turn && !said // other questions may cost nothing, as counting does
	}}
}

// sum is what all of it has cost, and whether that is known; nothing was asked where begun is false.
func (m *meter) sum() (usd float64, known, begun bool) {
	if m == nil {
		return 0, false, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spent, !m.unknown, m.begun > 0
}

// why is why a question was not let through; empty: none was.
func (m *meter) why() string {
	if m == nil {
		return ""
	}
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

// usage is what an answer says that it took, as OpenAI's Responses and as Gemini say it.
type usage struct {
	Usage    *openUsage
	Response struct{ Usage *openUsage }
	Metadata *struct {
		Prompt   int `json:"promptTokenCount"`
		Tools    int `json:"toolUsePromptTokenCount"`
		Cached   int `json:"cachedContentTokenCount"`
		Answer   int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
}

type openUsage struct {
	Read    int `json:"input_tokens"`
	Details struct {
		Cached int `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	Wrote int `json:"output_tokens"`
}

// usageIn finds the last word on what an answer took: in an event of a stream, or in the one document that it is.
func usageIn(text []byte) (read, cached, wrote int, said bool) {
	for _, part := range append([][]byte{text}, bytes.Split(text, []byte("\n"))...) {
		part = bytes.TrimSpace(bytes.TrimPrefix(part, []byte("data:")))
		var u usage
		if !bytes.Contains(part, []byte("usage")) || json.Unmarshal(part, &u) != nil {
			continue
		}
		if u.Usage == nil {
			u.Usage = u.Response.Usage
		}
		switch {
		case u.Usage != nil:
			read, cached, wrote, said = u.Usage.Read, u.Usage.Details.Cached, u.Usage.Wrote, true
		case u.Metadata != nil:
			read, cached, wrote, said = u.Metadata.Prompt+u.Metadata.Tools, u.Metadata.Cached, u.Metadata.Answer+u.Metadata.Thoughts, true
		}
	}
	return read, cached, wrote, said
}
