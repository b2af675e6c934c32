package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// What walks and patterns find: of a path that leads to a folder all that is below it, by a text that says so.

// everything matches a path of something that a walk through all of a machine, or of a home folder, has found.
var everything = pattern.New(`^~?/\*x?(/.*)?$`)

// below are the paths that a walk through a folder finds.
func below(folder string) value {
	return text(strings.TrimSuffix(folder, "/") + "/*" + unknown)
}

// finds is what functions give that look for files: the folders of a walk, or the paths that fit a pattern.
func finds(f string, args []value) (value, bool) {
	if len(args) == 0 || !args[0].isText {
		return value{}, false
	}
	switch f {
	case "os.walk", "os.fwalk":
		return value{isList: true, list: []value{below(args[0].text)}}, true
	case "glob.glob", "glob.iglob", "glob.sync", "glob.globSync", "fast-glob.sync", "fs.globSync", "path/filepath.Glob":
		return value{isList: true, list: []value{text(strings.ReplaceAll(args[0].text, "*", unknown))}}, true
	}
	return value{}, false
}

// walkers are functions that call another with each path below a folder.
var walkers = set("path/filepath.Walk path/filepath.WalkDir filepath.Walk filepath.WalkDir")

// walked is a path with which a function is called that goes through a folder, where nothing may be removed.
func (s *scan) walked(f *program.Node, name string, depth int) (value, bool) {
	if f == nil || f.Part != program.Arg || f.Kid(program.Params) == nil || f.Kid(program.Params).Name != name {
		return value{}, false
	}
	if call := f.Parent; walkers[s.eval(call.Kid(program.Callee), depth+1).path] {
		if v := s.eval(call.Kid(program.Arg), depth+1); v.isText && away(below(v.text).text) {
			return below(v.text), true
		}
	}
	return value{}, false
}

// What a cloud tells its machines: machineHosts are where it is asked, machineKeys what of it lets somebody in, and ofClouds addresses of clouds themselves.
var (
	machineHosts = pattern.New(`169\.254\.169\.254|metadata\.google\.internal|fd00:ec2::254|100\.100\.100\.200`)
	machineKeys  = pattern.New(`security-credentials|service-accounts/[^\s'"]*(token|identity)|identity/oauth2/token|user-data`)
	ofClouds     = pattern.New(`^https?://([^/]*\.)?(googleapis\.com|amazonaws\.com|azure\.(com|net)|windows\.net|aliyuncs\.com)(:\d+)?(/|$)`)
)

// sendsMachine reports a call that gives another machine what a cloud tells this one, so that it knows who it is; the cloud itself may know.
func (s *scan) sendsMachine(n *program.Node) bool {
	args := n.All(program.Arg)
	if slices.ContainsFunc(args, func(a *program.Node) bool {
		if a.Is(program.Keyword) {
			a = a.Kid(program.Value)
		}
		to := s.eval(a, 0).text
		return machineHosts.MatchString(to) || ofClouds.MatchString(to)
	}) {
		return false
	}
	return slices.ContainsFunc(args, func(a *program.Node) bool {
		made := s.unfolded(a)
		return machineHosts.MatchString(made) && machineKeys.MatchString(made)
	})
}
