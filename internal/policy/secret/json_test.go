package secret_test

import (
	"encoding/json"
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
	for _, doc := range []string{`{"a": "b"}`, `[1, "password", {"key": null}]`, `{"url": "https://h/x?y=z"}`, "not JSON"} {
		if got := string(r.RedactJSON([]byte(doc))); got != doc {
			t.Errorf("%s became %s", doc, got)
		}
	}
}
