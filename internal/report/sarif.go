package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"fettle/internal/audit"
)

// SARIF is an audit's findings as a SARIF 2.1.0 log, which code hosts show beside the lines of a change.
type SARIF struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool               `json:"tool"`
	Invocations []sarifInvocation       `json:"invocations"`
	Bases       map[string]sarifMessage `json:"originalUriBaseIds"`
	Results     []sarifResult           `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

// sarifInvocation says that the judge came to its end: without it, no findings may mean that nobody looked.
type sarifInvocation struct {
	ExecutionSuccessful bool `json:"executionSuccessful"`
}

type sarifRule struct {
	ID      string          `json:"id"`
	Short   sarifMessage    `json:"shortDescription"`
	Full    sarifMessage    `json:"fullDescription"`
	Help    sarifMessage    `json:"help"`
	Default sarifDefault    `json:"defaultConfiguration"`
	More    sarifProperties `json:"properties"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifProperties struct {
	Tags []string `json:"tags"`
}

type sarifMessage struct {
	Text     string `json:"text,omitempty"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

// The names under which SARIF knows the root of the repository, and the way in which we tell findings apart.
const (
	sarifRoot        = "ROOT"
	sarifFingerprint = "fettleFinding/v1"
)

// levels are SARIF's words for what a finding means.
var levels = map[audit.Effect]string{audit.Refuse: "error", audit.Ask: "warning", audit.Note: "note"}

// AuditSARIF writes an audit's findings down as SARIF.
func AuditSARIF(version string, r audit.Report) SARIF {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "fettle", Version: version}}, Invocations: []sarifInvocation{{true}},
		Bases: map[string]sarifMessage{sarifRoot: {}}, Results: []sarifResult{},
	}
	index := make(map[string]int)
	for i, rule := range audit.Rules() {
		index[rule.Name] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, ruleSARIF(rule))
	}
	seen := make(map[string]int)
	for _, f := range r.Findings {
		run.Results = append(run.Results, resultSARIF(f, index[f.Rule], seen))
	}
	return SARIF{Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func ruleSARIF(rule audit.Rule) sarifRule {
	help, tags := rule.Help(), []string{"honesty"}
	if rule.Security() {
		tags = []string{"security"}
	}
	means := strings.ToUpper(rule.Means[:1]) + rule.Means[1:] + "."
	return sarifRule{
		ID: rule.Name, Short: sarifMessage{Text: rule.Means}, Full: sarifMessage{Text: means}, Default: sarifDefault{levels[help.Effect]}, More: sarifProperties{tags},
		Help: sarifMessage{Text: means + " " + help.Do, Markdown: "**" + means + "** " + help.Do},
	}
}

func resultSARIF(f audit.Finding, rule int, seen map[string]int) sarifResult {
	res := sarifResult{RuleID: f.Rule, RuleIndex: rule, Level: levels[f.Effect], Message: sarifMessage{Text: f.Evidence}}
	if f.Path != "" {
		at := sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: f.Path}).String(), sarifRoot}}
		if f.Line > 0 {
			at.Region = &sarifRegion{f.Line}
		}
		res.Locations = []sarifLocation{{at}}
	}
	res.Fingerprints = map[string]string{sarifFingerprint: fingerprint(f, seen)}
	return res
}

// fingerprint tells a finding from others, and is the same when lines move: it is made of the rule, the file and the evidence, and of
// how many of the same went before.
func fingerprint(f audit.Finding, seen map[string]int) string {
	same := strings.Join([]string{f.Rule, f.Path, f.Evidence}, "\x00")
	seen[same]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", same, seen[same]))
	return hex.EncodeToString(sum[:16])
}
