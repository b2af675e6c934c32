package secret_test

import (
	"strings"
	"testing"

	"fettle/internal/policy/secret"
)

// TestFromTheRoot: what leaves the machine does not say where the repository lies on it.
func TestFromTheRoot(t *testing.T) {
	r := secret.New([]string{"HOME=/srv/people/ada"})
	out := r.Outbound("/srv/people/ada/shop/", "/tmp/copy-1", "/", "")
	for in, want := range map[string][2]string{
		"/srv/people/ada/shop/a.go:3: bad":       {"a.go:3: bad", "ROOT/a.go:3: bad"},
		"cd /srv/people/ada/shop":                {"cd .", "cd ROOT"},
		"it is /srv/people/ada/shop.":            {"it is ..", "it is ROOT."},
		"in /srv/people/ada/shop/":               {"in ./", "in ROOT/"},
		"/srv/people/ada/shopping/a":             {"~/shopping/a", "~/shopping/a"},
		"/srv/people/ada/.cache/go":              {"~/.cache/go", "~/.cache/go"},
		"(/tmp/copy-1/x/y.py) /tmp/copy-12/z":    {"(x/y.py) /tmp/copy-12/z", "(ROOT/x/y.py) /tmp/copy-12/z"},
		`File "/tmp/copy-1/x.py", line 3`:        {`File "x.py", line 3`, `File "ROOT/x.py", line 3`},
		"P=/tmp/copy-1/bin:/tmp/copy-1/lib":      {"P=bin:lib", "P=ROOT/bin:ROOT/lib"},
		"cc -I/tmp/copy-1/include /usr/a.c":      {"cc -Iinclude /usr/a.c", "cc -IROOT/include /usr/a.c"},
		"/mnt/tmp/copy-1/x":                      {"/mnt/tmp/copy-1/x", "/mnt/tmp/copy-1/x"},
		"/tmp/copy-1/x: password: 'hunter2-abc'": {"x: password: '" + mark(r, "hunter2-abc") + "'", "ROOT/x: password: '" + mark(r, "hunter2-abc") + "'"},
	} {
		if got := out.Text(in); got != want[0] {
			t.Errorf("%q became %q, want %q", in, got, want[0])
		}
		if got := out.Naming("ROOT").Text(in); got != want[1] {
			t.Errorf("with a name %q became %q, want %q", in, got, want[1])
		}
	}
	if in := `open("/srv/people/ada/shop/a")`; out.Source(in) != in {
		t.Errorf("a source became %q", out.Source(in))
	}
	if got := (secret.Outbound{}).Text("/home/ada/x ghp_" + body); !strings.HasPrefix(got, "~/x [REDACTED:github:") {
		t.Errorf("nobody has a redactor: %q", got)
	}
}

func mark(r *secret.Redactor, value string) string {
	text := []byte("password: " + value)
	return r.Mark(text, secret.Finding{Rule: "assigned", Start: len("password: "), End: len(text)})
}

// TestSecretsThatAreWords: a passphrase does not leave the machine, and what only stands behind such a name does. What stays here stays as it is.
func TestSecretsThatAreWords(t *testing.T) {
	r := secret.New(nil)
	out := r.Outbound()
	for _, form := range []string{
		`PASSWORD = "@"`, `api_secret = '@'`, `{"db_password": "@"}`, `password: "@"`, `passwd := "@"`, `var apiKey string = "@"`, `clientSecret: "@"`, `"access_token" => "@"`, `if password == "@":`,
		`os.Setenv("DB_PASSWORD", "@")`, `<password>@</password>`, "A=b\nDB_PASSWORD=@\n", "export API_KEY=@", `"{\"password\": \"@\"}"`, `token = "@"`, `if (user.secret === '@')`, `login(password="@")`,
	} {
		for _, value := range []string{"correct-horse-battery", "mysupersecretvalue"} {
			in := strings.ReplaceAll(form, "@", value)
			want := strings.Replace(in, value, mark(r, value), 1)
			if got := out.Source(in); got != want {
				t.Errorf("%s became %s", in, got)
			}
			if out.Source(want) != want {
				t.Errorf("%s is taken for a secret once more", want)
			}
			if got := r.RedactString(in); got != in {
				t.Errorf("here %s became %s", in, got)
			}
		}
	}
	for _, in := range []string{
		`PASSWORD = "changeme"`, `password = "<password>"`, `PASSWORD = "${DB_PASSWORD}"`, `PASSWORD = os.environ["DB_PASSWORD"]`, `password = settings.database.password`, `PASSWORD=$(pass show db)`,
		`password = getpass.getpass()`, `token = "identifier"`, `{"token": "keyword.control.flow"}`, `if token == "function_declaration":`, `t.tokenValue === "constructor"`, `lastToken = "?InTemplateString"`, `"auth0": "types-auth0-python"`, `credentials: "same-origin"`, `auth = "required"`, `"password": "required|confirmed"`,
		`{"password": "Please choose one"}`, `token_url = "https://host/oauth/authorize"`, `password_field = "correct-horse-battery"`, `tokenizer = "whitespace-only"`, `next_page_token = "the-second-page"`,
		`secret = "/run/secrets/database"`, `password=password_of_user, name`, `password: PasswordField`, `csrf_token: "of-every-form"`, `passwords = ["correct-horse-battery"]`, `password = "short"`, `PASSWORD_HASHER = "argon-two"`,
		`<input type="password" name="password" placeholder="your password">`, `password != other.password`, `"secret": "access_token"`, `self.token = next_token_of(source)`, `assert x, "password:correct horse"`,
	} {
		if got := out.Source(in); got != in {
			t.Errorf("%s became %s", in, got)
		}
	}
}
