package telemetry

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"

	"fettle/internal/guard/hook"
	"fettle/internal/guard/validate"
	"fettle/internal/policy/secret"
	"fettle/internal/policy/shell"

	logspb "go.opentelemetry.io/proto/slim/otlp/logs/v1"
)

// Decision is what was decided, in the words of the telemetry.
type Decision string

// The decisions that the guard has.
const (
	Approve Decision = "APPROVE" // the call goes on to the client's own permissions
	Deny    Decision = "DENY"    // it does not, or not before a person says so; a check failed
	Confirm Decision = "CONFIRM" // a check passed, a commit was made
	Success Decision = "SUCCESS" // fettle has healed what it was to heal
	Failed  Decision = "ERROR"   // who was to decide could not; no commit was made, not all was healed
)

// The types of events.
const (
	execution    = "agent_execution" // a validator answered, or what checks or heals has ended
	hookDecision = "hook_decision"
	failure      = "error"      // a policy or a validator could not be used
	escalation   = "escalation" // the same was tried again in other words
	commit       = "commit"     // a commit was made, or was not
)

// maker makes records of decisions. All that it lets through are words of known vocabularies, names of a narrow form, numbers and hashes.
type maker struct {
	id    identity
	clean *secret.Redactor
}

// fields are the attributes of one record; what is empty is left out.
type fields struct {
	event    string
	agent    string
	decision Decision
	mode     string
	rule     string
	after    string          // the hook that heard of it after the call; empty: the one before it
	appeal   string          // what a second look said
	asked    *validate.Asked // the model whose answer it is; nil: none is known
}

// appeal is the question that a validator puts a second time, where it was answered with no.
const appeal = "tool-appeal"

// appeals are what it may come to.
var appeals = map[validate.Word]string{validate.Overturn: "OVERTURN", validate.Uphold: "UPHOLD"}

func (f fields) hook() string { return cmp.Or(f.after, "PreToolUse") }

// ends are what it means that a call has ended well, or not.
var ends = map[string]struct {
	event     string
	well, ill Decision
}{
	hook.Check:   {execution, Confirm, Deny},
	hook.Confirm: {execution, Confirm, Deny},
	hook.Commit:  {commit, Confirm, Failed},
	hook.Fix:     {execution, Success, Failed},
}

// outcomeOf says how a call ended.
func outcomeOf(o hook.Outcome) fields {
	end, known := ends[o.What]
	if !known { // of another build's log
		end = ends[hook.Check]
	}
	if o.Passed {
		return fields{event: end.event, agent: o.What, decision: end.well, mode: "direct", after: "PostToolUse"}
	}
	return fields{event: end.event, agent: o.What, decision: end.ill, mode: "direct", after: "PostToolUseFailure"}
}

// records are what is sent of a decision: the hook's own, and one for each question that a validator answered while the call waited, and for each appeal.
func (m maker) records(i item) []*logspb.LogRecord {
	if i.Outcome != nil {
		return []*logspb.LogRecord{m.record(i, 1, outcomeOf(*i.Outcome))}
	}
	all := []*logspb.LogRecord{m.record(i, 0, fields{event: eventOf(i.Entry), agent: agentOf(i.Rule), decision: decisionOf(i.Entry), mode: modeOf(i.Second), rule: i.Rule})}
	if i.Second == nil || modeOf(i.Second) != "direct" {
		return all // the answer is not known yet, or was sent when it was
	}
	for _, f := range answers(i.Second) {
		all = append(all, m.record(i, len(all), f))
	}
	return all
}

// answers are what a validator said of each question; that it said nothing is an error of each.
func answers(s *hook.Second) (all []fields) {
	if s.Error != "" {
		for _, stage := range s.Stages {
			all = append(all, fields{event: failure, agent: string(stage), decision: Failed, mode: "direct"})
		}
	}
	for _, o := range s.Opinions {
		f := fields{event: execution, agent: string(o.Stage), decision: saying(o.Decision), mode: "direct", asked: nth(o.Asked, 0)}
		if o.Appeal == "" {
			all = append(all, f)
			continue
		}
		f.decision = Deny // or there would be no appeal
		all = append(all, f, fields{event: execution, agent: appeal, decision: saying(o.Decision), mode: "direct", appeal: appeals[o.Appeal], asked: nth(o.Asked, 1)})
	}
	return all
}

// saying is what a validator's word decides.
func saying(w validate.Word) Decision {
	if w == validate.OK {
		return Approve
	}
	return Deny
}

// nth is one of the models that were asked; nil if the validator does not name it.
func nth(all []validate.Asked, n int) *validate.Asked {
	if n >= len(all) {
		return nil
	}
	return &all[n]
}

// record is one of a decision's records, the nth.
func (m maker) record(i item, n int, f fields) *logspb.LogRecord {
	f.agent = m.stageName(f.agent)
	errorCount := int64(0)
	if f.decision == Failed {
		errorCount = 1
	}
	tool := i.Tool
	if i.Outcome != nil {
		tool = i.Outcome.Tool
	}
	attrs := list{}
	attrs.text("fettle.record.id", m.id.hash("record", fmt.Sprint(i.from.File, " ", i.from.Offset, " ", n)))
	attrs.text("session.id", m.name("session", i.Session))
	attrs.text("fettle.event.type", f.event)
	attrs.text("fettle.agent.name", f.agent)
	attrs.text("fettle.hook.name", f.hook())
	attrs.text("fettle.decision", string(f.decision))
	attrs.text("fettle.mode", f.mode)
	attrs.text("gen_ai.tool.name", m.name("tool", tool))
	attrs.text("fettle.workdir.hash", m.id.hash("workdir", i.Cwd))
	attrs.number("fettle.error.count", errorCount)
	attrs.flag("fettle.success", errorCount == 0)
	attrs.text("fettle.reason.rule", m.name("rule", f.rule))
	attrs.text("fettle.appeal", f.appeal)
	attrs.text("fettle.client.mode", clientMode(i.Mode))
	attrs.flag("fettle.subagent", i.Agent != "")
	if f.asked != nil {
		attrs.text("gen_ai.provider.name", m.name("provider", f.asked.Provider))
		attrs.text("gen_ai.request.model", m.name("model", f.asked.Model))
		attrs.text("fettle.model.tier", m.name("tier", f.asked.Tier))
		attrs.real("fettle.latency.ms", float64(f.asked.Millis))
	}
	if n == 0 {
		attrs.real("fettle.latency.ms", float64(i.Micros)/1000)
		attrs.text("fettle.ruling", i.Decision.String())
		attrs.text("fettle.reason.class", m.name("class", string(i.Class)))
		attrs.number("fettle.attempt", int64(i.Tried))
		attrs.texts("fettle.facts.kinds", kinds(i.Facts))
	}
	at := stamp(i.Time)
	r := &logspb.LogRecord{TimeUnixNano: at, ObservedTimeUnixNano: at, EventName: "fettle.guard.decision", Attributes: attrs,
		SeverityNumber: logspb.SeverityNumber_SEVERITY_NUMBER_INFO, SeverityText: "INFO", Body: text(f.agent + " " + string(f.decision))}
	switch f.decision {
	case Deny:
		r.SeverityNumber, r.SeverityText = logspb.SeverityNumber_SEVERITY_NUMBER_WARN, "WARN"
	case Failed:
		r.SeverityNumber, r.SeverityText = logspb.SeverityNumber_SEVERITY_NUMBER_ERROR, "ERROR"
	case Approve, Confirm, Success:
	}
	return r
}

// lost is the record of what was never sent.
func lost(l Loss, at time.Time) *logspb.LogRecord {
	attrs := list{}
	attrs.number("fettle.dropped.decisions", l.Dropped)
	attrs.number("fettle.dropped.gaps", l.Gaps)
	return &logspb.LogRecord{TimeUnixNano: stamp(at), ObservedTimeUnixNano: stamp(at), EventName: "fettle.telemetry.dropped", Attributes: attrs,
		SeverityNumber: logspb.SeverityNumber_SEVERITY_NUMBER_WARN, SeverityText: "WARN", Body: text("telemetry dropped")}
}

// stamp is a time as OTLP has it. One that does not fit is unknown.
func stamp(t time.Time) uint64 {
	if n := t.UnixNano(); t.Year() >= 1970 && t.Year() < 2200 && n > 0 {
		return uint64(n)
	}
	return 0
}

// agents are the stages that the hook's own rules stand for. Everything else is for tool-approve.
var agents = map[string]validate.Stage{"told-not-to": validate.Intent, "plan-mode": validate.Plan, "plan-drift": validate.Plan, "failed-check": validate.Error}

func agentOf(rule string) string {
	if slices.Contains(validate.Stages, validate.Stage(rule)) {
		return rule
	}
	if stage, ok := agents[rule]; ok {
		return string(stage)
	}
	return string(validate.Approve)
}

func decisionOf(e hook.Entry) Decision {
	switch {
	case eventOf(e) == failure:
		return Failed
	case e.Decision == shell.Allow:
		return Approve
	}
	return Deny
}

func eventOf(e hook.Entry) string {
	switch {
	case e.Rule == "policy-unusable" || e.Rule == "no-second-opinion":
		return failure
	case e.Tried > 0:
		return escalation
	}
	return hookDecision
}

// modeOf says whether the call waited for what a validator says, in the two words of the telemetry.
func modeOf(s *hook.Second) string {
	if s != nil && s.Mode != "direct" {
		return "lazy"
	}
	return "direct"
}

// kinds are the kinds of what a call would do, each once.
func kinds(facts []shell.Fact) []string {
	var all []string
	for _, f := range facts {
		if k := string(f.Kind); f.Kind.Known() && !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return all
}

// narrow is the form of a name: it holds no path, and no sentence.
var narrow = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$`)

// name is a name that somebody else has given, where it has the form of one and holds no secret. Else it is a hash: what does not look like a name may be anything.
func (m maker) name(kind, value string) string {
	if value == "" || narrow.MatchString(value) && m.clean.RedactString(value) == value {
		return value
	}
	return kind + "-" + m.id.hash(kind, value)
}

// stageName is the name of a stage. Another one is not in the vocabulary, whatever it looks like.
func (m maker) stageName(s string) string {
	if slices.Contains(validate.Stages, validate.Stage(s)) || slices.Contains([]string{hook.Check, hook.Confirm, hook.Commit, hook.Fix, appeal}, s) {
		return s
	}
	return "agent-" + m.id.hash("agent", s)
}

// clientMode is the client's permission mode, if it is one that is known.
func clientMode(mode string) string {
	if mode == "" || slices.Contains([]string{"default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions"}, mode) {
		return mode
	}
	return "other"
}
