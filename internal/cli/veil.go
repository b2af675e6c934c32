package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"sync"

	"fettle/internal/policy/secret"
)

// veil puts marks in the place of secrets in what is printed. What tools say is cleaned where it is read, so that nothing else is kept;
// names of files and tests, commands, and messages of errors are not, as they must stay what they are, and may hold secrets too.
type veil struct {
	to io.Writer
	r  *secret.Redactor
}

// Write redacts each piece by itself: progress and questions have no ends of lines to wait for.
func (v veil) Write(p []byte) (int, error) {
	clean := v.r.Redact(p)
	n, err := v.to.Write(clean)
	if err == nil {
		return len(p), nil
	}
	return min(n, len(p)), err
}

// redactor is the one of this process: the same secret has the same mark wherever it is kept or printed.
var redactor = sync.OnceValue(func() *secret.Redactor { return secret.New(os.Environ()) })

// veiled is where a command reads and writes, with a veil over both outputs.
func veiled(to IO) IO {
	to.Out, to.Err = veil{to.Out, redactor()}, veil{to.Err, redactor()}
	return to
}

// document is a value as JSON, without secrets. It stays JSON.
func (a *app) document(v any, indent string) ([]byte, error) {
	text, err := encode(v, indent)
	if err != nil {
		return nil, err
	}
	return redactor().RedactJSON(text), nil
}

func encode(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", indent)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return out.Bytes(), err
}
