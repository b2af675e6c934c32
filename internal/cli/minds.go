package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"fettle/internal/audit/challenge"
	"fettle/internal/budget"
	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/agent"
	"fettle/internal/fix/prompt"
	"fettle/internal/heal"
	"fettle/internal/model"
	"fettle/internal/store"
	"fettle/internal/wording"
)

// minds are the models and agents that may be asked about this repository. What is not configured is not there.
type minds struct {
	own     model.Own
	client  *model.Client // nil: no model may be asked
	why     string        // … because
	words   fs.FS         // the person's own prompts; nil: there are none
	unnamed string        // what a server has of which nobody has said what is asked; empty: there is none
	purse   *purse

	recorder *model.Recorder // writes down what is answered; nil: nobody does
}

// caller is whom fixers and second readers ask.
func (m *minds) caller() model.Caller {
	if m.recorder != nil {
		return m.recorder
	}
	return m.client
}

// modelChoice is what a repository says about models, with where it says so.
type modelChoice struct {
	file   string
	choice model.Choice
}

// offHere is why no model is asked where the repository says so.
const offHere = check.FileName + " says that no model is asked here (models: off)"

// envModels is the variable that keeps every model and agent out, with the value off.
const envModels = "FETTLE_MODELS"

// minds reads what the person and the repository say about models. No model is asked yet, and nothing is opened.
func (h *house) minds(ctx context.Context, offline bool, b bound, note func(string)) (*minds, error) {
	why := ""
	switch {
	case offline:
		why = "offline: nothing leaves this machine"
	case h.config.Models.Off:
		why = offHere
	}
	if why != "" {
		own, err := model.LoadOwn(os.Getenv)
		if err != nil {
			return nil, usage("%w", err)
		}
		return &minds{own: own, why: why}, nil
	}
	m, err := mindsOf(ctx, h.root, modelChoice{check.FileName, choice(h.config.Models)}, b, note)
	if err != nil || m.client == nil {
		return m, err
	}
	if m.words, err = ownPrompts(); err != nil {
		return nil, usage("%w", err)
	}
	m.purse.calls.Session, m.purse.tokens.Session = h.config.Limits.Calls, h.config.Limits.Tokens
	if h.recording != nil {
		m.recorder = model.Record(m.client, h.recording, redactor())
	}
	if h.say != nil {
		h.wrong.Do(func() {
			for _, text := range m.client.Wrong() {
				h.say("%s", text)
			}
			for _, text := range m.client.Held() {
				h.say("%s: models: %s", check.FileName, text)
			}
		})
	}
	return m, nil
}

// mindsOf are the models for a folder, whatever lies in it.
func mindsOf(ctx context.Context, root string, c modelChoice, b bound, note func(string)) (*minds, error) {
	m, o, err := setUp(root, c, b, note)
	if err != nil || m.client == nil {
		return m, err
	}
	return m, m.served(ctx, o)
}

// setUp are the models for a folder, as far as that can be said without asking anybody, and what the client is made of.
func setUp(root string, c modelChoice, b bound, note func(string)) (*minds, model.Options, error) {
	own, err := model.LoadOwn(os.Getenv)
	if err != nil {
		return nil, model.Options{}, usage("%w", err)
	}
	table, err := model.Default().WithOwn(own)
	if err != nil {
		return nil, model.Options{}, usage("your own %s: %w", model.FileName, err)
	}
	if table, err = table.With(c.choice); err != nil {
		return nil, model.Options{}, usage("%s: models: %w", c.file, err)
	}
	m := &minds{own: own, purse: &purse{tree: root, bound: b, day: own.PerDay}}
	m.purse.calls.Day, m.purse.tokens.Day = own.CallsPerDay, own.TokensPerDay
	switch v := os.Getenv(envModels); v {
	case "":
	case "off":
		m.why = envModels + "=off"
		return m, model.Options{}, nil
	default:
		return nil, model.Options{}, usage("%s=%s: should be off, or not set", envModels, v)
	}
	o := model.Options{Table: table, Purse: m.purse, Bounded: b.usd > 0 && !b.usual || own.PerDay != nil, Getenv: os.Getenv, Note: note, Shared: providersDir}
	m.client = model.New(o)
	return m, o, nil
}

// providersDir is where this person's processes tell one another what they ask of models' providers.
func providersDir() (string, error) { return store.PersonDir("providers", true) }

// choice is what the repository says, in the words of whoever knows models.
func choice(m check.Models) model.Choice {
	c := model.Choice{Roles: map[model.Role]model.RoleRow{}, Tiers: map[model.Tier][]string{}}
	for name, r := range m.Roles {
		c.Roles[model.Role(name)] = model.RoleRow{Tier: model.Tier(r.Tier), Temperature: r.Temperature, MaxTokens: r.MaxTokens, Samples: r.Samples, Turns: r.Turns}
	}
	for name, chain := range m.Tiers {
		c.Tiers[model.Tier(name)] = chain
	}
	return c
}

// agents are the fixers that are command lines of agents: those that the person's own file or the command line names.
func (h *house) agents(m *minds, goal heal.Goal) ([]fix.Fixer, error) {
	rows := slices.Clone(m.own.Agents)
	for _, k := range agent.Kinds {
		if slices.Contains(goal.Fixers, string(k)) {
			if m.client == nil {
				return nil, usage("--fixer: %s cannot be asked: %s", k, m.why)
			}
			rows = append(rows, model.Agent{Name: string(k)})
		}
	}
	slices.SortStableFunc(rows, byName) // what the person's file says of one comes before its bare name
	var out []fix.Fixer
	for _, row := range slices.CompactFunc(rows, func(a, b model.Agent) bool { return a.Name == b.Name }) {
		name, kind := row.Name, agent.Kind(row.Name)
		if err := unknownAgent(name); err != nil {
			return nil, usage("%w", err)
		}
		if m.client == nil {
			continue // nothing may leave this machine: an agent is a model's
		}
		if err := agentReady(kind, h.root); err != nil {
			if slices.Contains(goal.Fixers, name) {
				return nil, usage("--fixer: %s cannot work: %w", name, err)
			}
			if h.say != nil {
				h.say("%s, which your own %s names, cannot work: %v", name, model.FileName, err)
			}
			continue
		}
		paid := booked{agent.New(kind, agent.Options{
			Model: row.Model, MaxTurns: row.Turns, Time: row.Time, Subagents: row.Subagents, Guard: guardOf(kind), Redactor: redactor(), Root: h.root, Conversations: h.talksDir(), Price: m.prices(kind), Templates: m.words,
		}), m.purse, m.unpriced(row)}
		out = append(out, remembered{Fixer: paid, settings: fmt.Sprint(row) + m.wordsFor("agent"), book: h.book()})
	}
	return out, nil
}

func byName(a, b model.Agent) int { return cmp.Compare(a.Name, b.Name) }

// talksDir is where conversations with agents are kept, as long as a session may go on with them.
func (h *house) talksDir() string { return filepath.Join(h.state, "talks") }

// forgetTalks removes the conversations that no session can go on with any more.
func (h *house) forgetTalks(ctx context.Context) error {
	if _, err := os.Stat(h.talksDir()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	open, err := h.sessions.Conversations(ctx)
	if err != nil {
		return err
	}
	return agent.Forget(h.talksDir(), open)
}

// models are the fixers that are models, smallest first: one for each of their tiers that has another model than those before it. The tier that each asks stands beside them, by its name.
func (h *house) models(m *minds) (out []fix.Fixer, asked map[string]model.Tier) {
	if m.client == nil {
		return nil, nil
	}
	asked = map[string]model.Tier{}
	seen := map[string]bool{}
	row := m.client.Row(model.Fixer)
	for _, tier := range m.client.Asks(model.Fixer) {
		provider, name, err := m.client.Ready(model.Fixer, tier)
		full := provider + "/" + name
		if err != nil || seen[full] {
			continue
		}
		f := prompt.New(m.caller(), prompt.Options{Tier: tier, Samples: row.Samples, Turns: m.client.Turns(model.Fixer), Context: m.client.Context(model.Fixer, tier), Templates: m.words, Redactor: redactor(), Root: h.root, MaxEdits: h.config.Limits.EditsPerFile, Model: full, Book: h.book()})
		out, asked[f.Name()], seen[full] = append(out, f), tier, true
	}
	return out, asked
}

// absent says why a fixer is not there that could be: a model's that nobody can ask. Nil: it is there, or nobody knows such a one.
func (m *minds) absent(name string, asked map[string]model.Tier) error {
	tier, ok := strings.CutPrefix(name, prompt.Prefix)
	if _, there := asked[name]; !ok || there || !slices.Contains(model.Tiers, model.Tier(tier)) {
		return nil
	}
	if m.client == nil {
		return fmt.Errorf("%s cannot be asked: %s", name, m.why)
	}
	if only := m.client.Asks(model.Fixer); !slices.Contains(only, model.Tier(tier)) {
		return fmt.Errorf("%s is not asked: the fixer's tier is %s (roles: {fixer: {tier: %[2]s}})", name, only[0])
	}
	provider, first, err := m.client.Ready(model.Fixer, model.Tier(tier))
	switch {
	case m.unnamed != "":
		return fmt.Errorf("%s cannot be asked: %s", name, m.unnamed)
	case err != nil:
		return fmt.Errorf("%s cannot be asked: %w", name, err)
	}
	return fmt.Errorf("%s would ask the same model as a smaller one (%s/%s), which is asked in its place", name, provider, first)
}

// names reports whether the person's own file has an agent asked.
func (m *minds) names(kind string) bool {
	return slices.ContainsFunc(m.own.Agents, func(a model.Agent) bool { return a.Name == kind })
}

// idle says why an agent is not among these fixers that could be; nil: it is, or nobody knows such a one.
func (h *house) idle(m *minds, name string, there []string) error {
	if !slices.Contains(agent.Kinds, agent.Kind(name)) || slices.Contains(there, name) {
		return nil
	}
	if m.client == nil {
		return fmt.Errorf("%s cannot be asked: %s", name, m.why)
	}
	if err := agentReady(agent.Kind(name), h.root); err != nil {
		if m.names(name) {
			return fmt.Errorf("%s cannot work: %w", name, err)
		}
		return fmt.Errorf("%s cannot work: %w; then write agents: [%[1]s] into your own %[3]s", name, err, model.FileName)
	}
	return fmt.Errorf("%s is there, and nobody has said that it may be asked: write agents: [%[1]s] into your own %[2]s, or ask it with --fixer %[1]s", name, model.FileName)
}

// prompts are those that a person may write, by their folders. The guard looks at its own itself.
var prompts = map[string][]string{"fixer": prompt.Names(), "challenger": challenge.Names(), "agent": agent.Names(), "guard": nil}

// ownPrompts are the person's own prompts; nil: there are none. One that would be asked by nobody is an error.
func ownPrompts() (fs.FS, error) {
	dir := model.Folder(os.Getenv)
	if dir == "" {
		return nil, nil
	}
	dir = filepath.Join(dir, "prompts")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // a HOME that is no folder holds nothing
		return nil, nil
	}
	own := os.DirFS(dir)
	if err := wording.Unknown(own, prompts); err != nil {
		return nil, fmt.Errorf("your own prompts, in %s: %w", dir, err)
	}
	return own, nil
}

// wordsFor names the person's own prompts of a role, by what they say; empty: there are none.
func (m *minds) wordsFor(role string) string {
	if m.words == nil {
		return ""
	}
	files, _ := fs.Glob(m.words, role+"/*.md") // the pattern is right
	var all []byte
	for _, f := range files {
		text, _ := fs.ReadFile(m.words, f) // whoever asks with it says why it cannot be read
		all = append(append(append(all, f...), 0), text...)
	}
	if all == nil {
		return ""
	}
	return string(edit.Sum(all))
}

// challenges reports whether there is a second model, for the role, and it is wanted.
func (m *minds) challenges(c check.Models) bool {
	if m.client == nil || c.Unjudged {
		return false
	}
	_, _, err := m.client.Ready(model.Challenger, "")
	return err == nil
}

// challenger is that model; root is the folder that it is not told.
func (m *minds) challenger(c check.Models, root string, known challenge.Known) heal.Challenger {
	if !m.challenges(c) {
		return nil
	}
	j := m.judge(c, root)
	j.Known = known
	return j.Ask
}

// judge is whom the challenger's questions are put to, in the person's words where they have any.
func (m *minds) judge(c check.Models, root string) challenge.Judge {
	return challenge.Judge{Caller: m.caller(), Threshold: c.Threshold, Out: redactor().Outbound(root), Templates: m.words, Turns: m.client.Turns(model.Challenger)}
}

// looksAround is what the person is told of what a second reader may ask to see besides what it is shown; empty: it may not.
func (m *minds) looksAround() string {
	if m.client.Turns(model.Challenger) == 0 {
		return ""
	}
	return "; other text files below the root that it asks to read"
}

// whom are the models that these fixers may ask, and the names of those that are agents.
func (m *minds) whom(minded []fix.Fixer, asked map[string]model.Tier) (models, agents []string) {
	for _, f := range minded {
		if tier, ok := asked[f.Name()]; ok {
			models = append(models, m.client.Asked(model.Fixer, tier)...)
		} else {
			agents = append(agents, f.Name())
		}
	}
	return models, agents
}

// sees says who will be asked by these fixers, models and agents, and what they see; code says which files that models are sent. Which tier a model's fixer asks is known by its name.
func (m *minds) sees(minded []fix.Fixer, asked map[string]model.Tier, c check.Models) (lines []string, code string) {
	models, agents := m.whom(minded, asked)
	for _, name := range agents {
		lines = append(lines, agentSees(name, os.Environ()))
	}
	if len(models) > 0 {
		lines, code = append(m.told(models, "", "what failed, and the code that it is about"), lines...), m.code()
	}
	if m.challenges(c) {
		lines = append(lines, m.told(m.client.Asked(model.Challenger, ""), asSecondReader, "what agents and models have changed, as a diff, what failed, and what was measured"+m.looksAround())...)
	}
	return lines, code
}

// purse pays for a session's calls out of the person's books, which are opened when the first call is made.
type purse struct {
	tree   string
	bound  bound // of the session
	day    *float64
	calls  budget.Counts
	tokens budget.Counts

	mu   sync.Mutex
	id   string
	db   *store.DB
	turn chan struct{} // of agents that take all that is left; made when it is first asked for
}

// one lets an agent in that takes all the money and tokens that are left, when no other of this process has it.
func (p *purse) one(ctx context.Context) (done func(), err error) {
	p.mu.Lock()
	if p.turn == nil {
		p.turn = make(chan struct{}, 1)
	}
	turn := p.turn
	p.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// limited reports whether there is a limit of money or of tokens at all.
func (p *purse) limited() bool {
	return p.bound.usd > 0 || p.day != nil || p.tokens != (budget.Counts{})
}

// unchosen reports whether the only limit of money and tokens is one that nobody has set.
func (p *purse) unchosen() bool {
	return p.bound.usual && p.day == nil && p.tokens == (budget.Counts{})
}

// reserveLeft is [budget.Ledger.ReserveLeft].
func (p *purse) reserveLeft(ctx context.Context, s budget.Spend) (budget.Hold, budget.Left, error) {
	l, err := p.ledger(ctx)
	if err != nil {
		return nil, budget.Left{}, err
	}
	return l.ReserveLeft(ctx, s)
}

// begin says which session the calls belong to.
func (p *purse) begin(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.id = id
}

// Reserve implements [budget.Purse].
func (p *purse) Reserve(ctx context.Context, s budget.Spend) (budget.Hold, error) {
	l, err := p.ledger(ctx)
	if err != nil {
		return nil, err
	}
	return l.Reserve(ctx, s)
}

func (p *purse) ledger(ctx context.Context) (*budget.Ledger, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.db == nil {
		db, err := budget.Open(ctx)
		if err != nil {
			return nil, err
		}
		p.db = db
	}
	l := &budget.Ledger{DB: p.db, Tree: p.tree, Session: p.id, Limits: budget.Limits{Calls: p.calls, Tokens: p.tokens}}
	if p.bound.usd > 0 {
		most := budget.Dollars(p.bound.usd)
		l.Limits.Session = &most
	}
	if p.day != nil {
		most := budget.Dollars(*p.day)
		l.Limits.Day = &most
	}
	return l, nil
}

// Close closes the books.
func (p *purse) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.db == nil {
		return nil
	}
	db := p.db
	p.db = nil
	return db.Close()
}
