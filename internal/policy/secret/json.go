package secret

import (
	"bytes"
	"encoding/json"
)

// RedactJSON is Redact for a JSON document, which stays one. Each of its texts, read as what it says, shows where a line of it begins, and where a value ends: in
// "…\napi_key = …" the name is not napi_key, and \u0026 is a sign like others. The document as a whole shows which name a value has.
func (r *Redactor) RedactJSON(doc []byte) []byte {
	if !json.Valid(doc) {
		return r.Redact(doc)
	}
	if bytes.IndexByte(doc, '\\') >= 0 { // what its texts say is not what stands there
		doc = r.redactTexts(doc)
	}
	if clean := r.Redact(doc); json.Valid(clean) {
		return clean
	}
	return r.redactTexts(doc)
}

// redactTexts redacts the texts of a JSON document, each by itself.
func (r *Redactor) redactTexts(doc []byte) []byte {
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
