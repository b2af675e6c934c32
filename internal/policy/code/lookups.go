package code

import (
	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Names that are looked up to tell something: whoever answers for the domain reads what stands before it.

var (
	// lookups matches functions that ask for the address of a name.
	lookups = pattern.New(`^(socket\.(gethostbyname(_ex)?|getaddrinfo)|dns\.resolver\.(resolve|query)|dns([./]promises)?\.(lookup|resolve\w*)|dns\.Resolver\(\)\.resolve\w*|net\.(Lookup(Host|IP|Addr|TXT|CNAME|MX|NS)|ResolveIPAddr)|` +
		`net\.(DefaultResolver|Resolver)\.Lookup\w+|InetAddress\.(getByName|getAllByName))$`)
	// domains matches a name with a domain that stands in the source and something before it that does not.
	domains = pattern.New(unknown + `[^/:@]*\.[a-zA-Z0-9-]+\.[a-zA-Z]{2,}\.?$`)
	// encodes matches what writes bytes in letters that names may have, tells what says who runs a program, and where.
	encodes = pattern.New(`(?i)hexlify|\.hex\(|b32encode|b64encode|urlsafe_b64|toString\(\s*['"](hex|base64)|hex\.EncodeToString|base(32|64)\.\w*Encoding|Base(32|64)|formatHex|btoa\(`)
	tells   = pattern.New(`getpass\.getuser|getlogin\(|platform\.(node|uname)|gethostname\(|os\.uname|os\.hostname\(|os\.userInfo\(|os\.Hostname\(|user\.Current\(|getLocalHost\(|getProperty\(\s*"user\.|(environ|getenv|Getenv|process\.env)\W{1,3}['"]?(USER|LOGNAME|HOSTNAME|HOME)\b|(?i)(TOKEN|SECRET|PASSWORD)['"\]]`)
)

// whispers judges a name that is looked up, and is made of who runs the program, where, or of something in letters that hide it.
func (s *scan) whispers(n *program.Node) *hit {
	args := positional(n)
	path := s.eval(n.Kid(program.Callee), 0).path
	if len(args) == 0 || !lookups.MatchString(path) {
		return nil
	}
	for _, a := range args[:min(len(args), 2)] { // Go's resolvers take a context first
		if !domains.MatchString(s.eval(a, 0).text) {
			continue
		}
		if made := s.unfolded(a); encodes.MatchString(made) || tells.MatchString(made) {
			return &hit{Secrets, Review, path + ": a name that tells something"}
		}
	}
	return nil
}
