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

// TestLeavesAlone are texts that look like what the rules for names look for.
func TestLeavesAlone(t *testing.T) {
	r := secret.New(nil)
	for _, text := range []string{
		`publicKey = "` + drawn + `"`, `csrf_token: ` + drawn, `"nextPageToken": "` + drawn + `"`, `e.keywordToken===102&&e.name`, `ownPass: !!ownPass2`,
		`"PWD": "/Users/ada/W0rk"`, `["_pluginPass","_blockHoistPlugin"]`, `b"-----BEGIN OPENSSH PRIVATE KEY-----"` + "\n_SK_END = b\"-----END OPENSSH PRIVATE KEY-----\"",
		`export OP_TOKEN=eyJzaWduSW5BZGRyZXNzIjoiaHR0cHM6...`, `hf_requiredCharacteristicTypesForDisplayMetadata`, `process.env.npm_config_VITE_NODE_DEPS_MODULE_DIRECTORIES`,
		"AIza" + "Syabcdefghijklmnopqrstuvwxyz1234567", "std::token::Int64ToUint32Kind", `curl -u $USER:$PASSWORD1 h`, `curl -u user:password h`, "curl takes -u USER:PASSWORD; and more", `ls -u me:` + drawn,
		"kind: ConfigMap\ndata:\n  x: " + "bXlwYXNzd29yZA==", "kind: SecretStore\ndata:\n  x: bXlwYXNzd29yZA==", "kind: Secret\ndata:\n  x: {{ .Values.x }}\nmetadata:\n  name: abcdef",
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
