package agent

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// driver is what is special about one agent's command line.
type driver interface {
	// endpoint is where its model is, by the variables that the agent itself would go by.
	endpoint(e environ) (endpoint, error)
	// lay puts what it must find into its home. Its model is at this address.
	lay(home, at string, o Options) error
	// variables are what it must find in its environment.
	variables(home, at string) map[string]string
	// argv is the command line after the program.
	argv(j job) []string
	// hides are files of the repository that it must not find in its copy.
	hides() []string
	// read takes in one line of what it prints. A line that it does not know is nothing.
	read(line []byte, r *report)
	// conversations are the folders of its home in which it keeps what was said.
	conversations() []string
}

// drivers are those of each kind.
var drivers = map[Kind]driver{Claude: claude{}, Codex: codex{}, Gemini: gemini{}}

// errNoAgent is what is said of a kind that there is not.
var errNoAgent = errors.New("there is no such agent")

// job is one run.
type job struct {
	prompt string
	resume string // the id of the conversation to go on with; empty: a new one
	Options
}

// endpoint is where an agent's model is asked.
type endpoint struct {
	base    *url.URL
	whose   string            // who is asked there: the provider at its usual address, else whoever a variable names
	headers map[string]string // that show who asks, with the key
	stands  string            // the variable in which the agent finds something in the place of its key
	takes   func(method, path string) (allowed, turn bool)
}

// endpointAt is one by the variable that names its address, or else by the address of its provider that everybody uses.
func endpointAt(e environ, variable, provider, usual string) (endpoint, error) {
	at, whose := e.get(variable), "what "+variable+" names"
	if at == "" {
		at, whose = usual, provider
	}
	base, err := url.Parse(strings.TrimSuffix(at, "/"))
	if err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" || base.User != nil {
		return endpoint{}, fmt.Errorf("%s is no address of the form https://host", variable)
	}
	return endpoint{base: base, whose: whose}, nil
}

// Where is who an agent sends to what it reads, by this environment, and at which address.
func Where(k Kind, env []string) (string, error) {
	if drivers[k] == nil {
		return "", errNoAgent
	}
	to, err := drivers[k].endpoint(env)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, at %s://%s", to.whose, to.base.Scheme, to.base.Host), nil
}

// key is the first of the variables that is set, with its value.
func key(e environ, names ...string) (name, value string, err error) {
	for _, n := range names {
		if v := strings.TrimSpace(e.get(n)); v != "" {
			return n, v, nil
		}
	}
	return "", "", fmt.Errorf("it has no key: set %s (what it keeps of a login is not lent to it)", phrase.Or(names))
}

// stand is what an agent finds in the place of its key. The real one is added behind its door.
const stand = "fettle-adds-the-key"

// modelName is what the name of a model may look like: never an option.
var modelName = pattern.New(`^[A-Za-z0-9][A-Za-z0-9._:/@\[\]-]{0,199}$`)

// write puts a file into a home.
func write(home, name, text string) error {
	file := filepath.Join(home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o600)
}
