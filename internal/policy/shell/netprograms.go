package shell

import (
	"cmp"
	slashpath "path"
	"slices"
	"strings"
)

// networkSpecials are programs that send and load in a form of their own.
func networkSpecials(name string) special {
	switch name {
	case "httpie":
		return httpie
	case "scp":
		return scp
	case "netinfo":
		return netInfo
	case "listing":
		return listing
	case "anyfile":
		return anyFile
	case "socat":
		return socat
	case "carrier":
		return carrier
	case "transfers":
		return transfers
	}
	return nil
}

// httpie takes the method before the address. A method that changes something sends.
func httpie(v *invocation, args []value) (value, bool) {
	for i := range v.uses {
		v.uses[i].value = shortHost(v.uses[i].value)
	}
	for i := range v.operands {
		v.operands[i] = shortHost(v.operands[i])
	}
	v.nearby = v.near(args)
	if len(v.operands) > 1 && strings.ToUpper(v.operands[0].text) == v.operands[0].text && letterWord(v.operands[0].text) {
		method := v.operands[0].text
		v.uses = slices.DeleteFunc(v.uses, func(u use) bool { return u.value == v.operands[0] })
		for i, u := range v.uses {
			if u.value == v.operands[1] {
				v.uses[i].role = Fetches
			}
		}
		v.nearby = v.near(args)
		if method != "GET" && method != "HEAD" && method != "OPTIONS" {
			v.network(Send, v.operands[1])
		}
	}
	for _, item := range v.valuesOf(Attached) {
		v.carryFiles(item)
	}
	return value{}, false
}

// shortHost is an address with the name of this machine, for which httpie takes a port or a path alone.
func shortHost(address value) value {
	if strings.HasPrefix(address.text, ":") {
		address.text = "localhost" + address.text
	}
	return address
}

// scp copies between machines, or on this one: the last operand is where to.
func scp(v *invocation, _ []value) (value, bool) {
	n := len(v.operands)
	if n < 2 {
		return value{}, false
	}
	to := v.operands[n-1]
	for _, o := range v.operands[:n-1] {
		if _, elsewhere := remoteHost(o); v.has("moves") && !elsewhere && !v.dry {
			v.change(Deletes, o)
		}
	}
	if _, elsewhere := remoteHost(to); elsewhere {
		if v.has("deletes") && !v.dry {
			v.note(Unknown, v.name+" --delete", v.name)
		}
		return value{}, false
	}
	from := taint(0)
	for _, o := range v.operands[:n-1] {
		if host, elsewhere := remoteHost(o); elsewhere {
			v.network(Fetch, host)
			from |= fromNetwork
		} else {
			from |= v.readFile(o, v.name, Recursive).from
		}
	}
	v.uses = slices.DeleteFunc(v.uses, func(u use) bool { return u.role == Remotes })
	for _, o := range v.operands[:n-1] {
		dest := to
		if v.name != "rsync" || !strings.HasSuffix(o.text, "/") { // else what is in the folder, and not the folder itself
			_, path, _ := strings.Cut(o.text, ":")
			dest = v.destination(value{cmp.Or(path, o.text), o.from}, to, n > 2)
		}
		at := v.locate(dest, v.cwd)
		v.writesFrom(v.locate(o, v.cwd), at, v.name, v.traits)
		v.remember(at, unknown(from), false)
	}
	if v.has("deletes") && !v.dry { // what is there and not where it is copied from
		v.noteAt(v.locate(to, v.cwd), Delete, v.name, Recursive)
	}
	return value{}, false
}

// netInfo asks about the network. A secret in a name that is asked for leaves with it; some of these programs also change things.
func netInfo(v *invocation, args []value) (value, bool) {
	for i, o := range v.operands {
		switch {
		case o.text == "exec" && i+2 < len(v.operands): // ip netns exec NAME COMMAND
			v.note(Privilege, "", v.name)
			v.run(v.operands[i+2:])
		case v.name == "ifconfig" && args[len(args)-1] != v.operands[0], v.name != "ip" && slices.Contains([]string{"up", "down", "off", "connect", "disconnect"}, o.text):
			v.note(Power, "the network", v.name)
		case o.holed() && strings.Contains(o.text, "."): // a name that is asked for tells what is put before its dot
			v.network(Send, o)
		case o.from&fromSecret != 0:
			v.fact(Fact{Kind: Send, Target: o.show(), Traits: []Trait{Secret}, By: v.name})
		case slices.Contains([]string{"set", "add", "del", "delete", "flush", "change", "replace"}, o.text):
			v.note(Power, "the network", v.name)
		}
	}
	return value{}, false
}

// changers begin the words for what changes something elsewhere.
var changers = []string{"delete", "remove", "create", "update", "set", "add", "deploy", "destroy", "purge", "stop", "start", "restart", "reset", "apply", "promote", "rollback",
	"patch", "import", "restore", "scale", "drain", "cordon", "terminate", "reboot", "attach", "detach", "enable", "disable", "rotate", "revoke", "grant", "push", "publish", "run", "exec", "ssh", "install", "upgrade", "rm"}

// listing is a program of some cloud: with a word that only shows, nothing is changed.
func listing(v *invocation, args []value) (value, bool) {
	for _, o := range v.operands {
		if slices.ContainsFunc(changers, func(w string) bool { return strings.HasPrefix(o.text, w) }) {
			v.dry = v.dry && !slices.ContainsFunc(args, func(a value) bool { return strings.HasPrefix(a.text, "--version") }) // which version is to be there
			return value{}, false
		}
	}
	for i, o := range v.operands {
		if strings.Contains(o.text, "secret") || strings.Contains(o.text, "token") {
			out := v.plainly()
			out.from |= fromSecret
			return out, true
		}
		switch o.text {
		case "list", "ls", "show", "status", "info", "describe", "logs", "version", "whoami", "ps", "help", "versions", "inspect", "doctor":
			if i < 4 {
				v.dry = true
			}
		}
	}
	return value{}, false
}

// anyFile sends whatever files are named.
func anyFile(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		if strings.ContainsAny(o.text, "/.~") && !strings.Contains(o.text, "://") {
			v.upload(o)
		}
	}
	return value{}, false
}

// socat and its kin connect a program with the network.
func socat(v *invocation, _ []value) (value, bool) {
	for _, o := range v.operands {
		upper := strings.ToUpper(o.text)
		if strings.HasPrefix(upper, "EXEC:") || strings.HasPrefix(upper, "SYSTEM:") || strings.HasPrefix(upper, "SHELL:") {
			v.note(Shell, slashpath.Base(o.show()), v.name)
		}
		if kind, file, ok := strings.Cut(o.text, ":"); ok && oneWord(" FILE OPEN GOPEN ", strings.ToUpper(kind)) {
			file, _, _ = strings.Cut(file, ",")
			v.readFile(value{file, o.from}, v.name)
		}
		if strings.Contains(upper, "LISTEN") {
			v.note(Listen, "", v.name)
		}
	}
	return value{}, false
}

// apiQuery is gh api graphql, which is given by a field what it asks for: what holds no mutation only reads.
func apiQuery(v *invocation, args []value) (value, bool) {
	if len(v.operands) != 1 || v.operands[0].text != "graphql" || v.given(Uploads) {
		return value{}, false
	}
	asks := false
	for _, a := range args {
		if _, text, ok := strings.Cut(a.text, "query="); ok {
			_, sure := a.exact()
			asks = sure && !strings.HasPrefix(text, "@") && !strings.Contains(text, "mutation")
		}
	}
	if asks {
		v.effects = slices.DeleteFunc(slices.Clone(v.effects), func(e Effect) bool { return e.Kind == Publish })
	}
	return value{}, false
}
