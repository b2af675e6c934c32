package model_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fettle/internal/budget"
	"fettle/internal/model"
	"fettle/internal/testenv"
)

// BenchmarkCall is what fettle itself takes for a call, besides the provider: a prompt of 16 KB, an answer of 4 KB in 400 pieces, and the books on the disk; at last with a limit that other
// processes share. The server's own work is in it too.
func BenchmarkCall(b *testing.B) {
	prompt := strings.Repeat("func f(x int) int { return x + 1 }\n", 470)
	for _, name := range []string{"script", "openai", "anthropic", "anthropic, shared"} {
		b.Run(name, func(b *testing.B) {
			wire, _, shared := strings.Cut(name, ",")
			answer := ""
			if wire == "openai" {
				answer = strings.Repeat(`data: {"choices":[{"index":0,"delta":{"content":"ten bytes."}}]}`+"\n\n", 400) + "data: " + stop + "data: " + usage + "data: " + done
			} else {
				answer = begin + claudeEvent("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`) +
					strings.Repeat(claudeEvent("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ten bytes."}}`), 400) +
					claudeEvent("content_block_stop", `{"type":"content_block_stop","index":0}`) + because("end_turn")
			}
			script, err := model.ReadScript("s.yaml", []byte("replies: [{repeat: true, say: "+strings.Repeat("ten bytes.", 400)+"}]"))
			if err != nil {
				b.Fatal(err)
			}
			served := wire
			if wire == "script" {
				served = "openai"
			}
			client, _ := serve(b, served, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, answer)
			}, func(o *model.Options) {
				if shared {
					folder, s := b.TempDir(), o.Table.Providers["here"]
					s.RequestsPerMinute = 1 << 30
					o.Table.Providers["here"] = s
					o.Shared, o.Clock = func() (string, error) { return folder, nil }, nil
				}
				o.Purse = &budget.Ledger{DB: books(b), Session: "s", Limits: budget.Limits{Tokens: budget.Counts{Day: 1 << 40}}}
				if wire == "script" {
					o.Providers = []model.Provider{model.Scripted("here", script)}
				}
			})
			r := ask()
			r.Messages[0].Text = prompt
			before := testenv.OwnCPU(b)
			for b.Loop() {
				if got, err := client.Call(b.Context(), r); err != nil || len(got.Text) != 4000 {
					b.Fatal(len(got.Text), err)
				}
			}
			b.ReportMetric(float64((testenv.OwnCPU(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}
