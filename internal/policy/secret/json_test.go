package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/policy/secret"
)

// TestRedactJSON: a document stays one, whatever stands in its texts, and none of them keeps a secret.
func TestRedactJSON(t *testing.T) {
	r := secret.New([]string{"A_SECRET=value-of-env-1"})
	all := append(pieces(t), `{"password": "`, "\\", "password=\"", "kind: Secret\ndata:\n  ", "curl -u a:")
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.SampledFrom(all), 0, 8).Draw(t, "pieces")
		doc, err := json.Marshal(map[string]any{"text": strings.Join(texts, ""), "texts": texts, "n": 1.5})
		if err != nil {
			t.Fatal(err)
		}
		clean := r.RedactJSON(doc)
		if !json.Valid(clean) {
			t.Fatalf("%s\nis no document any more:\n%s", doc, clean)
		}
		if strings.Contains(string(clean), "value-of-env-1") {
			t.Fatalf("a secret is left in %s", clean)
		}
	})
	// A name that begins a line of a text, behind what stands for the end of the line before.
	for _, text := range []string{"[x]\napi_key = \"%s\"", "a\n\tsecretKey: %s", "a\r\nsecret_key=%s", "a\nprivate_key: %s", "a\\b\ntoken: %s"} {
		key := "a4c1f09e7b2d4c6e8a13579bdf2468ace0f1"
		doc, err := json.Marshal(map[string]string{"content": fmt.Sprintf(text, key)})
		if err != nil {
			t.Fatal(err)
		}
		if clean := r.RedactJSON(doc); !json.Valid(clean) || bytes.Contains(clean, []byte(key)) {
			t.Errorf("%s became %s", doc, clean)
		}
	}
	for _, doc := range []string{`{"a": "b"}`, `[1, "password", {"key": null}]`, `{"url": "https://h/x?y=z"}`, "not JSON"} {
		if got := string(r.RedactJSON([]byte(doc))); got != doc {
			t.Errorf("%s became %s", doc, got)
		}
	}
}
