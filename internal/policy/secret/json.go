package secret

import (
	"bytes"
	"encoding/json"
)

// RedactJSON is Redact for a JSON document, which stays one: where a mark would break its form, each of its texts is redacted by itself.
func (r *Redactor) RedactJSON(doc []byte) []byte {
	clean := r.Redact(doc)
	if len(clean) == len(doc) && bytes.Equal(clean, doc) || json.Valid(clean) || !json.Valid(doc) {
		return clean
	}
	var out bytes.Buffer
	for at := 0; at < len(doc); {
		n := bytes.IndexByte(doc[at:], '"')
		if n < 0 {
			out.Write(doc[at:])
			break
		}
		out.Write(doc[at : at+n])
		at += n
		end := at + 1
		for doc[end] != '"' {
			if doc[end] == '\\' {
				end++
			}
			end++
		}
		out.Write(r.redactText(doc[at : end+1]))
		at = end + 1
	}
	return out.Bytes()
}

// redactText redacts one text of a JSON document, quotes included.
func (r *Redactor) redactText(quoted []byte) []byte {
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return quoted
	}
	clean := r.RedactString(text)
	if clean == text {
		return quoted
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(clean) != nil {
		return []byte(`""`)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
