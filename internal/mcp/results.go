package mcp

// Finding is one thing that a check found.
type Finding struct {
	Check    string `json:"check"`
	Severity string `json:"severity"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Rule     string `json:"rule,omitempty"`
	Test     string `json:"test,omitempty"`
	Message  string `json:"message"`
	Detail   string `json:"detail,omitempty" jsonschema:"the tool's longer text, shortened"`
}

// CheckLine is how one check came out.
type CheckLine struct {
	Check   string `json:"check"`
	Status  string `json:"status"`
	Passed  int    `json:"passed,omitempty" jsonschema:"tests that passed"`
	Failed  int    `json:"failed,omitempty" jsonschema:"tests that failed"`
	Skipped int    `json:"skipped,omitempty" jsonschema:"tests that were skipped"`
	Reason  string `json:"reason,omitempty"`
	Tail    string `json:"tail,omitempty" jsonschema:"the end of what it printed, where nothing could be read from it"`
}

// The words for how checks came out.
const (
	Pass   = "PASS"
	Fail   = "FAIL"
	Broken = "BROKEN" // a check could not run, so nobody knows
)

// Checked is what check says.
type Checked struct {
	Status   string      `json:"status" jsonschema:"PASS, FAIL, or BROKEN: a check could not run"`
	ExitCode int         `json:"exit_code" jsonschema:"what fettle run would end with"`
	Errors   int         `json:"errors"`
	Warnings int         `json:"warnings" jsonschema:"findings that are milder than errors"`
	Checks   []CheckLine `json:"checks"`
	Findings []Finding   `json:"findings" jsonschema:"errors first"`
	More     int         `json:"more,omitempty" jsonschema:"findings that are not shown"`
	Note     string      `json:"note,omitempty"`
}

// Healed is what fix says.
type Healed struct {
	Session  string    `json:"session,omitempty"`
	End      string    `json:"end" jsonschema:"converged, exhausted, rejected, budget, stuck, halted, paused or interrupted"`
	ExitCode int       `json:"exit_code"`
	Success  bool      `json:"success"`
	Applied  bool      `json:"applied" jsonschema:"files were changed; fettle undo takes that back"`
	Reason   string    `json:"reason,omitempty"`
	Changes  []string  `json:"changes" jsonschema:"what was changed, or would be, and by whom"`
	Refused  []string  `json:"refused,omitempty" jsonschema:"what was proposed and not taken, and why"`
	Patch    string    `json:"patch,omitempty" jsonschema:"the patch that waits for a person, as a unified diff"`
	Waits    string    `json:"waits,omitempty" jsonschema:"why a patch waits, and how a person takes it or drops it"`
	Left     []Finding `json:"left" jsonschema:"what is still wrong"`
	More     int       `json:"more,omitempty" jsonschema:"findings that are left and not shown"`
	Notes    []string  `json:"notes,omitempty"`
}

// Place is one suspicious place.
type Place struct {
	File  string   `json:"file"`
	Line  int      `json:"line"`
	End   int      `json:"end_line,omitempty"`
	Score float64  `json:"score" jsonschema:"how suspicious it is, between 0 and 1"`
	Why   string   `json:"why"`
	Code  []string `json:"source,omitempty"`
}

// Suspects are the places for one group of tests.
type Suspects struct {
	Check   string   `json:"check"`
	Failing []string `json:"failing"`
	Places  []Place  `json:"places"`
	More    int      `json:"more,omitempty"`
}

// Located is what locate says.
type Located struct {
	Failing bool       `json:"failing" jsonschema:"false: every test passes, and there is no fault to locate"`
	Suites  []Suspects `json:"suites"`
	Notes   []string   `json:"notes,omitempty"`
}

// Judged is one thing that the audit saw in a change.
type Judged struct {
	Effect string `json:"effect" jsonschema:"refuse, ask (a person has to say yes) or note"`
	Text   string `json:"text"`
}

// Audited is what audit says.
type Audited struct {
	Decision string   `json:"decision" jsonschema:"approve, ask or refuse"`
	Files    int      `json:"files"`
	Findings []Judged `json:"findings"`
}

// Result is how one part of a gate came out.
type Result struct {
	Name   string `json:"name"`
	Status string `json:"status" jsonschema:"PASS, FAIL or NOT JUDGED"`
	Why    string `json:"why,omitempty"`
}

// NotJudged is a part of which nobody here can tell.
const NotJudged = "NOT JUDGED"

// Confirmed is what confirm says.
type Confirmed struct {
	Verdict  string    `json:"verdict" jsonschema:"CONFIRMED or DECLINED"`
	Reason   string    `json:"reason"`
	Results  []Result  `json:"results"`
	Findings []Finding `json:"findings" jsonschema:"what the checks found"`
	Audit    []Judged  `json:"audit" jsonschema:"what the audit saw in the change"`
}

// The verdicts of the chain.
const (
	Confirms  = "CONFIRMED"
	Declines  = "DECLINED"
	Skips     = "SKIPPED"
	Commits   = "COMMITTED"
	Publishes = "PUSHED"
)

// Committed is what commit says.
type Committed struct {
	Status  string     `json:"status" jsonschema:"COMMITTED, SKIPPED or DECLINED"`
	Reason  string     `json:"reason,omitempty"`
	Size    string     `json:"size,omitempty" jsonschema:"SMALL, MEDIUM or LARGE"`
	Message string     `json:"message,omitempty"`
	Hash    string     `json:"hash,omitempty"`
	Branch  string     `json:"branch,omitempty"`
	Files   []string   `json:"files,omitempty"`
	Left    []string   `json:"left,omitempty" jsonschema:"what has changed, too, and was not committed"`
	ByHooks []string   `json:"changed_by_hooks,omitempty" jsonschema:"files that a hook has changed after they were checked"`
	Gate    *Confirmed `json:"gate,omitempty"`
}

// Pushed is what push says.
type Pushed struct {
	Status  string   `json:"status" jsonschema:"PUSHED, SKIPPED or DECLINED"`
	Reason  string   `json:"reason,omitempty"`
	Remote  string   `json:"remote,omitempty"`
	Branch  string   `json:"branch,omitempty" jsonschema:"the branch there"`
	Hash    string   `json:"hash,omitempty"`
	Commits []string `json:"commits,omitempty" jsonschema:"what others now see, the newest first"`
	Checked *Checked `json:"checked,omitempty"`
}

// The verdicts of validate_intent.
const (
	Aligned = "ALIGNED"
	Drifted = "DRIFTED"
	Unknown = "UNKNOWN"
)

// Intent is what validate_intent says.
type Intent struct {
	Verdict string   `json:"verdict" jsonschema:"ALIGNED, DRIFTED or UNKNOWN"`
	Reason  string   `json:"reason"`
	Words   string   `json:"words" jsonschema:"what the person said last"`
	Said    string   `json:"said,omitempty" jsonschema:"what the agent said last"`
	Calls   int      `json:"calls" jsonschema:"tool calls since the person's last words"`
	Results []Result `json:"results"`
}

// Explained is what explain says.
type Explained struct {
	Decision    string   `json:"decision" jsonschema:"allow, ask or deny"`
	Final       bool     `json:"final" jsonschema:"nobody may overturn it but who owns the policy"`
	Rule        string   `json:"rule,omitempty"`
	Class       string   `json:"class,omitempty"`
	Reason      string   `json:"reason,omitempty"`
	Alternative string   `json:"alternative,omitempty"`
	Facts       []string `json:"facts" jsonschema:"what the command would do, in order"`
	Loosened    []string `json:"loosened,omitempty" jsonschema:"rules of the person's own policy that let happen what fettle's does not"`
}

// Session is one session in a line.
type Session struct {
	Session string   `json:"session"`
	Started string   `json:"started"`
	State   string   `json:"state"`
	Rounds  int      `json:"rounds"`
	Checks  []string `json:"checks"`
	Back    string   `json:"rolled_back,omitempty"`
}

// Status is what status says.
type Status struct {
	Sessions []Session `json:"sessions"`
	Report   string    `json:"report,omitempty" jsonschema:"one session's report, as fettle show writes it"`
}
