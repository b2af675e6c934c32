package secret

// prefix is a kind of token whose issuer begins all of them in the same way.
type prefix struct {
	rule  string
	text  string
	chars *class
	min   int // characters after the prefix; exactly so many when fixed
	fixed bool
	mixed bool // the prefix is weak: the rest must hold digits, lower and upper case, or be long hex
}

// prefixes are the issuers' own formats, as they document them or as their secret scanning partners know them.
var prefixes = []prefix{
	{rule: "anthropic", text: "sk-ant-", chars: tokenChars, min: 20},
	{rule: "openai", text: "sk-proj-", chars: tokenChars, min: 20},
	{rule: "openai", text: "sk-svcacct-", chars: tokenChars, min: 20},
	{rule: "openrouter", text: "sk-or-v1-", chars: tokenChars, min: 20},
	{rule: "openai", text: "sk-", chars: tokenChars, min: 20, mixed: true},
	{rule: "groq", text: "gsk_", chars: tokenChars, min: 40},
	{rule: "xai", text: "xai-", chars: tokenChars, min: 60},
	{rule: "perplexity", text: "pplx-", chars: tokenChars, min: 40},
	{rule: "replicate", text: "r8_", chars: tokenChars, min: 30},
	{rule: "huggingface", text: "hf_", chars: wordChars, min: 30},
	{rule: "github", text: "ghp_", chars: wordChars, min: 30},
	{rule: "github", text: "gho_", chars: wordChars, min: 30},
	{rule: "github", text: "ghu_", chars: wordChars, min: 30},
	{rule: "github", text: "ghs_", chars: wordChars, min: 30},
	{rule: "github", text: "ghr_", chars: wordChars, min: 30},
	{rule: "github", text: "github_pat_", chars: wordChars, min: 40},
	{rule: "gitlab", text: "glpat-", chars: dottedChars, min: 20},
	{rule: "gitlab", text: "gldt-", chars: tokenChars, min: 20},
	{rule: "gitlab", text: "glrt-", chars: dottedChars, min: 20},
	{rule: "gitlab", text: "glptt-", chars: tokenChars, min: 40},
	{rule: "slack", text: "xoxb-", chars: tokenChars, min: 20},
	{rule: "slack", text: "xoxp-", chars: tokenChars, min: 20},
	{rule: "slack", text: "xoxa-", chars: tokenChars, min: 20},
	{rule: "slack", text: "xoxr-", chars: tokenChars, min: 20},
	{rule: "slack", text: "xoxs-", chars: tokenChars, min: 20},
	{rule: "slack", text: "xoxe-", chars: tokenChars, min: 20},
	{rule: "slack", text: "xoxe.", chars: dottedChars, min: 20},
	{rule: "slack", text: "xapp-", chars: tokenChars, min: 20},
	{rule: "pypi", text: "pypi-", chars: tokenChars, min: 16, mixed: true},
	{rule: "npm", text: "npm_", chars: wordChars, min: 36},
	{rule: "rubygems", text: "rubygems_", chars: hexChars, min: 48},
	{rule: "docker", text: "dckr_pat_", chars: tokenChars, min: 20},
	{rule: "docker", text: "dckr_oat_", chars: tokenChars, min: 20},
	{rule: "aws", text: "AKIA", chars: upperChars, min: 16, fixed: true},
	{rule: "aws", text: "ASIA", chars: upperChars, min: 16, fixed: true},
	{rule: "aws", text: "ABIA", chars: upperChars, min: 16, fixed: true},
	{rule: "gcp", text: "AIza", chars: tokenChars, min: 35, fixed: true},
	{rule: "gcp-oauth", text: "ya29.", chars: dottedChars, min: 20},
	{rule: "gcp-oauth", text: "GOCSPX-", chars: tokenChars, min: 24},
	{rule: "stripe", text: "sk_live_", chars: wordChars, min: 16},
	{rule: "stripe", text: "sk_test_", chars: wordChars, min: 16},
	{rule: "stripe", text: "rk_live_", chars: wordChars, min: 16},
	{rule: "stripe", text: "rk_test_", chars: wordChars, min: 16},
	{rule: "stripe", text: "whsec_", chars: base64Chars, min: 24},
	{rule: "sendgrid", text: "SG.", chars: dottedChars, min: 40, mixed: true},
	{rule: "digitalocean", text: "dop_v1_", chars: hexChars, min: 40},
	{rule: "digitalocean", text: "doo_v1_", chars: hexChars, min: 40},
	{rule: "vault", text: "hvs.", chars: tokenChars, min: 24},
	{rule: "vault", text: "hvb.", chars: tokenChars, min: 24},
	{rule: "shopify", text: "shpat_", chars: hexChars, min: 32},
	{rule: "shopify", text: "shpss_", chars: hexChars, min: 32},
	{rule: "databricks", text: "dapi", chars: hexChars, min: 32},
	{rule: "linear", text: "lin_api_", chars: wordChars, min: 32},
	{rule: "postman", text: "PMAK-", chars: tokenChars, min: 40},
	{rule: "newrelic", text: "NRAK-", chars: upperChars, min: 20},
	{rule: "grafana", text: "glsa_", chars: wordChars, min: 32},
	{rule: "grafana", text: "glc_", chars: base64Chars, min: 32},
	{rule: "doppler", text: "dp.pt.", chars: wordChars, min: 36},
	{rule: "pulumi", text: "pul-", chars: hexChars, min: 40},
	{rule: "notion", text: "ntn_", chars: wordChars, min: 40},
	{rule: "figma", text: "figd_", chars: tokenChars, min: 36},
	{rule: "age", text: "AGE-SECRET-KEY-1", chars: upperChars, min: 50},
	// The first bytes of the commonest of them in base64, as they stand in Kubernetes secrets and Basic headers.
	{rule: "base64", text: "Z2hwX", chars: base64Chars, min: 30},
	{rule: "base64", text: "Z2l0aHViX3BhdF", chars: base64Chars, min: 40},
	{rule: "base64", text: "c2stYW50L", chars: base64Chars, min: 30},
	{rule: "base64", text: "c2stcHJva", chars: base64Chars, min: 30},
}

var byFirst = func() (t [256][]*prefix) {
	for i, p := range prefixes {
		t[p.text[0]] = append(t[p.text[0]], &prefixes[i])
	}
	return t
}()

// window is how many bytes a rule looks at to decide. What is longer is taken whole once it is decided. It keeps the work
// linear where a text repeats a prefix for ever.
const window = 128

// prefixed is the end of a token of that kind that begins at i, or 0.
func (s *scanner) prefixed(i int, p *prefix) int {
	if !s.has(i, p.text) || !s.boundary(i) {
		return 0
	}
	from := i + len(p.text)
	end := s.run(from, p.chars, window)
	rest := s.text[from:end]
	switch {
	case len(rest) < p.min, p.fixed && len(rest) != p.min, distinct(rest) < 6:
		return 0
	case p.mixed && !isMixed(rest) && !isLongHex(rest):
		return 0
	case isPlaceholder(rest):
		return 0
	}
	end = s.run(end, p.chars, 0)
	for end > from+p.min && s.text[end-1] == '.' { // the end of a sentence
		end--
	}
	return end
}
