package prompt

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"fettle/internal/diag"
	"fettle/internal/fix"
)

// subject identifies what a question is about, whatever is shown with it: whom is asked, and which findings. It begins the name of every question about that, so that it is seen without
// making the request whether there is any.
func (f *fixer) subject(t fix.Task) (string, error) {
	var ids []diag.Fingerprint
	for _, d := range t.Diagnostics {
		ids = append(ids, d.ID)
	}
	text, err := json.Marshal([]any{f.Name(), f.o.Model, t.Check.Name, ids})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8]) + "-", nil
}

// Recalls implements [fix.Recaller].
func (f *fixer) Recalls(ctx context.Context, t fix.Task) bool {
	about, err := f.subject(t)
	if err != nil || f.o.Book == nil {
		return false
	}
	known, err := f.o.Book.Asked(ctx, about)
	return err == nil && known // to remember saves money, and is no condition
}
