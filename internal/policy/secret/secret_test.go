package secret_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fettle/internal/policy/secret"
)

// row is one text of testdata/*.jsonl.gz: synthetic, with the exact secrets in it.
type row struct {
	Text    string   `json:"text"`
	Label   string   `json:"label"`
	Secrets []string `json:"secrets"`
	Note    string   `json:"note"`
}

func corpus(t testing.TB, name string) []row {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for d := json.NewDecoder(z); d.More(); {
		var r row
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if len(rows) < 28 {
		t.Fatalf("only %d rows", len(rows))
	}
	return rows
}

func TestCorpus(t *testing.T) {
	r := secret.New(nil)
	for _, row := range slices.Concat(corpus(t, "secrets.jsonl.gz"), corpus(t, "drawn.jsonl.gz"), corpus(t, "kinds.jsonl.gz"), corpus(t, "further.jsonl.gz")) {
		got := r.RedactString(row.Text)
		if row.Label == "benign" && got != row.Text {
			t.Errorf("false alarm: %q became %q", row.Text, got)
		}
		for _, s := range row.Secrets {
			if strings.Contains(got, s) {
				t.Errorf("%q is still in %q", s, got)
			}
		}
	}
}

// A made-up token: no rule may need a real one. It is put together here so that no scanner takes this file for a leak.
const body = "9aZ3kQ7xW2mN8bV4cT6yR1pL5sD0fGhJ" + "uE3iO7qA2wS6"

func TestFinds(t *testing.T) {
	r := secret.New([]string{"HOME=/home/ada", "DB_PASSWORD=correct horse/battery", "PATH=/usr/bin", "MY_TOKEN=short", "API_TOKEN=abc\"def+ghi"})
	for text, want := range map[string]string{
		"key ghp_" + body:           "github",
		"github_pat_" + body:        "github",
		"sk-" + body:                "openai",
		"sk-ant-api03-" + body:      "anthropic",
		"xoxb-123456789012-" + body: "slack",
		"pypi-" + body:              "pypi",
		"AKIA" + "J7Q2M4X9B3V8C5Z1": "aws",
		"key=AQ." + body:            "gcp",
		`x\nghp_` + body + `\n`:     "github",
		"q=1%3Dghp_" + body:         "github",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9." + body: "jwt",
		"postgres://u:s3cr3t@db/x":                          "url-password",
		"https://me:p%40ss@h:1/":                            "url-password",
		"Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("me:hunter2")): "basic",
		"authorization: bearer " + body:          "bearer",
		"password=hunter2":                       "assigned",
		`"dbPassword": "Tr0ub4dor&3"`:            "assigned",
		`{"log": "api_key=\"` + body + `\""}`:    "assigned",
		"SECRET_KEY = '" + body + "'":            "assigned",
		"--api-key " + body:                      "assigned",
		"mysql --password=hunter2 db":            "assigned",
		"os.environ['API_KEY'] = '" + body + "'": "assigned",
		"client_secrets = '" + body + "'":        "assigned",
		"see ghp_" + body + ".":                  "github",
		"it is correct horse/battery here":       "env",
		"it is correct+horse%2Fbattery here":     "env",
		"echo " + base64.StdEncoding.EncodeToString([]byte("correct horse/battery")): "env",
		`{"v":"abc\"def+ghi"}`: "env",
		"https://hooks.slack.com/services/T0123ABCD/B0123ABCD/" + body: "slack",
		"\x1b[1mgh\x1b[0mp_" + body:                                    "github",
		"-----BEGIN PRIVATE KEY-----\n" + body + body + body:           "pem", // cut off
	} {
		found := r.Find([]byte(text))
		if len(found) != 1 || found[0].Rule != want {
			t.Errorf("%q: %+v, want one of %s", text, found, want)
		}
	}
}

func TestNoFalseAlarms(t *testing.T) {
	r := secret.New([]string{"MY_TOKEN=short", "SSH_KEY_PATH=/home/ada/.ssh/id", "X_SECRET=/run/secrets/x", "A_PASSWORD=password"})
	for _, text := range []string{
		`if strings.HasPrefix(tok, "ghp_") || strings.HasPrefix(tok, "sk-ant-") {`,
		`token := tokens[i2]`, `secret = get_secret2("db/password")`, `password = request.form["password1"]`, `token = self.token_v2`,
		`token = next(tokens2)`, `password: str`, `passwd *string`, `tokenType = "Bearer2Tokens"`, `token_url = "https://h/oauth2/v1/token9"`,
		`PASSWORD_RESET_PATH = "/reset/1a2b3c4d5e6f"`, `const tokenEOF = 0x1234567890ab`, `case token.ADD:`, `password=$DB_PASSWORD_1`, `password=${DB_PASS1}`,
		`PASSWORD=<your-password-1>`, `api_key="xxxxxxxxxxxx1234"`, `api_key: ${{ secrets.API_KEY1 }}`, `password = "password"`, `password=********`,
		`bearer = "Bearer " + token`, `Authorization: Bearer {token1234567890}`, `basic operations12`, `bearer of bad news from 1999`,
		`xoxp-572370529330-573807301142-572331691188-####################`, `"token4": "xoxb-572370529330-573807301142-####################"`, `sgp_5555555dAAAAA7777777CcccCFaaaaaaaaaaaaaa`,
		`http://h/media/video_box.ico-7a388b69018576d24b59331fd60aab0c.png`, `keyVaultToStoreSecrets: cmp2-qat-1208358310`, `scan_secrets: nightly-0412-build7`,
		`.sk-fading-circle .sk-circle12-before {`, `pypi-publish-action-version`, `https://h/a:b@c`, `git@github.com:a/b.git`, `http://localhost:8080/@x`,
		`sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`, `commit 86cafc3e0d48503e97c84acb873c10d386cafc3e`,
		`go.sum h1:` + body + `=`, `-----BEGIN CERTIFICATE-----` + body, `strings.Contains(s, "-----BEGIN RSA PRIVATE KEY-----")`, `"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"`,
		`func secretName(name string) kind {`, `token == 'x1y2z3'`, `key = "a1b2c3d4e5f6a7b8"`, `eyJ is how base64 of {" begins`, `eyJhbGciOiJIUzI1NiJ9`,
		`mkdir -p build1/output2`, `docker run -p 8080:80 x`, `AKIAIOSFODNN7EXAMPLE`, `pass1 = True`, `the short MY_TOKEN`, `ssh /home/ada/.ssh/id`, `pass: 3, fail: 12345678`,
		`PrivateKey: testRSA2048PrivateKey`, `f.pass = &emptyPass`, `--- PASS: Test12345678/x`, `groupname:password:GID:user`, `"encryptionKey": "encryptionKey1024"`,
		`Passwords: 12345678 found`, `tokens=12345678901234`, `max_tokens: 128000`, `"token": "IDENTIFIER_2_NAME"`, `password2 == password1`,
	} {
		if found := r.Find([]byte(text)); len(found) > 0 {
			t.Errorf("%q: %+v", text, found)
		}
	}
}

var markForm = regexp.MustCompile(`^\[REDACTED:[a-z-]+:[0-9a-f]{8}\]$`)

func TestMarks(t *testing.T) {
	r, other := secret.New(nil), secret.New(nil)
	a, b := r.RedactString("ghp_"+body), r.RedactString("ghp_"+body+"x")
	if !markForm.MatchString(a) || a == b {
		t.Errorf("got %q and %q", a, b)
	}
	if again := r.RedactString("see ghp_" + body + "."); again != "see "+a+"." {
		t.Errorf("the same secret has another mark: %q", again)
	}
	if c := other.RedactString("ghp_" + body); c == a {
		t.Error("marks of two redactors are the same: the key is not used")
	}
	if got := r.RedactString("\x1b[31mghp_" + body[:20] + "\x1b[0m" + body[20:]); got != "\x1b[31m"+a {
		t.Errorf("colours change the mark: %q", got)
	}
	text := []byte("nothing here")
	if got := r.Redact(text); &got[0] != &text[0] {
		t.Error("a text without secrets was copied")
	}
	for _, text := range []string{"[REDACTED:ghp_R8yKq2Lm9Nv4Rt6Ws1ZbXy7Kq2Lm9Nv4Rt6]", "[REDACTED:x:ghp_R8yKq2Lm9Nv4Rt6Ws1ZbXy7Kq2Lm9Nv4Rt6]"} { // no mark, only dressed as one
		if got := r.RedactString(text); strings.Contains(got, "R8yKq2") {
			t.Errorf("%s became %s", text, got)
		}
	}
	if got := r.RedactString("postgres://me:hunter2@db:5432/x?y"); !regexp.MustCompile(`^postgres://me:\[REDACTED:url-password:[0-9a-f]{8}\]@db:5432/x\?y$`).MatchString(got) {
		t.Errorf("got %q", got)
	}
}

func TestOutbound(t *testing.T) {
	r := secret.New([]string{"HOME=/srv/people/ada/"})
	for in, want := range map[string]string{
		"/srv/people/ada/x.go:3: bad":                 "~/x.go:3: bad",
		"/srv/people/ada":                             "~",
		"/srv/people/adam/x":                          "/srv/people/adam/x",
		"x/srv/people/ada/y":                          "x/srv/people/ada/y",
		"at file:///home/bob/a.py, /home/bob":         "at file://~/a.py, ~",
		`"/Users/José/a" 'C:\Users\eve\b'`:            `"~/a" '~\b'`,
		`{"p":"C:\\Users\\eve\\b"}`:                   `{"p":"~\\b"}`,
		"https://h/home/x":                            "https://h/home/x",
		"/home/":                                      "/home/",
		"it lies in /srv/people/ada.":                 "it lies in ~.",
		"cc -I/srv/people/ada/h a-i/srv/people/ada/y": "cc -I~/h a-i/srv/people/ada/y",
		"/home/ada ghp_" + body:                       "~ " + r.RedactString("ghp_"+body),
	} {
		if got := r.Outbound().Text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	root := secret.New([]string{"HOME=/"})
	if got := root.Outbound().Text("/usr/x"); got != "/usr/x" {
		t.Errorf("got %q", got)
	}
}

// pieces are what texts in which marks, names and tokens meet are made of.
func pieces(t testing.TB) []string {
	out := []string{
		"password=", "?password=", "&sig=a", "machine ", "mysql -p", "token: ", `"`, `\"`, `'`, " ", "\n", `\n`, "ghp_" + body, "sk-", "eyJ", ".", "@", "://", ":", "=", "Bearer ", "Basic ", "[REDACTED:", "]",
		"-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "\x1b[31m", "\x1b", "0x", "x", "hunter2", body, "é", "\xff", "AKIA", "--password", "value-of-env-1",
		"[REDACTED:github:01234567]", "/home/ada/", `" + "`, "\" \\\n\"", "token = (\n", `'.'`, "Private-Lines: 9\n",
	}
	for _, r := range corpus(t, "secrets.jsonl.gz") {
		out = append(out, r.Text)
	}
	return out
}

var anyMark = regexp.MustCompile(`\[REDACTED:[a-z0-9-]+:[0-9a-f]{8}\]`)

// between reports whether what stands between the marks of a redacted text stands in the text in that order, from its beginning to its end.
func between(text, redacted string) bool {
	parts := anyMark.Split(redacted, -1)
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	for _, part := range parts[1 : len(parts)-1] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// TestIdempotent: redacting what is redacted changes nothing, and nothing outside of the marks is altered.
func TestIdempotent(t *testing.T) {
	r := secret.New([]string{"A_SECRET=value-of-env-1"})
	all := pieces(t)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(all), 0, 12).Draw(t, "pieces"), "")
		once := r.Redact([]byte(text))
		if twice := r.Redact(once); !bytes.Equal(once, twice) {
			t.Fatalf("%q\n%q\n%q", text, once, twice)
		}
		if !between(text, string(once)) {
			t.Fatalf("%q: bytes outside of marks were altered: %q", text, once)
		}
		if strings.Contains(string(once), "value-of-env-1") {
			t.Fatalf("%q keeps the variable's value: %q", text, once)
		}
	})
}

// TestWholeMarks: what one round of redaction leaves and what the next one finds never meet in the middle of a mark. An escape before a
// mark is no control sequence together with its bracket, and a password that begins in a mark takes the whole of it.
func TestWholeMarks(t *testing.T) {
	for _, text := range []string{"?password=\x1bghp_" + body, "://" + "ghp_" + body + "password=@"} {
		got := secret.New(nil).RedactString(text)
		if !anyMark.MatchString(got) || strings.Count(got, "[") != 1 || !between(text, got) {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, p := range pieces(f) {
		f.Add([]byte(p))
	}
	r := secret.New([]string{"A_SECRET=value-of-env-1"})
	f.Fuzz(func(t *testing.T, text []byte) {
		end := 0
		for _, found := range r.Find(text) {
			if found.Start < end || found.End <= found.Start || found.End > len(text) {
				t.Fatalf("%+v in %d bytes after %d", found, len(text), end)
			}
			end = found.End
		}
		once := r.Redact(text)
		if !bytes.Equal(once, r.Redact(once)) {
			t.Errorf("%q is redacted further", once)
		}
		if !between(string(text), string(once)) {
			t.Errorf("%q: bytes outside of marks were altered: %q", text, once)
		}
		_ = r.Outbound("/home/ada/p").Text(string(text))
	})
}

// Texts made to make a scanner look at everything again and again take a time that grows with their size, not its square.
func TestLinearTime(t *testing.T) {
	r := secret.New([]string{"A_SECRET=value-of-env-1"})
	for _, piece := range pieces(t) {
		if piece == "\x1b" {
			continue
		}
		text := bytes.Repeat([]byte(piece), 1<<18/len(piece))
		began := time.Now()
		r.Find(text)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("256 KB of %.40q took %v", piece, took)
		}
	}
}

func BenchmarkRedactLog(b *testing.B) {
	r := secret.New([]string{"A_SECRET=value-of-env-1"})
	text := bytes.Repeat([]byte("--- FAIL: TestX (0.00s)\n    x_test.go:12: token = scanner.Next(): got 3, want 4 at /home/ada/x\n"), 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Redact(text)
	}
}
