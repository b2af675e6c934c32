package secret_test

import (
	"strings"
	"testing"

	"fettle/internal/policy/secret"
)

// drawn is a value such as a machine makes, without a known beginning.
const drawn = "q7Zt2LkV9xWm4NcBv8RpYd6s"

// TestFindsInEveryForm: a name that says what it holds is recognised in the forms in which languages and formats give things names.
func TestFindsInEveryForm(t *testing.T) {
	r := secret.New(nil)
	for _, form := range []string{
		`demoToken="S"`, `demoToken = S`, `{"demo_token": "S"}`, `{"config.ini": "DEMO_TOKEN=S\nBACKUP=true"}`, "<demoToken>\n    S\n</demoToken>",
		`demo_token: 'S'`, `string demoToken = "S";`, `var demoToken string = "S"`, `val demoToken: String = "S"`, `demo_token: str = 'S'`, "demoToken := `S`",
		`$demoToken .= "S"`, `System.setProperty("DEMO_TOKEN", "S")`, `  "demoToken" => "S"`, `demo_TOKEN ::= "S"`, `demo_TOKEN :::= "S"`, `demo_TOKEN ?= "S"`,
		`<add key="DemoToken" value="S" />`, "- name: DEMO_TOKEN\n  value: S", `{"name": "demo-token", "value": "S"}`, `demo_token2 = "S"`, `DEMO_AUTHTOKEN: S`,
		`demo_secret_value = "S"`, `Authorization: Token S`, `curl -H 'X-Auth-Token: S' https://h`, `curl -u me:S https://h`, `curl --user 'me:S' h`, `curl --user me:'S' h`,
		`curl -u S: https://h`, "kind: Secret\ndata:\n  x: S\nmetadata:\n  name: y", "data:\n  x: |\n    S\nkind: \"Secret\"\n", `https://discord.com/api/webhooks/829174650382917465/SxS`,
	} {
		text := strings.ReplaceAll(form, "S", "\x00")
		if strings.Contains(form, "String") || strings.Contains(form, "System") || strings.Contains(form, "Secret") {
			text = strings.NewReplacer("String", "String", "System", "System", "Secret", "Secret", "S", "\x00").Replace(form)
		}
		text = strings.ReplaceAll(text, "\x00", drawn)
		if got := r.RedactString(text); strings.Contains(got, drawn) || !strings.Contains(got, "[REDACTED:") {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestPlaces: a password is found, and nothing beside it, where a program, a file or an address has its place for it.
func TestPlaces(t *testing.T) {
	const pw, hash = "hunter2x", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
	const sas = "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d%3D"
	for _, c := range []struct{ text, secret string }{
		{"mysql -u root -phunter2x app", pw}, {"mysql -uroot -p'hunter2x' app", pw}, {"$ mysqldump -psesame app > x.sql", "sesame"}, {"DB=1 sudo /usr/bin/mysql -psesame", "sesame"}, {"docker exec -it db mysql -uroot -phunter2x", pw},
		{`{"command":"mysql -phunter2x app"}`, pw}, {"- run: mysql -h 127.0.0.1 -psesame < a.sql", "sesame"}, {"ls; mariadb -phunter2x", pw}, {"mysqladmin -p\"hunter2x\" status", pw}, {"7z x a.7z -phunter2x", pw},
		{"redis-cli -a hunter2x ping", pw}, {"redis-cli -h cache -p 6379 -a foobared ping", "foobared"}, {"ssh h redis-cli -a 'hunter2x' ping", pw}, {"unzip -P hunter2x a.zip", pw}, {"ldapsearch -D cn=me -w hunter2x -b dc=x", pw}, {"sshpass -p hunter2x ssh h", pw}, {"mongosh -u me -p hunter2x", pw},
		{"curl -su bob:hunter2x https://h/x", pw}, {"curl -sSu 'bob:hunter2x' https://h/x", pw}, {"curl -sSfLku bob:sesame h", "sesame"}, {"curl -ubob:hunter2x h", pw}, {"curl -sSubob:hunter2x h", pw}, {"curl -x p:1 -U bob:hunter2x h", pw}, {"curl --proxy-user bob:hunter2x h", pw}, {"docker exec w curl -su \"bob:hunter2x\" h", pw},
		{"http -a bob:hunter2x GET h/x", pw}, {"https --auth bob:hunter2x h", pw}, {"http --auth=bob:hunter2x h", pw}, {"xh -va bob:hunter2x h", pw}, {"smbclient -U a%hunter2x //h/s", pw}, {"smbclient //h/s -NU 'W/a%sesame'", "sesame"}, {"smbclient --user=a%hunter2x //h/s", pw},
		{"openssl enc -aes-256-cbc -k hunter2x -in a", pw}, {"openssl enc -k sesame -in a", "sesame"}, {"zip -rP hunter2x a.zip a", pw}, {"unzip -oqP hunter2x a.zip", pw}, {"ldapsearch -xw hunter2x -b dc=x", pw}, {"ldapsearch -LLLxw 'hunter2x' -b dc=x", pw}, {`{"command":"curl -su bob:hunter2x h"}`, pw},
		{"machine github.com login me password hunter2x", pw}, {"machine github.com\n  login me\n  password sesame\n", "sesame"}, {"default login anonymous password hunter2x", pw}, {`echo "machine h login me password hunter2x" > ~/.netrc`, pw}, {`{"content":"machine h\\n  login me\\n  password hunter2x\\n"}`, pw}, {"machine h login me account x password hunter2x", pw},
		{"password=abc12&def34", "abc12&def34"}, {"export DB_PASSWORD=abc12&def34", "abc12&def34"},
		{"https://h/login?user=x&password=hunter2x&next=/home1", pw}, {"https://h/login?password=hunter2x#top1", pw}, {"user=x&password=hunter2x&y=2", pw}, {"curl -d 'password=hunter2x&user=me2' h", pw}, {"/x?a=b&amp;password=hunter2x&amp;c=d2", pw}, {"curl 'https://h/?api_key=" + drawn + "&x=12345'", drawn},
		{"git clone https://" + hash + "@github.com/a/b", hash}, {"url = https://" + drawn + "@git.example.org/x.git", drawn},
		{"https://x.blob.core.windows.net/c/b?sv=2022-11-02&ss=b&sp=rwd&se=2025-01-01T00:00:00Z&sig=" + sas, sas}, {"?sig=" + sas + "&sv=2022-11-02&se=2025-01-01", sas}, {"AZURE_URL=https://x.file.core.windows.net/?sv=2022-11-02&st=2024&se=2025&sp=r&sig=" + sas + "&spr=https", sas},
	} {
		got := secret.New(nil).RedactString(c.text)
		want := strings.Split(c.text, c.secret)
		if c.secret == "" {
			want = []string{c.text}
		}
		if parts := anyMark.Split(got, -1); c.secret != "" && (len(parts) != 2 || parts[0]+c.secret+parts[1] != c.text || len(want) < 2) {
			t.Errorf("%q became %q, want %q marked and nothing else", c.text, got, c.secret)
		}
	}
	// What a text of JSON says is what counts, not how it is written down.
	got := string(secret.New(nil).RedactJSON([]byte(`{"command":"PASSWORD=abc12\u0026def34 ./run"}`)))
	if strings.Contains(got, "def34") || !strings.Contains(got, " ./run") {
		t.Errorf("an escaped sign in a value: %s", got)
	}
}

// TestFormats are the issuers' formats that are known by more than how they begin.
func TestFormats(t *testing.T) {
	r := secret.New(nil)
	for text, want := range map[string]string{
		"client " + "_V2" + "8Q~" + "IC8qxmlWNpHuDm34JlbKv9LXV5MvUR3a-P": "azure",
		"bot 4730083812:" + "Ao42rh0wjgqnhc98r_790hagne170v60xmk":        "telegram",
		"app 130874276261258|" + "rhoK1cbv0DOU_RTX_87O4MkX7AI":           "facebook",
		"ZXlKa" + body + drawn: "base64",
	} {
		found := r.Find([]byte(text))
		if len(found) != 1 || found[0].Rule != want {
			t.Errorf("%q: %+v, want one of %s", text, found, want)
		}
	}
}

// TestGlued: a token behind other letters of its word is found, and nothing before it.
func TestGlued(t *testing.T) {
	r := secret.New(nil)
	token := body[:36]
	for text, before := range map[string]string{
		"k_ghp_" + token: "k_", "MY_TOKEN_ghp_" + token + " x": "MY_TOKEN_", "xghs_" + token: "x", `{"a_gho_` + token + `": 1}`: `{"a_`, "_npm_" + token: "_", "a_b_github_pat_" + body[:22] + "_" + body: "a_b_",
		"a_ghp_ghp_" + token: "a_ghp_",
	} {
		if found := r.Find([]byte(text)); len(found) != 1 || found[0].Start != len(before) || found[0].Rule != "github" && found[0].Rule != "npm" {
			t.Errorf("%q: %+v", text, found)
		}
	}
	for _, text := range []string{
		"test_ghp_" + strings.Repeat("x", 36), "fake_ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789", "func Test_ghp_TokensOfPeopleAreFoundWhereverTheyStand1", "process_env_npm_config_VITE_NODE_DEPS_MODULE_DIRECTORIES2",
		"my_npm_packageThatNobodyHasPublishedYetAnywhere2", "a_ghp_" + token[:20], "sum_ghp_" + strings.Repeat("0123456789", 4), "task_live_" + token,
	} {
		if found := r.Find([]byte(text)); len(found) > 0 {
			t.Errorf("%q: %+v", text, found)
		}
	}
}

// TestLeavesAlone are texts that look like what the rules for names look for.
func TestLeavesAlone(t *testing.T) {
	r := secret.New(nil)
	for _, text := range []string{
		`publicKey = "` + drawn + `"`, `csrf_token: ` + drawn, `<input name="authenticity_token" value="` + drawn + `">`, `xoxe.xoxp-1-SlackAppConfigurationAccessTokenHere`, `api_key = "PutApi2KeyHere1"`, `"nextPageToken": "` + drawn + `"`, `e.keywordToken===102&&e.name`, `ownPass: !!ownPass2`,
		`"PWD": "/Users/ada/W0rk"`, `["_pluginPass","_blockHoistPlugin"]`, `b"-----BEGIN OPENSSH PRIVATE KEY-----"` + "\n_SK_END = b\"-----END OPENSSH PRIVATE KEY-----\"",
		`export OP_TOKEN=eyJzaWduSW5BZGRyZXNzIjoiaHR0cHM6...`, `hf_requiredCharacteristicTypesForDisplayMetadata`, `process.env.npm_config_VITE_NODE_DEPS_MODULE_DIRECTORIES`,
		"AIza" + "Syabcdefghijklmnopqrstuvwxyz1234567", `see the FAQ.` + drawn + drawn, `FAQ.aFunctionWithALongNameThatSaysWhatItDoes`, "std::token::Int64ToUint32Kind", `curl -u $USER:$PASSWORD1 h`, `curl -u user:password h`, `curl -sSL https://h/a:b1c2d3e`, `curl -su $USER:$PASSWORD1 h`, `curl -su bob:"$PW" h`, `curl -sSu "$CREDENTIALS" h`, `curl -Hu a:b1c2d3e h`, `sort -nu a:b1c2d3e`, `curl -sS h | sort -nu a:b1c2d3e`, `http -a bobby123 h`, `http -a "bob:$PW" h`, `http :8000/a a:b1c2d3e`, `http h -a bob:`,
		`smbclient -U bob //h/s`, `smbclient -U a%$PW //h/s`, `openssl enc -K "$KEY" -iv "$IV"`, `openssl enc -K ${KEY1}`, `openssl enc -k $PW2 -in a`, `openssl enc -k "${PW2}"`, `curl -k https://h1/x2`, `kubectl -k overlays/prod1`, `zip -rq a1.zip b2`, `unzip -oq a1b2.zip`, `ldapsearch -xH ldap://h1 -b dc=x1`, `openssl x509 -noout -text -in a1.pem`, "curl takes -u USER:PASSWORD; and more", `ls -u me:` + drawn,
		"kind: ConfigMap\ndata:\n  x: " + "bXlwYXNzd29yZA==", "kind: SecretStore\ndata:\n  x: bXlwYXNzd29yZA==", "kind: Secret\ndata:\n  x: {{ .Values.x }}\nmetadata:\n  name: abcdef",
		`mysql -p`, `mysql -p app1`, `mysql -u root -P3306 app1`, `mysql -p3306:3306`, `docker run --name mysql -p3306:3306 mysql:8`, `docker run -p8080:80 --name db1 mysql`, `mkdir -p mysql/data1`, `mysql -p"$DB_PASS1"`, `mysql -p${PASS1} app`, `mysql -pPASSWORD`, `mysql -p<password1>`,
		`find mysql -prune -path a1b2`, `ls mysql; mkdir -pdir1/b2`, `cd mysql && cp -pr a1 b2`, `find . -name mysql -print0`, `redis-cli -a $REDIS_PASS1`, `redis-cli -a PASSWORD`, `redis-cli -p 6379 ping`, `ls -a hunter2x`, `grep -a foo1b2 redis-cli.log`, `tar -P a1b2`, `unzip -p a1b2.zip`, `git log -p a1b2c3`, `go test -p 4x`,
		`the machine has a login and a password hunter2x`, `machine h login me password <password1>`, `machine h login me password $PASS12`, `every machine h login me password field2`, "default login password policy2", `password hunter2x`, `# machine NAME login NAME then password reset2`,
		`https://user@github.com/a`, `ssh://git@github.com/a/b`, `docker://alpine@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`, `https://9f86d081884c7d659a2feaa0c55ad015@o12.ingest.sentry.io/1`, `git+https://github.com/a/b@9f86d081884c7d659a2feaa0c55ad015a3bf4f1b`, `https://h/@9f86d081884c7d659a2feaa0c55ad015a3bf4f1b`, `https://my-long-user-name-of-a-team@dev.azure.com/x`,
		`?sig=abc&x=1`, `?page=2&sig=` + drawn + drawn, `sig=` + drawn + drawn + ` sv=1 se=2`, `https://h/?password=&next=/home1`, `https://h/login?token=$TOKEN1&x=a1`, `a=1&b=2&password_reset=a1b2c3d4`, `?sv=2022-11-02&se=2025&sig=<signature>`,
		`time 12345:Ab`, `a|b|c 123456789012345|` + "short", "x~y 1Q~" + "short", `<value>` + drawn + `</value>`, `token = authTokenV2Reader`, `set(key, "token")`,
	} {
		if found := r.Find([]byte(text)); len(found) > 0 {
			t.Errorf("%q: %+v", text, found)
		}
	}
}

// TestFindsAgain: what was found once is found wherever else it stands in the text, with the same mark.
func TestFindsAgain(t *testing.T) {
	got := secret.New(nil).RedactString("token=" + drawn + "\nsee xx" + drawn + "yy")
	first, second, ok := strings.Cut(got, "\nsee xx")
	if !ok || strings.TrimPrefix(first, "token=") != strings.TrimSuffix(second, "yy") {
		t.Errorf("got %q", got)
	}
}

// TestKeysFarApart: where a parser names the beginning of a key and, much later, its end, what stands between is no key.
func TestKeysFarApart(t *testing.T) {
	r := secret.New(nil)
	text := "begin = \"-----BEGIN PRIVATE KEY-----\"\n" + strings.Repeat("func readTheWholeConfiguration() {}\n", 200) + "end = \"-----END PRIVATE KEY-----\"\nsum h1:" + body
	if found := r.Find([]byte(text)); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}
