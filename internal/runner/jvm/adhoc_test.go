package jvm_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"fettle/internal/check"
	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/search"
	"fettle/internal/runner/jvm"
)

func TestAdhoc(t *testing.T) {
	f, err := os.Open("/work/shared/corpora/bugs.jsonl.gz")
	if err != nil {
		t.Skip()
	}
	z, _ := gzip.NewReader(f)
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 1<<26)
	n, whole, same := 0, 0, 0
	for sc.Scan() {
		var r struct {
			ID, Source, Test, Reference string
			Files                       map[string]string
		}
		json.Unmarshal(sc.Bytes(), &r)
		if !strings.HasPrefix(r.ID, "java-small") || os.Getenv("ONLY") != "" && os.Getenv("ONLY") != r.ID {
			continue
		}
		n++
		t.Run(r.ID, func(t *testing.T) {
			p := fixtest.New(t, r.Files)
			c := check.Check{Name: "test", Lang: "java", Run: []string{"sh", "-c", r.Test}}
			s := search.New(jvm.New())
			s.Time, s.Gather = 60*time.Second, 3*time.Second
			began := time.Now()
			got := ""
			k := 0
			for cand, err := range s.Propose(t.Context(), fix.Task{Place: p, Check: c, Diagnostics: []diag.Diagnostic{{Test: "Main"}}}) {
				if err != nil {
					fmt.Println(r.ID, "ERR", err)
					return
				}
				k++
				if k == 1 {
					after, err := cand.Patch.Apply(func(name string) (edit.File, error) { return p.Source(name) })
					if err != nil {
						t.Fatal(err)
					}
					got = string(after[r.Source].Data)
				}
			}
			eq := strings.Join(strings.Fields(got), "") == strings.Join(strings.Fields(r.Reference), "")
			if k > 0 {
				whole++
			}
			if eq {
				same++
			}
			fmt.Println(r.ID, "proposed", k, "same", eq, time.Since(began).Round(time.Second))
		})
	}
	fmt.Println("ALL", n, "plausible", whole, "same", same)
}
