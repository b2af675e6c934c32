package check

import (
	"bytes"
	"encoding/xml"
	"path"
	"slices"
	"strings"
)

// mavenModel is what of a pom.xml tells which plugins judge the code: https://maven.apache.org/pom.html
type mavenModel struct {
	Build struct {
		TestSources string        `xml:"testSourceDirectory"`
		Plugins     []mavenPlugin `xml:"plugins>plugin"`
		Managed     []mavenPlugin `xml:"pluginManagement>plugins>plugin"`
	} `xml:"build"`
}

type mavenPlugin struct {
	Artifact      string      `xml:"artifactId"`
	Configuration *struct{}   `xml:"configuration"`
	Executions    []mavenStep `xml:"executions>execution"`
}

type mavenStep struct {
	ID            string    `xml:"id"`
	Goals         []string  `xml:"goals>goal"`
	Configuration *struct{} `xml:"configuration"`
}

// mavenModels are the models of a build by their folders, the root's first.
type mavenModels struct {
	dirs           []string
	models         map[string]mavenModel
	testsElsewhere bool // tests stand where the model says
}

// mavenPlugins reads the models of the root and of what lies below it. One that cannot be read has no plugins.
func (t *tree) mavenPlugins() mavenModels {
	m := mavenModels{models: map[string]mavenModel{}}
	for _, dir := range t.marks["pom.xml"] {
		var model mavenModel
		dec := xml.NewDecoder(bytes.NewReader(t.read(path.Join(dir, "pom.xml"))))
		dec.Strict = false
		if dec.Decode(&model) == nil {
			m.dirs, m.models[dir] = append(m.dirs, dir), model
			m.testsElsewhere = m.testsElsewhere || model.Build.TestSources != ""
		}
	}
	slices.Sort(m.dirs)
	return m
}

// goal is how a plugin's check is run alone; nil when the build does not run it, or there is none: a plugin that is only
// managed, or that stands there for a person to use, judges nothing. Where a configuration belongs to a single execution,
// that one is named.
func (m mavenModels) goal(artifact, prefix string) *mavenGoal {
	var g *mavenGoal
	for _, dir := range m.dirs {
		p := find(m.models[dir].Build.Plugins, artifact)
		if p == nil || g != nil && len(g.modules) == 0 {
			continue
		}
		own := p.Configuration != nil
		if managed := find(m.models[dir].Build.Managed, artifact); managed != nil {
			own = own || managed.Configuration != nil
			p.Executions = append(p.Executions, managed.Executions...)
		}
		step := slices.IndexFunc(p.Executions, func(s mavenStep) bool { return slices.Contains(s.Goals, "check") })
		switch {
		case step < 0 && !own:
			continue
		case g == nil:
			g = &mavenGoal{prefix: prefix}
		}
		if step >= 0 && p.Executions[step].Configuration != nil {
			if g.execution = strings.TrimSpace(p.Executions[step].ID); g.execution == "" {
				g.execution = "default"
			}
		}
		if dir != "." {
			g.modules = append(g.modules, dir)
		}
	}
	return g
}

func find(plugins []mavenPlugin, artifact string) *mavenPlugin {
	for _, p := range plugins {
		if strings.TrimSpace(p.Artifact) == artifact {
			return &p
		}
	}
	return nil
}
