package shell

import (
	"encoding/json"
	"slices"
	"strings"
)

// Makefiles and package.json name the commands that make and npm run. Where only an agent has read them, what they name is judged as the scripts that an
// agent has written are: see [Place].Script.

// makefiles are the names that make looks for, in its order.
var makefiles = []string{"GNUmakefile", "makefile", "Makefile", "BSDmakefile"}

// recipes judges the makefile that make finds by itself.
func (v *invocation) recipes() {
	for _, name := range makefiles {
		if texts, ok := v.holds(v.locate(known(name), v.cwd)); ok {
			for _, text := range texts {
				v.code("make", text, nil)
			}
		}
		v.unread(v.locate(known(name), v.cwd), "make", nil)
	}
	_, _ = builds(v, nil)
}

// runNpm judges the script of package.json that is run, and those that npm runs before and after it.
func runNpm(v *invocation, _ []value) (value, bool) {
	script := v.name[strings.LastIndexByte(v.name, ' ')+1:]
	if slices.Contains([]string{"run", "run-script"}, script) {
		if len(v.operands) == 0 {
			return value{}, false // it lists them
		}
		if script = v.operands[0].text; script == "env" {
			v.note(Print, "the environment", v.name)
			v.in.from |= fromSecret
		}
	}
	short := map[string]string{"t": "test", "tst": "test", "i": "install", "in": "install", "add": "install", "ci": "install"}
	if full, ok := short[script]; ok {
		script = full
	}
	v.sources(everything, "javascript") // the script may be one of these: nobody reads what a package.json says that was there before
	if strings.Contains(script, "test") {
		v.ownTests(nil)
	}
	at := v.locate(known("package.json"), v.cwd)
	texts, _ := v.holds(at)
	for _, text := range texts {
		v.npmScripts(text.text, script, func(interpret func()) { interpret() })
	}
	if v.at.Script == nil {
		return value{}, false
	}
	switch text, ok := v.at.Script(at.path); {
	case ok && len(text) > maxText:
		v.opaque("what the agent has written into " + at.path + " is" + tooLong)
	case ok:
		v.npmScripts(text, script, v.strictly)
	}
	return value{}, false
}

// npmScripts judges what a package.json says of a script.
func (v *invocation) npmScripts(text, script string, judge func(func())) {
	var file struct{ Scripts map[string]string }
	if json.Unmarshal([]byte(text), &file) != nil {
		return // npm cannot read it either
	}
	for _, name := range []string{"pre" + script, script, "post" + script} {
		if command, ok := file.Scripts[name]; ok {
			judge(func() { v.starts(known(command)) })
		}
	}
}
