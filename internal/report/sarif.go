package report

import (
	"net/url"

	"fettle/internal/audit"
)

// SARIF is an audit's findings as a SARIF 2.1.0 log, which code hosts show beside the lines of a change.
type SARIF struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string       `json:"id"`
	ShortDescription sarifMessage `json:"shortDescription"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

// levels are SARIF's words for what a finding means.
var levels = map[audit.Effect]string{audit.Refuse: "error", audit.Ask: "warning", audit.Note: "note"}

// AuditSARIF writes an audit's findings down as SARIF.
func AuditSARIF(version string, r audit.Report) SARIF {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "fettle", Version: version}}, Results: []sarifResult{}}
	for _, rule := range audit.Rules() {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{rule.Name, sarifMessage{rule.Means}})
	}
	for _, f := range r.Findings {
		res := sarifResult{RuleID: f.Rule, Level: levels[f.Effect], Message: sarifMessage{f.Evidence}}
		if f.Path != "" {
			at := sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: f.Path}).EscapedPath()}}
			if f.Line > 0 {
				at.Region = &sarifRegion{f.Line}
			}
			res.Locations = []sarifLocation{{at}}
		}
		run.Results = append(run.Results, res)
	}
	return SARIF{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}
