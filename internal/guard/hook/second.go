package hook

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/crypto/blake2s"

	"fettle/internal/guard/validate"
	"fettle/internal/policy/shell"
)

// Second is what became of a second opinion, for the log.
type Second struct {
	Mode     string             `json:"mode"` // direct: the call waited for it; lazy: it did not; cached
	Stages   []validate.Stage   `json:"stages"`
	Failed   validate.Stage     `json:"failed,omitempty"`
	Reason   string             `json:"reason,omitempty"`
	Error    string             `json:"error,omitempty"`    // there was no reply
	Opinions []validate.Opinion `json:"opinions,omitempty"` // of each stage, where telemetry is to hear of them; without reasons
}

// question is a call that a validator is asked about.
type question struct {
	ruling  *ruling
	key     string
	request validate.Request
}

// pending is a question that no call waited for.
type pending struct {
	ID     string         `json:"id"`
	Tool   string         `json:"tool"`
	Agent  string         `json:"agent,omitempty"`
	Time   time.Time      `json:"time"`
	Key    string         `json:"key"`
	Failed validate.Stage `json:"failed,omitempty"`
	Reason string         `json:"reason,omitempty"`
	Lost   bool           `json:"lost,omitempty"`   // there was no reply
	Errand bool           `json:"errand,omitempty"` // it was a subagent's that has ended: the agent that sent it hears of it
}

// known is an answer that is not asked for twice.
type known struct {
	Key    string         `json:"key"`
	Time   time.Time      `json:"time"`
	Failed validate.Stage `json:"failed,omitempty"`
	Reason string         `json:"reason,omitempty"`
}

// keepOpinion is how long an opinion counts.
const keepOpinion = 5 * time.Minute

// SecondOpinion is the argument with which the hook's program waits for a validator, so that the agent need not.
const SecondOpinion = "second-opinion"

// Validating marks in the environment the processes that a validator starts: an agent among them is guarded by the rules, and is not a reason to ask
// again.
const Validating = "FETTLE_GUARD_VALIDATING"

// ValidatingHeader says the same of an event that comes over HTTP.
const ValidatingHeader = "Fettle-Guard-Validating"

// question is what a validator is to be asked about a call, whether the call waits for it, and whether it may be asked at all.
func (h *Hook) question(s *session, o *occasion, r *ruling) (q *question, wait bool) {
	v := o.settled.Validator
	if v == nil || h.env(Validating) != "" {
		return nil, false
	}
	var stages []validate.Stage
	switch {
	case r.Decision == shell.Ask && !r.Final:
		stages, wait = h.doubts(s, o, r.Verdict), true
	case r.Decision == shell.Allow && !looksOnly(r.Verdict):
		stages, wait = s.stages(o, r.Verdict), v.Strict || len(r.why) > 0
		wait = wait && o.Agent == "" || h.Later == nil // subagents never wait
	}
	if stages = v.Asked(stages); len(stages) == 0 {
		return nil, false
	}
	q = &question{ruling: r, request: validate.Request{Version: validate.Version, Stages: stages, Why: r.why, Deadline: h.now().Add(v.Deadline), Session: o.Session, Agent: o.Agent,
		Mode: o.Mode, Root: o.at.Root, Cwd: o.at.Cwd, Tool: o.Tool, Input: o.Input, Verdict: r.Verdict, First: s.first(), Words: s.Words, Transcript: o.Transcript}}
	if f := s.failing(); f != nil {
		q.request.Failed = f.What
	} else {
		q.request.Errored = s.Errored
	}
	if s.Plan != nil {
		q.request.Plan, q.request.Planned = s.Plan.Files, s.Plan.Says
	}
	sum, _ := blake2s.New256(nil) // without a key there is no error
	for _, part := range [][]byte{[]byte(fmt.Sprint(stages, s.Spoken, o.Agent != "", q.request.Failed, q.request.Errored, q.request.Planned)), []byte(o.Tool), o.Input, []byte(o.at.Cwd)} {
		fmt.Fprintf(sum, "%d ", len(part))
		sum.Write(part)
	}
	q.key = hex.EncodeToString(sum.Sum(nil)[:12])
	q.request = h.discreet(q.request)
	q.request.ID = q.key + "-" + hex.EncodeToString(fmt.Append(nil, s.Calls))
	return q, wait
}

// discreet is a request without secrets: the validator may ask somebody far away. Where taking them out breaks its form, the call and what
// the rules say of it are left out, but for the decision.
func (h *Hook) discreet(r validate.Request) validate.Request {
	var clean validate.Request
	data, err := json.Marshal(r)
	if err == nil && json.Unmarshal(h.redactor().RedactJSON(data), &clean) == nil {
		return clean
	}
	r.Input, r.First, r.Words, r.Failed, r.Errored, r.Plan, r.Planned = json.RawMessage(`{}`), "", nil, "", "", nil, ""
	r.Verdict = shell.Verdict{Decision: r.Verdict.Decision, Rule: r.Verdict.Rule, Class: r.Verdict.Class}
	return r
}

// looking are the kinds of facts that leave nothing behind: files that are read, and programs that run, as what these do besides are facts of their own.
var looking = []shell.Kind{shell.Read, shell.Exec}

// looksOnly reports a call that reads, or keeps the agent's own house: nobody is asked about those.
func looksOnly(v shell.Verdict) bool {
	return !slices.ContainsFunc(v.Facts, func(f shell.Fact) bool {
		return !slices.Contains(looking, f.Kind) && (f.Kind != shell.Tool || gives(f.Target))
	})
}

// gives reports a tool by which an agent hands in a plan, or gives a task to another.
func gives(tool string) bool {
	return tool == "ExitPlanMode" || tool == "Agent" || tool == "Task" || tool == "spawn_agent"
}

// doubts are the stages about what the rules ask about. Where somebody is there, they say yes themselves; that their agents' instructions are to say what the agent
// writes there is looked at before they are asked.
func (h *Hook) doubts(s *session, o *occasion, v shell.Verdict) (all []validate.Stage) {
	if h.alone(s, &o.Event) {
		all = append(all, validate.Approve)
	}
	if instructs(v) {
		all = append(all, validate.ClaudeMD)
	}
	return all
}

// stages are those that a call gives reason to.
func (s *session) stages(o *occasion, v shell.Verdict) []validate.Stage {
	all := []validate.Stage{validate.Intent}
	if !s.Acted && o.Agent == "" {
		all = append(all, validate.Respond)
	}
	if s.failing() != nil || s.Errored != "" {
		all = append(all, validate.Error)
	}
	if s.Plan != nil || o.Mode == "plan" || o.Tool == "ExitPlanMode" {
		all = append(all, validate.Plan)
	}
	if instructs(v) {
		all = append(all, validate.ClaudeMD)
	}
	switch o.Tool {
	case "Edit", "MultiEdit", "apply_patch": // they say what was there before
		all = append(all, validate.StyleDrift)
	}
	return all
}

// asked puts the question, without holding the session, and makes of the reply what the client hears.
func (h *Hook) asked(o *occasion, q *question) (*session, answer, error) {
	if h.Grace != nil {
		h.Grace(time.Until(q.request.Deadline))
	}
	k := known{Key: q.key, Time: h.now().UTC()}
	second := &Second{Mode: "direct", Stages: q.request.Stages}
	reply, err := h.put(o.settled.Validator, q.request)
	if k.Failed, k.Reason = reply.Failure(); err != nil {
		second.Error = err.Error()
	}
	second.Failed, second.Reason = k.Failed, k.Reason
	s, failed := h.open(o.Session)
	if failed != nil {
		return nil, answer{}, failed
	}
	if err == nil {
		k.Reason = s.redactor().RedactString(k.Reason)
		s.Known = append(s.known(h.now()), k)
	}
	if h.reports(s, o) {
		second.Opinions = unreasoned(reply.Verdicts)
	}
	q.ruling.heed(second)
	a := h.conclude(s, o, q.ruling)
	return s, a, s.save()
}

// unreasoned are opinions without why.
func unreasoned(all []validate.Opinion) []validate.Opinion {
	all = slices.Clone(all)
	for i := range all {
		all[i].Reason = ""
	}
	return all
}

// put puts a request to a validator, which knows by its environment that its own processes are not to be asked about.
func (h *Hook) put(v *validate.Validator, r validate.Request) (validate.Reply, error) {
	return v.Ask(r, append(slices.Clip(h.Environ), Validating+"=1"))
}

// heed makes a ruling of what a validator said of it.
func (r *ruling) heed(second *Second) {
	r.second = second
	facts := r.Facts
	switch {
	case second.Error != "":
		why := "the validator gave no answer: " + second.Error
		if r.Decision == shell.Ask {
			r.Reason += "; " + why
			return
		}
		r.Verdict = shell.Verdict{Decision: shell.Ask, Class: "told", Rule: "no-second-opinion", Reason: why, Alternative: "the person looks at the validator in ~/.config/fettle/policy.yaml"}
	case second.Failed != "":
		why, instead := objection(second.Failed, second.Reason)
		if second.Failed == validate.Approve {
			why = r.Reason + "; " + why
		}
		r.Verdict = shell.Verdict{Decision: shell.Deny, Class: "told", Rule: string(second.Failed), Reason: why, Alternative: instead}
	case r.Decision == shell.Ask && slices.Contains(second.Stages, validate.Approve):
		r.Verdict = shell.Verdict{Decision: shell.Allow, Class: "told", Rule: string(validate.Approve)}
	}
	r.Facts = facts
}

// grievance is how a stage says what it has against a call, and what to do instead.
type grievance struct {
	stage               validate.Stage
	says, asks, instead string
}

var grievances = []grievance{
	{validate.Approve, "it was not approved: ", "", "do without it, or end the turn and say what you need it for"},
	{validate.Respond, "First response misalignment: ", ". Please respond to the user's message first", "answer in words what was said, and go on then"},
	{validate.Error, "Error acknowledgment required: ", "", "say what failed and why, and mend it before you go on"},
	{validate.Plan, "Plan drift detected: ", "", "keep to the plan, or bring another one before the person"},
	{validate.ClaudeMD, "CLAUDE.md validation failed: ", "", "write there only what the person wants, and leave the rest as it is"},
	{validate.StyleDrift, "Style drift detected: ", "", "make the change alone, and leave the style around it as it is"},
	{validate.Intent, "this is not what the person asked for: ", "", "do what they asked for; if this is a part of it, tell them why"},
}

// objection says what a validator has against a call, and what to do instead.
func objection(stage validate.Stage, reason string) (why, instead string) {
	for i := range grievances {
		if g := &grievances[i]; g.stage == stage {
			return g.says + reason + g.asks, g.instead
		}
	}
	return string(stage) + ": " + reason, ""
}

// known are the opinions that still count.
func (s *session) known(now time.Time) []known {
	s.Known = without(s.Known, func(k *known) bool { return now.Sub(k.Time) > keepOpinion })
	return s.Known[max(0, len(s.Known)-maxKept+1):]
}

// opinion is one that was given already.
func (s *session) opinion(q *question, now time.Time) *Second {
	for _, k := range s.known(now) {
		if k.Key == q.key {
			return &Second{Mode: "cached", Stages: q.request.Stages, Failed: k.Failed, Reason: k.Reason}
		}
	}
	return nil
}

// job is a question that another process asks, with all that it needs for it.
type job struct {
	Dir       string              `json:"dir"`
	Key       string              `json:"key"`
	Validator *validate.Validator `json:"validator"`
	Request   validate.Request    `json:"request"`
}

// later leaves a question to another process, and remembers that it is open.
func (h *Hook) later(s *session, o *occasion, q *question, dir string) error {
	data, err := json.Marshal(job{dir, q.key, o.settled.Validator, q.request})
	if err != nil {
		return err
	}
	s.Pending = append(s.Pending[max(0, len(s.Pending)-maxKept+1):], pending{ID: q.request.ID, Tool: o.Tool, Agent: o.Agent, Time: h.now().UTC(), Key: q.key})
	return h.Later(data)
}

// Answered asks what a call did not wait for, and notes what came of it for the next one. It is what the process does that [Hook.Later] starts.
func (h *Hook) Answered(in io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(in, maxEvent))
	if err != nil {
		return err
	}
	var j job
	if err := json.Unmarshal(data, &j); err != nil || j.Validator == nil {
		return errors.Join(errors.New("this is no question to a validator"), err)
	}
	reply, unheard := h.put(j.Validator, j.Request)
	h.Dir = j.Dir
	s, err := h.open(j.Request.Session)
	if err != nil {
		return err
	}
	defer s.close()
	i := slices.IndexFunc(s.Pending, func(p pending) bool { return p.ID == j.Request.ID })
	if i < 0 {
		return nil // the person has taken it back
	}
	p := &s.Pending[i]
	p.Time, p.Lost = h.now().UTC(), unheard != nil
	p.Failed, p.Reason = reply.Failure()
	p.Reason = s.redactor().RedactString(p.Reason)
	if !p.Lost {
		s.Known = append(s.known(h.now()), known{j.Key, h.now().UTC(), p.Failed, p.Reason})
		if p.Failed == "" {
			s.Pending = append(s.Pending[:i], s.Pending[i+1:]...)
		}
	}
	return s.save()
}

// troubled refuses a call because of an earlier one of the same agent that a validator has since found fault with: once, for each.
func troubled(s *session, o *occasion, _ shell.Verdict) *shell.Verdict {
	i := slices.IndexFunc(s.Pending, func(p pending) bool { return p.of(o.Agent) })
	if i < 0 {
		return nil
	}
	p := s.Pending[i]
	s.Pending = append(s.Pending[:i], s.Pending[i+1:]...)
	return &shell.Verdict{Decision: shell.Deny, Class: "told", Rule: string(p.Failed), Reason: p.tells(), Alternative: "mend that first"}
}

// of reports something against a call of an agent's.
func (p *pending) of(agent string) bool { return p.Failed != "" && p.Agent == agent }

// tells says what a validator has found against a call.
func (p *pending) tells() string {
	whose := ""
	if p.Errand {
		whose = " of a subagent"
	}
	why, _ := objection(p.Failed, p.Reason)
	return "Previous " + p.Tool + whose + " had issues: " + why
}

// objections are what a validator has against the calls of an agent that would end its turn: there is no next call that could hear of it. Each is told once.
func (s *session) objections(agent string) (all []string) {
	s.Pending = without(s.Pending, func(p *pending) bool {
		if p.of(agent) {
			all = append(all, p.tells()+". Mend that first.")
		}
		return p.of(agent)
	})
	return all
}

// bequeath leaves what is still open about a subagent's calls to the agent that has sent it: it will not hear of it any more.
func (s *session) bequeath(agent string) {
	for i := range s.Pending {
		if p := &s.Pending[i]; p.Agent == agent && agent != "" {
			p.Agent, p.Errand = "", true
		}
	}
}
