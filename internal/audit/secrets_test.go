package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestSecretsOfExamples are passwords that open something, and others that people write down to show, or to try, where one goes.
func TestSecretsOfExamples(t *testing.T) {
	const drawn, key = "k3V9" + "sQ7mZ2", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0" + "BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----\n"
	const refuse, ask, note = audit.Refuse, audit.Ask, audit.Note
	for _, c := range []struct {
		name, path, text string
		fixer, person    audit.Effect
	}{
		{"words for a host of examples", "docs/proxy.md", "http://jo:old-password@example.org/\n", note, note},
		{"words for this machine", "src/a.py", "x = 'redis://app:hello world@localhost:6379/0'\n", "", ""},
		{"words for this machine, as they are written", "src/a.py", "x = 'redis://app:hello-world@localhost:6379/0'\n", note, note},
		{"words for a machine next door", "compose.md", "postgres://app:hello-world@db:5432/app\n", note, note},
		{"words with escapes", "tests/test_url.py", "x = 'https://jo%40example.com:pa%20ssword@example.com'\n", note, note},
		{"words for an address that templates fill in", "test/a.ts", "const x = `http://old-user:old-word@localhost:${port}/`;\n", note, note},
		{"words for any host", "src/a.py", "x = 'https://app:hello-world@db.acme.io/'\n", refuse, refuse},
		{"words for any host, in a test", "tests/test_a.py", "x = 'https://app:hello-world@db.acme.io/'\n", refuse, ask},
		{"drawn for a host of examples", "src/a.py", "x = 'postgres://app:" + drawn + "@db.example/app'\n", refuse, refuse},
		{"drawn for this machine, in a test", "tests/test_a.py", "x = 'postgres://app:" + drawn + "@localhost/app'\n", refuse, ask},
		{"a header of words, in a test", "tests/test_a.py", "x = 'Basic dXNlcm5hbWU6b3Blbi1zZXNhbWU='\n", note, note},
		{"a header of words, in code", "src/a.py", "x = 'Basic dXNlcm5hbWU6b3Blbi1zZXNhbWU='\n", refuse, refuse},
		{"an entry for a host of examples", "docs/netrc.md", "machine example.org\nlogin jo\npassword other-word\n", note, note},
		{"an entry for any host", "docs/netrc.md", "machine acme.io\nlogin jo\npassword other-word\n", refuse, refuse},
		{"a key of a test server", "tests/certs/server.key", key, refuse, ask},
		{"a key of a server", "certs/server.key", key, refuse, refuse},
	} {
		for by, want := range map[audit.Maker]audit.Effect{audit.Healer: c.fixer, audit.Person: c.person} {
			in := input(files{}, files{c.path: c.text})
			in.Goal.By = by
			found := audit.By(t.Context(), "secret", in).Findings
			if want == "" && len(found) > 0 || want != "" && (len(found) != 1 || found[0].Effect != want) {
				t.Errorf("%s, by %d: got %v, want %q", c.name, by, found, want)
			}
		}
	}
}
