package secret_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"fettle/internal/policy/secret"
)

// What people choose, what machines draw, and the like, for the carriers below: none is a real one.
const (
	chosenPW = "Lichen!701tundra"
	plainPW  = "hunter2x"
	hexKey   = "38f0ebf2d20fd49ba372cf45b5c23cfd6952b62be0dc0c729dee8208b0d48d90"
	b64Key   = "QSXhDsfrfm8S4TB5cI46GleiHKecAsnWZPralvCreoLS"
	uuidKey  = "6d4f17ba-4cd6-4dd5-a1d2-8389f8120ac0"
	django   = "r^4k)2p!z9w$m7q(x#v1_b6n@8tj&c5h-y3g+d0s=f*lae%ui"
	sids     = "2eobi65bl76uczfk5pmv9c8xv2goxtau"
	words    = "orbit velvet cannon drift puzzle hollow timber scout fabric lunar ginger rally"
)

// TestCarriers: each text has a place for a secret, and what stands in it is found, and nothing left of it. PW is what a person has chosen, SHORT too; KEY what a machine has drawn.
func TestCarriers(t *testing.T) {
	r := secret.New(nil)
	fill := map[string]string{"PW": chosenPW, "SHORT": plainPW, "KEY": drawn, "HEX": hexKey, "B64": b64Key, "UUID": uuidKey, "SIGNS": django, "SID": sids, "WORDS": words}
	for _, form := range []string{
		// Files of passwords.
		"db.example.org:5432:app:app_rw:{SHORT}", "*:*:*:postgres:{PW}", "10.0.0.4:6432:*:rep:{KEY}\n", "[client]\nuser=root\npassword={SHORT}\n", "[client]\npassword=\"{PW}\"", "machine h\nlogin me\npassword {SHORT}",
		"account default\nhost smtp.example.org\nuser me\npassword {KEY}\n", "# Secrets for authentication\nclient * \"{SHORT}\" *\n", "me\t*\t{PW}\t*", "requirepass {SHORT}\n", "masterauth {KEY}\n", "rpcpassword={SHORT}",
		"network={\n  ssid=\"cafe\"\n  psk=\"{SHORT}\"\n}", "wpa_passphrase={SHORT}", "  wpa-psk {SHORT}\n", "wifi-sec.psk={PW}", "    auth_type PASS\n    auth_pass {SHORT}\n", "rocommunity {SHORT}\n", "snmpwalk -v2c -c {SHORT} 10.0.0.1 sysDescr",
		"[remote]\ntype = sftp\npass = {KEY}\n", "WIFI:T:WPA;S:cafe;P:{SHORT};;",
		// Frameworks.
		"define( 'DB_PASSWORD', '{SHORT}' );", "define('AUTH_KEY', '{SIGNS}');", "define( 'NONCE_SALT',       '{SIGNS}' );", "define('LOGGED_IN_KEY', 'a {SIGNS}');", "SECRET_KEY = '{SIGNS}'", "SECRET_KEY = 'django-insecure-{SIGNS}'", "APP_KEY=base64:{B64}=", "APP_SECRET={HEX}",
		"secret_key_base: {HEX}", "spring.datasource.password={SHORT}", "spring:\n  mail:\n    password: {PW}", "\"ConnectionStrings\": {\"Db\": \"Server=h;User ID=sa;Password={PW};Encrypt=True\"}", "Server=h;Uid=app;Pwd={SHORT};", "AccountName=x;AccountKey={B64}{B64}==;EndpointSuffix=core.windows.net",
		"Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={B64}=", "'password' => env('DB_PASSWORD', '{SHORT}'),", "'secret' => '{KEY}',", "DATABASES = {'default': {'PASSWORD': '{SHORT}'}}", "config.secret_key = '{HEX}'", "Ocp-Apim-Subscription-Key: {HEX}", "x-functions-key: {B64}==",
		// Vaults.
		"Unseal Key 1: {B64}\n", "Recovery Key 2: {B64}", "Initial Root Token: s.{KEY}", `{"unseal_keys_b64": ["{B64}"], "root_token": "x"}`, `"recovery_keys_hex": [` + "\n    \"{HEX}\"\n  ]", "unseal_keys_b64:\n- {B64}\n", "recovery_keys:\n  - \"{B64}\"\n", "API Key: {KEY}", "Secret key: {B64}", "Access Key = {KEY}", "api_keys = ['{B64}', 'short']",
		`{"kty":"RSA","e":"AQAB","n":"x","d":"{B64}"}`, `{"kty":"RSA","n":"x","q":"{B64}","kid":"a"}`, `{"qi":"{B64}","kty":"RSA"}`, `{"kty":"oct","alg":"HS256","k":"{B64}"}`, `{\"kty\":\"EC\",\"d\":\"{B64}\"}`, "{\n  \"kty\": \"OKP\",\n  \"crv\": \"Ed25519\",\n  \"d\": \"{B64}\"\n}",
		"PresharedKey = {B64}=", "PrivateKey={B64}=", "preshared-key: \"{B64}=\"", "otpauth://totp/a:b?secret=GEZDGNBVGY3TQOJQGEZDGNBVKY3TQOJQ&issuer=a{nothing}",
		// Cookies.
		"Cookie: theme=dark; sessionid={SID}", "Set-Cookie: laravel_session={B64}; Path=/; HttpOnly", "> Cookie: a=b; PHPSESSID={SID}", "JSESSIONID={SID}", "curl -b 'connect.sid=s%3A{SID}.{B64}' h", "curl --cookie \"_gh_sess={B64}; a=b\" h", `"cookie": "remember_user={SID}; lang=de"`, "cookies = {'sessionid': '{SID}'}", "requests.get(u, cookies={\"session\": \"{SID}\"})",
		"Cookie: ASP.NET_SessionId={SID}", "cookie: __Secure-next-auth.session-token={SID}", "Cookie: wordpress_logged_in_ab12=me%7C{SID}", "Cookie: sid={SID}", "document.cookie = 'auth={SID}'",
		// Addresses that are signed, and those with passwords.
		"https://b.s3.amazonaws.com/a?X-Amz-Expires=60&X-Amz-Signature={HEX}", "https://b.s3.amazonaws.com/a?AWSAccessKeyId=x&Expires=1&Signature=aB3dE5fG7hI9jK1lM3nO5pQ7rS9t%3D{nothing}", "https://storage.googleapis.com/b/o?X-Goog-Date=1&X-Goog-Signature={HEX}", "https://d1.cloudfront.net/a?Expires=1&Signature={B64}&Key-Pair-Id=K2",
		"https://b.oss-cn-hangzhou.aliyuncs.com/o?Expires=1&OSSAccessKeyId=x&Signature={B64}%3D", "amqp://me:{SHORT}@mq:5672/v", "redis://:{SHORT}@cache:6379/0", "mongodb+srv://u:{SHORT}@c0.example.net/x", "smtps://me%40x.org:{SHORT}@smtp.example.org:465", "ldaps://cn=me:{SHORT}@dc1.example.org", "jdbc:mysql://h:3306/x?user=u&password={SHORT}&useSSL=true",
		"jdbc:sqlserver://h:1433;user=sa;password={PW};", "jdbc:oracle:thin:app/{SHORT}@//h:1521/x", "url: /bot7835918271:AAcXmljWNpDOshg1KVt5401EHD1OhDig_mM/sendMessage{nothing}",
		// Texts in base64.
		"echo {ENV64} | base64 -d > .env", "data: \"{ENV64}\"", "config = base64.b64decode('{ENV64}')", "echo {PEM64}", "X=\"{TWICE64}\"", "powershell -enc {WIDE64}",
		// Windows.
		"ConvertTo-SecureString '{PW}' -AsPlainText -Force", "$p = ConvertTo-SecureString -String \"{PW}\" -AsPlainText -Force", "ConvertTo-SecureString -AsPlainText \"{PW}\" -Force", "'{PW}' | ConvertTo-SecureString -AsPlainText -Force", "New-LocalUser -Name bob -Password '{PW}'", "cmdkey /add:h /user:bob /pass:{SHORT}", "sqlcmd -S h -U sa -P {SHORT}", "setx API_TOKEN {KEY}",
		// Tables.
		"| name | value |\n|---|---|\n| DB_PASSWORD | {PW} |\n", "| user | password |\n|:--|--:|\n| bob | {SHORT} |\n| eve | none |\n", "user,password\nbob,{SHORT}\neve,none1\n", "name,api_key,host\nx,{KEY},h\n", "\"user\",\"token\"\n\"x\",\"{KEY}\"\n", " user | password \n------+----------\n bob  | {PW}\n", "+------+----------+\n| user | password |\n+------+----------+\n| bob  | {SHORT} |\n+------+----------+\n",
		"| `API_TOKEN` | `{KEY}` | prod |", "| API key | {KEY} |\n", "id,client_secret\n1,{UUID}\n",
		// Wallets.
		`accounts: ["0x{HEX}"]`, `accounts: ["{HEX}", "0x{HEX}"]`, "accounts: [\n  '0x{HEX}',\n]", "PRIVATE_KEY=0x{HEX}", "cast send --private-key 0x{HEX} 0xabc", "forge script X --private-key {HEX}", "new HDWalletProvider({ mnemonic: \"{WORDS}\" })", "MNEMONIC='{WORDS}'", "mnemonic: {WORDS}\n", "SEED_PHRASE=\"{WORDS}\"", "new ethers.Wallet('0x{HEX}', p)", "vm.startBroadcast(0x{HEX});",
		// What is told without a sign.
		"    Splunk_Token {UUID}\n", "  http_Passwd   {PW}\n", "proxy_set_header X-Api-Key {KEY};", "proxy_set_header X-Api-Key \"{KEY}\";", "proxy_set_header Authorization \"Bearer {KEY}\";", "fastcgi_param APP_TOKEN {KEY};", "SetEnv API_TOKEN {KEY}", "ENV API_TOKEN {KEY}", "#define WIFI_PASSWORD \"{PW}\"", "CREATE USER 'a'@'%' IDENTIFIED BY '{SHORT}';", "ALTER USER a WITH ENCRYPTED PASSWORD '{SHORT}';", "CREATE ROLE a LOGIN PASSWORD '{PW}'", "CREATE LOGIN a WITH PASSWORD = '{PW}'", "the password is `{PW}`", "Your API token is {KEY}", "set -gx API_TOKEN {KEY}",
		"git config --global github.token {HEX}", "npm config set //registry.npmjs.org/:_authToken {UUID}", "aws configure set aws_secret_access_key {KEY}", "fly secrets set API_TOKEN={KEY}", "heroku config:set API_TOKEN={KEY}", "kubectl create secret generic x --from-literal=password={SHORT}", "vault kv put secret/x password={SHORT}", "docker build --build-arg API_TOKEN={KEY} .", "docker run -e API_TOKEN={KEY} x", "Environment=\"API_TOKEN={KEY}\"", "Environment=DB_PASSWORD={SHORT}", "db_password = \"{PW}\"", "export TF_VAR_db_password={SHORT}",
		"<password>{PW}</password>", "<secret>{KEY}</secret>", "<apiToken>{HEX}</apiToken>", "\"sonarlint.token\": \"{KEY}\"", `{"key": "token", "value": "{KEY}", "type": "string"}`, `{"key":"password","value":"{SHORT}","type":"string"}`, "@token = {KEY}", "X-Auth-Token: {KEY}", "ansible_ssh_pass={SHORT}", "ansible_become_pass: {PW}", "'password' => '{PW}',", "  password => '{SHORT}',",
		"env:\n  API_TOKEN: {KEY}\n", "with:\n  token: {HEX}\n",
		// Programs' options.
		"gpg --batch --passphrase '{SHORT}' -d x", "curl --user bob:{SHORT} h", "curl -u bob:{SHORT} h", "http -a bob:{SHORT} h", "wget --password={SHORT} h", "wget --http-password={SHORT} h", "wget --user=a --password {PW} h", "mysql -p{SHORT} x", "PGPASSWORD={SHORT} psql", "mongo -u a -p {SHORT}", "redis-cli -a {SHORT}", "ldapsearch -w {SHORT} -b x", "smbclient -U bob%{SHORT} //h/s", "rclone copy --sftp-pass {KEY} a b",
		"7z a -p{SHORT} a.7z b", "zip -P {SHORT} a b", "openssl rsa -passin pass:{SHORT} -in k", "openssl pkcs12 -export -passout pass:{PW}", "openssl enc -aes-256-cbc -pass pass:{SHORT} -in a", "keytool -genkey -storepass {SHORT} -keypass {SHORT}", "java -Djavax.net.ssl.keyStorePassword={SHORT} -jar x", "mosq" + "uitto_pub -h h -u a -P {SHORT} -t x", "ssh-keygen -t ed25519 -N '{SHORT}' -f k", "lftp -u bob,{SHORT} h", "ipmitool -H h -U a -P {SHORT} power status", "twine upload -u a -p {SHORT} d/*", "skopeo copy --src-creds bob:{SHORT} a b", "swaks --auth-password {SHORT}", "docker login -u a -p {SHORT} h", "echo {SHORT} | docker login --password-stdin", "echo '{PW}' | sudo -S apt update", "echo 'bob:{SHORT}' | chpasswd", "sshpass -p {SHORT} ssh h", "nmcli dev wifi connect cafe password {SHORT}",
		"-----BEGIN OpenVPN Static key V1-----\n{HEX}\n{HEX}\n-----END OpenVPN Static key V1-----",
		"{HEX32}-us14{nothing}", "1/1203987712340987:{HEX32}{nothing}",
	} {
		text := form
		env := "DB_URL=postgres://app:" + chosenPW + "@pg/app\nAPI_TOKEN=" + drawn + "\n"
		env64 := base64.StdEncoding.EncodeToString([]byte(env))
		for name, value := range map[string]string{"ENV64": env64, "PEM64": base64.StdEncoding.EncodeToString([]byte("-----BEGIN PRIVATE KEY-----\n" + hexKey + "\n-----END PRIVATE KEY-----\n")), "TWICE64": base64.StdEncoding.EncodeToString([]byte(env64)), "HEX32": hexKey[:32],
			"WIDE64": base64.StdEncoding.EncodeToString([]byte(strings.Join(strings.Split("$env:API_TOKEN='"+drawn+"'; run ", ""), "\x00"))),
		} {
			fill[name] = value
		}
		var secrets []string
		for name, value := range fill {
			if strings.Contains(text, "{"+name+"}") {
				secrets = append(secrets, value)
				text = strings.ReplaceAll(text, "{"+name+"}", value)
			}
		}
		bare := strings.Contains(text, "{nothing}")
		text = strings.ReplaceAll(text, "{nothing}", "")
		got := r.RedactString(text)
		if bare && got == text {
			t.Errorf("nothing is found in %q", text)
		}
		for _, s := range secrets {
			if strings.Contains(got, s) {
				t.Errorf("%q is left: %q", s, got)
			}
		}
	}
}

// TestCarriersLeft are the twins of these: texts in which a place stands for a secret, names it, counts it, or holds something that everybody may know.
func TestCarriersLeft(t *testing.T) {
	r := secret.New(nil)
	const sha, integrity = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0beYbPhHN4k6apgJtifcoCtT9bcxOpYBtpD2kCM6Sbzg4CausW=="
	benign := base64.StdEncoding.EncodeToString([]byte("name: build\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: [{run: make}]\n"))
	for _, text := range []string{
		// Files of passwords.
		"db.example.org:5432:app:app_rw:$PGPASS1", "db.example.org:5432:app:app_rw:<password1>", "main.go:1234:5:undefined:name1x", "fe80:0000:0000:0000:f22f:4bff:fe09:3bff", "at 2026-03-04 10:5432:a:b c1d2e3", "127.0.0.1:8080:80:web1x2y", "iso:std:iso:8601:-1:ed-1:v1", "requirepass ${REDIS_PASS1}", "requirepass <password1>\n",
		"password hunter2x", "the password policy2 counts", "psk=$PSK1", "rocommunity public\n", "snmpwalk -v2c -c public 10.0.0.1", "client * * *", "a * b1c2d3 * c", "int * p1x * q;", "WIFI:T:nopass;S:cafe;;", "P:hunter2x;", "# pass = what1s", "pass = pass && x1 < y2", "pass: 12, fail: 0", "--- PASS: TestUnmarshalV2Json1x (0.00s)", "bypass=true1x2y3z",
		// Frameworks and vaults.
		"define( 'DB_PASSWORD', 'password_here' );", "define('AUTH_KEY', 'put your unique phrase here');", "define('WP_CACHE_KEY_SALT', $salt1);", "define('PRIMARY_KEY', 'id');", "SECRET_KEY = os.environ['SECRET_KEY1']", `SECRET = "^[A-Za-z0-9_\-]{20,40}\.(foo|bar)$@!#"`, "token: `(?:[a-z]+)|[0-9]{2,}!@#$%^&*()-_=+qZ7xV2`", "Pwd=<from key vault>;", "Unseal Key 1: <key>", "Unseal Key (will be hidden):", "Key 1: " + sha, "Row 12: " + sha, "primary key: id", "public key: " + b64Key, "Foreign Key 2: " + sha,
		`{"kty":"RSA","e":"AQAB","n":"` + b64Key + `"}`, `{"kty":"EC","crv":"P-256","x":"` + b64Key + `","y":"` + b64Key + `"}`, `{"kty":"oct","k":"short"}`, `{"kty":"EC","k":"` + b64Key + `"}`, `"d": "` + b64Key + `"`, "PublicKey = " + b64Key + "=",
		`"js-tokens": {"version": "4.0.0", "integrity": "` + integrity + `"}`, `tokens = ['RWTexture2D', 'usampler2DMSArrayOfThings', 'isamplerBuffer']`, "api_keys: [${KEY1}, '{{ key2 }}']", "public_keys: ['" + b64Key + "']", `accounts: ["0x74ef791c8e4d061d73d0f29d6d6eaca13cee46a9"]`, `accounts: [process.env.PRIVATE_KEY1]`, `hashes: ["0x` + hexKey + `"]`, `accounts: ["` + uuidKey + `"]`, "keys:\n- name1\n- name2\n",
		// Cookies.
		"Cookie: theme=dark; lang=de-DE; _ga=GA1.2.1234567890.1234567890", "Set-Cookie: csrftoken=" + sids + "; Path=/", "session=" + sids, "session_id: " + uuidKey, "Cookie: sessionid=<value>", "Cookie: sessionid=$SESSION1", "cookies = load('session=1')", "sessionid=1", "PHPSESSID=deleted", "grep -b sessionid=" + sids, "cookies: 12, sessions: 4", "JSESSIONID=${ID1}",
		// Addresses.
		"?signature=<signature>&x=1", "X-Amz-Signature: what it is", "sig=" + sha, "signature=" + sha, "?X-Amz-SignedHeaders=host&X-Amz-Expires=60", "?signature=$SIG1234567890123456789012345", "jdbc:oracle:thin:@//h:1521/x", "jdbc:oracle:thin:app/${PW1}@h", "pass:through1x", "openssl rsa -passin env:PW1 -in k", "openssl rsa -passin file:pw1.txt", "openssl rsa -passin pass:$PW1",
		// Texts in base64.
		"data: " + benign, "echo " + benign + " | base64 -d", "sourceMappingURL=data:application/json;base64," + benign, "TestThatAVeryLongNameOfAFunctionIsNoTextInBase64", "internal/policy/secret/testdata/aVeryLongNameOfAFileThatIsNoText",
		// Windows.
		"ConvertTo-SecureString $env:PW1 -AsPlainText -Force", "ConvertTo-SecureString -String \"$($x.pw1)\"", "Read-Host 'Password1' -AsSecureString", "New-LocalUser -Name bob -Password $Password1", "sqlcmd -S h -U sa -P $PW1", "go test -run=Fuzz_passString -fuzz=Fuzz_passString a1b2/c3d4_test.go", "java -jar x -token-file a1b2c3d4e5f6", "cmake -DENABLE_TOKEN=ON -S src1 -B out1",
		// Tables.
		"| name | value |\n|---|---|\n| DB_PASSWORD | the password of the database1 |\n", "| password | string | at least 8 chars |", "| token | yes | type1 |\n|---|---|---|\n| a | b | c1 |\n", "| user | password |\n|---|---|\n| bob | changeme |\n| eve | <password1> |\n", "| API_TOKEN | ${API_TOKEN1} |", "| API_TOKEN | see vault1 |", "user,password\nbob,required\neve,$PW1\n", "f(user,password\n, a1b2c3d4e5)", "name,count,token_count\na,1,1234\n", "a,b,token\nsome text without commas1\n", "password | min8\n", "x := token | mask1", "echo $token | sed s/a1/b2/", "prompt_tokens,total_tokens\n12345678901,22345678901\n",
		"path,sha256,public_key\na," + sha + "," + b64Key + "\n",
		// Wallets.
		"mnemonic: test test test test test test test test test test test junk", "mnemonic: candy maple cake sugar pudding cream honey rich smooth crumble sweet treat", "mnemonic = process.env.MNEMONIC1", "phrase: the quick brown fox jumps over the lazy dog and then it sleeps well again", "mnemonic: twelve words that you wrote down", "deployed in tx 0x" + hexKey, "const topic = \"0x" + hexKey + "\"",
		// What is told without a sign.
		"14753e065ca9c1827d9056f98682b5e586e0748c Rotate signing secret " + sha, "commit the token " + sha, "unexpected token 'export1'", "expected token " + drawn[:10], "the token is base64url encoded, SHA256 of it", "the password is Base64URL", "Your password is required1", "a key 0x1f2e3d4c", "the secret is out since v1.2.3", "token\t12345\n", "api_key not found: id=4471", "ENV API_TOKEN $TOKEN1", "ENV API_TOKEN_FILE /run/secrets/token1", "SetEnv API_TOKEN ${T1}", "proxy_set_header X-Api-Key $http_x_api_key1;", "#define MAX_TOKEN 1234567890", "#define PASSWORD_KEY 0x12345678", "IDENTIFIED BY '${PW1}'", "IDENTIFIED BY PASSWORD", "PASSWORD ':name1'", "primary key (id1, id2)", "sort key user1_id2", "case token.Int64ToUint32Kind", "foreign_key user_id_2024", "git_auth https://h1.example.org/x2", "deploy_key deploy_key_v2", "cache-key v1-build-linux-2024",
		"| 00000000 | 7f454c46 |", "rsa_public_key " + b64Key,
		// Programs' options, and what is piped.
		"ssh-keygen -t ed25519 -N '' -f k1", "ssh-keygen -N \"$PASS1\"", "mosq" + "uitto_pub -h h -P $PW1", "lftp -u bob,$PW1 h", "skopeo copy --src-creds \"$USER1:$PW1\" a", "echo $TOKEN1 | docker login --password-stdin", "echo \"$(cat pw1)\" | sudo -S true", "echo \"bob:$PW1\" | chpasswd", "echo hello1 | sudo tee /etc/x1", "cat pw1.txt | docker login --password-stdin", "nmcli dev wifi connect cafe password \"$PW1\"", "ab -A \"$A1:$B1\" h", "grep -A 3x4y a1",
		// What issuers begin with.
		"pk_live_51RnNa3IDDMOYkEfz4wqqYn6KBA7d7Ob8McgoBj3wg9CS96WCrYpuADd3pl9RZHfsuUm", "pk.eyJ1IjoiYSIsImEiOiJiIn0.abcdefghij", "phc_" + drawn + drawn, "test_thatATokenOfAnIssuerIsFound12345", "00-9dd429cfc85eea6c701dc9f66696b295-d4e27e693d15f24c-01", "009A67066F66A323F5D4EC7902C73FE5D9E36FA74F", "sdk-9dd429cf", "api-v2-service-1234", "pat-terns-in-code-2024", "re_compile1_patternsInEveryLanguage1234", "sk.prototype.name", "1000.00 or 2000.00", "token-service-d429fa6a4e-x7k2p", "oauth:authorizationCodeGrantTypeFlow", "secret-manager-for-a-cluster-of-many-nodes-1234567", sha[:32] + "-usage", "refs/1/" + sha, "SWMTKN-1-<token>", "K10" + hexKey, "KEY_WITH_A_LONG_NAME_1234", "ptr_to_a_value_of_a_very_long_name_in_C_code_12", "live_reload_of_everything_that_changes_2024", "access_token$production$<id>$<hash>",
		"arn:aws:secretsmanager:eu-central-1:418820917735:secret:ledger/db-0773BB",
	} {
		if got := r.RedactString(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
