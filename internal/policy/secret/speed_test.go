package secret_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/policy/secret"
)

// ordinary is at least a mebibyte of text of one kind, without secrets.
func ordinary(t testing.TB, kind string) []byte {
	t.Helper()
	var b bytes.Buffer
	switch kind {
	case "source":
		names, err := filepath.Glob("../*/*.go")
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for i := 0; b.Len() < 1<<20; i++ {
			name := names[i%len(names)]
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(data)
		}
	case "log":
		for i := 0; b.Len() < 1<<20; i++ {
			fmt.Fprintf(&b, "2026-03-04T05:06:%02d.%03dZ INFO request=%08x path=/v1/items/%d status=200 took=%dms user_agent=\"curl/8.5\"\n", i%60, i%1000, i*7919, i, i%97)
			fmt.Fprintf(&b, "--- FAIL: TestScanner%d (0.00s)\n    scanner_test.go:%d: token = scanner.Next(): got %d, want %d at /home/ada/x\n", i, i%300, i, i+1)
		}
	case "json":
		for i := 0; b.Len() < 1<<20; i++ {
			fmt.Fprintf(&b, "{\"id\": %d, \"name\": \"item-%d\", \"tags\": [\"a\", \"b\"], \"url\": \"https://example.org/items/%d\", \"sha\": \"%040x\"},\n", i, i, i, i*104729)
		}
	}
	return b.Bytes()[:1<<20]
}

// BenchmarkRedact redacts one MiB of each kind, with a dozen secret variables in the environment.
func BenchmarkRedact(b *testing.B) {
	var env []string
	for i := range 12 {
		env = append(env, fmt.Sprintf("SERVICE_%d_TOKEN=value-%d-of-a-variable-%d", i, i*7, i*i))
	}
	r := secret.New(env)
	for _, kind := range []string{"source", "log", "json"} {
		text := ordinary(b, kind)
		b.Run(kind, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r.Redact(text)
			}
		})
	}
}
