package model

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// offersTime is how long a server may take to say which models it has.
const offersTime = 3 * time.Second

// Offers are the full names of the models that a provider says it has, sorted. Only what speaks OpenAI's wire is asked; it costs nothing.
func (c *Client) Offers(ctx context.Context, provider string) ([]string, error) {
	h := c.hosts[provider]
	if h == nil {
		return nil, fmt.Errorf("there is no provider %s: %s", provider, c.missing[provider])
	}
	o, ok := h.Provider.(*openAI)
	if !ok {
		return nil, fmt.Errorf("%s does not say which models it has", provider)
	}
	ctx, cancel := context.WithTimeout(ctx, offersTime)
	defer cancel()
	names, err := o.offers(ctx)
	if err != nil {
		return nil, c.veiled(err, provider, "")
	}
	for i, name := range names {
		names[i] = provider + "/" + name
	}
	slices.Sort(names)
	return names, nil
}

// offers asks the server for the names of its models.
func (o *openAI) offers(ctx context.Context) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, o.base+"/models", http.NoBody)
	if err != nil {
		return nil, broken(o.name, "", 0, err)
	}
	if o.key != "" {
		req.Header.Set("Authorization", "Bearer "+o.key)
	}
	resp, err := o.web.Do(req)
	if err != nil {
		return nil, broken(o.name, "", 0, err)
	}
	defer func() { _ = resp.Body.Close() }() // only read
	var list struct {
		Data []struct{ ID string }
	}
	if resp.StatusCode == http.StatusOK {
		err = json.NewDecoder(resp.Body).Decode(&list)
	}
	if resp.StatusCode != http.StatusOK || err != nil {
		return nil, &Error{Kind: Malformed, Provider: o.name, Status: resp.StatusCode, Message: fmt.Sprintf("it does not say which models it has (HTTP %d)", resp.StatusCode)}
	}
	var names []string
	for _, m := range list.Data {
		if m.ID != "" {
			names = append(names, m.ID)
		}
	}
	return names, nil
}
