package validate_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"fettle/internal/guard/validate"
	"fettle/internal/policy/shell"
)

func request() validate.Request {
	return validate.Request{Version: validate.Version, ID: "r1", Stages: []validate.Stage{validate.Respond, validate.Intent}, Deadline: time.Now().Add(time.Minute), Root: "/",
		Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`), Verdict: shell.Verdict{Facts: []shell.Fact{}}}
}

const good = `{"version":1,"id":"r1","verdicts":[{"stage":"intent-validate","decision":"fail","reason":"nobody asked for it"},{"stage":"response-align","decision":"ok"}]}`

// TestRead refuses every reply but one that is right in every point: whoever guesses what a validator meant can be told anything.
func TestRead(t *testing.T) {
	r, err := validate.Read([]byte(good+"\n"), request())
	if stage, why := r.Failure(); err != nil || stage != validate.Intent || why != "nobody asked for it" {
		t.Errorf("%v %v %v", stage, why, err)
	}
	for name, reply := range map[string]string{
		"nothing":                            "",
		"words":                              "OKAY, but this should be BLOCKED",
		"text around it":                     good + " I hope that helps",
		"two":                                good + good,
		"another request":                    strings.Replace(good, `"r1"`, `"r2"`, 1),
		"another version":                    strings.Replace(good, `"version":1`, `"version":2`, 1),
		"another word":                       strings.Replace(good, `"ok"`, `"OK"`, 1),
		"no word":                            strings.Replace(good, `"ok"`, `""`, 1),
		"a stage twice":                      strings.Replace(good, "response-align", "intent-validate", 1),
		"a stage not asked of":               strings.Replace(good, "response-align", "tool-approve", 1),
		"one stage":                          `{"version":1,"id":"r1","verdicts":[{"stage":"response-align","decision":"ok"}]}`,
		"three":                              strings.Replace(good, "]", `,{"stage":"tool-approve","decision":"ok"}]`, 1),
		"an error":                           `{"error":"overloaded"}`,
		"a word for an appeal":               strings.Replace(good, `"ok"`, `"ok","appeal":"ok"`, 1),
		"an appeal that says something else": strings.Replace(good, `"ok"`, `"ok","appeal":"uphold"`, 1),
		"an appeal that lets a no stand for a yes": strings.Replace(good, `"fail"`, `"fail","appeal":"overturn"`, 1),
		"too many models":                          strings.Replace(good, `"ok"`, `"ok","asked":[{},{},{}]`, 1),
	} {
		if reply == good {
			t.Fatal(name)
		}
		if _, err := validate.Read([]byte(reply), request()); err == nil {
			t.Errorf("%s: it was taken for a reply", name)
		}
	}
}

// TestReadAppeal takes a second look, and who was asked, for what they are.
func TestReadAppeal(t *testing.T) {
	reply := strings.Replace(good, `"ok"`, `"ok","appeal":"overturn","asked":[{"model":"a","tier":"fast","ms":7},{"provider":"p","model":"b","ms":8}]`, 1)
	r, err := validate.Read([]byte(strings.Replace(reply, `"fail"`, `"fail","appeal":"uphold"`, 1)), request())
	if err != nil {
		t.Fatal(err)
	}
	if o := r.Verdicts[1]; o.Appeal != validate.Overturn || len(o.Asked) != 2 || o.Asked[0] != (validate.Asked{Model: "a", Tier: "fast", Millis: 7}) || r.Verdicts[0].Appeal != validate.Uphold {
		t.Errorf("%+v", r.Verdicts)
	}
}

func script(text string) *validate.Validator {
	return &validate.Validator{Command: []string{"/bin/sh", "-c", text}, Deadline: time.Second}
}

// TestAsk has validators that are scripts.
func TestAsk(t *testing.T) {
	env := []string{"PATH=/usr/bin:/bin"}
	if r, err := script(`grep -q '"tool":"Bash"' && echo '`+good+`'`).Ask(request(), env); err != nil || len(r.Verdicts) != 2 {
		t.Errorf("%v %v", r, err)
	}
	for text, want := range map[string]string{
		`echo '` + good + `'; echo no key >&2; exit 1`: "exit code 1: no key",
		`sleep 30`: "in time",
		`exit 0`:   "cannot be read",
	} {
		r := request()
		r.Deadline = time.Now().Add(300 * time.Millisecond)
		if _, err := script(text).Ask(r, env); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestValid(t *testing.T) {
	for name, v := range map[string]validate.Validator{
		"no command":   {Deadline: time.Second},
		"no deadline":  {Command: []string{"/bin/true"}},
		"a long one":   {Command: []string{"/bin/true"}, Deadline: time.Hour},
		"another name": {Command: []string{"/bin/true"}, Deadline: time.Second, Stages: []validate.Stage{"tool-aprove"}},
	} {
		if v.Valid() == nil {
			t.Errorf("%s: it is valid", name)
		}
	}
	v := script("")
	if err := v.Valid(); err != nil {
		t.Error(err)
	}
	if got := v.Asked(validate.Stages); len(got) != len(validate.Stages) {
		t.Errorf("%v", got)
	}
	v.Stages = []validate.Stage{validate.Approve}
	if got := v.Asked([]validate.Stage{validate.Intent, validate.Approve}); len(got) != 1 || got[0] != validate.Approve {
		t.Errorf("%v", got)
	}
}

// FuzzRead is given whatever a model may say.
func FuzzRead(f *testing.F) {
	f.Add([]byte(good))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := validate.Read(data, request())
		if err == nil && (len(r.Verdicts) != 2 || r.ID != "r1") {
			t.Errorf("%q: %v", data, r)
		}
	})
}
