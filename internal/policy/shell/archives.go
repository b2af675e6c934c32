package shell

import (
	"path"
	"slices"
	"strings"
)

// archiveSpecials are programs that pack and unpack.
func archiveSpecials(name string) special {
	switch name {
	case "tar":
		return tar
	case "zip":
		return zip
	case "extract":
		return extract
	case "packer":
		return packer
	case "squeeze":
		return func(v *invocation, _ []value) (value, bool) { v.squeeze(!v.has("keeps")); return value{}, false }
	case "squeeze beside":
		return func(v *invocation, _ []value) (value, bool) { v.squeeze(v.has("moves")); return value{}, false }
	case "library":
		return library
	case "venv":
		return venv
	}
	return nil
}

// library is ar, or jar, which writes one file, and with some letters only reads it.
func library(v *invocation, _ []value) (value, bool) {
	some := false
	for i, u := range v.uses {
		if u.role == Writes && (some && v.name == "jar" || v.has("lists") && (v.name == "jar" || len(v.operands) > 0 && u.value == v.operands[0])) {
			v.uses[i].role = Reads
		}
		some = some || u.role == Writes
	}
	return value{}, false
}

// tar packs or unpacks, by its letters.
func tar(v *invocation, args []value) (value, bool) {
	packs := tarDoes(args, "crAu", "--create", "--append", "--concatenate", "--update", "--delete")
	if !packs && !v.has("prints") && tarDoes(args, "x", "--extract", "--get") {
		v.unpack()
		if v.has("anywhere") || v.has("renames") {
			v.fact(Fact{Kind: Write, Target: "wherever the archive says", Zone: Anywhere, Traits: []Trait{Recursive}, By: v.name})
		}
	}
	archive := Reads
	if packs {
		archive = Writes
		v.traits = append(v.traits, Recursive)
	}
	uses := v.uses[:0:0]
	for _, u := range v.uses {
		switch u.role {
		case Archive:
			if host, ok := remoteHost(u.value); ok {
				v.network(Send, host)
				continue
			}
			uses = append(uses, use{archive, seenFrom(v.began, u.value)}) // -C is about what is in it
		case Reads:
			if packs { // else it is a name within the archive
				uses = append(uses, u)
			}
		default:
			uses = append(uses, u)
		}
	}
	v.uses = uses
	v.moved()
	from := v.apply()
	v.leave()
	return unknown(from | v.in.from), true
}

// tarDoes reports one of some letters among tar's options, or one of the long names.
func tarDoes(args []value, letters string, long ...string) bool {
	for i, a := range args {
		short := strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") || i == 0 && letterWord(a.text)
		if short && strings.ContainsAny(a.text, letters) {
			return true
		}
		if len(a.text) > 3 && slices.ContainsFunc(long, func(l string) bool { return strings.HasPrefix(l, a.text) }) {
			return true
		}
	}
	return false
}

// unpack notes that files come into the folder where the program works.
func (v *invocation) unpack() {
	at := v.locate(known("."), v.cwd)
	if at.path == v.at.Root {
		at.zone = Project // what the archive has overwrites of it what it names, and is no danger to the rest
	}
	v.noteAt(at, Write, v.name, Recursive)
}

// zip packs; with -m what was packed is deleted.
func zip(v *invocation, _ []value) (value, bool) {
	if v.has("moves") {
		v.traits = append(v.traits, Recursive)
	}
	v.moved()
	return value{}, false
}

// moved notes that what was packed is deleted then, where an option says so.
func (v *invocation) moved() {
	if !v.has("moves") {
		return
	}
	for _, u := range v.uses {
		if u.role == Reads {
			v.uses = append(v.uses, use{Deletes, u.value})
		}
	}
}

// venv makes an environment of Python's, in the place of what is in a folder where an option says so: what is the project's there was one before.
func venv(v *invocation, _ []value) (value, bool) {
	for i, u := range v.uses {
		if u.role == Writes && v.has("deletes") && !v.locate(u.value, v.cwd).zone.own() {
			v.uses[i].role = Deletes
			v.traits = []Trait{Recursive}
		}
	}
	return value{}, false
}

// extract unpacks into a folder, or into the one where it works.
func extract(v *invocation, _ []value) (value, bool) {
	if v.dry {
		v.dry = false
		return value{}, false
	}
	if !v.given(IntoDir) {
		v.unpack()
	}
	return value{}, false
}

// squeezed are the endings of files that are squeezed one by one.
var squeezed = []string{".gz", ".bz2", ".xz", ".lzma", ".zst", ".lz4", ".Z", ".br", ".z"}

// squeeze makes one file of each: x.gz of x, or x of x.gz, which is written. Where it takes the place of the other, nothing is lost by that, so this
// counts as one that is written, and not as one that is deleted.
func (v *invocation) squeeze(replaces bool) {
	if v.has("prints") {
		return
	}
	for i, u := range slices.Clone(v.uses) {
		if u.role != Reads {
			continue
		}
		if replaces {
			v.uses[i].role = Writes
		}
		if ending := path.Ext(u.value.text); slices.Contains(squeezed, ending) {
			v.uses = append(v.uses, use{Writes, value{strings.TrimSuffix(u.value.text, ending), u.value.from}})
		}
	}
}

// packer is 7z: a word says whether it packs, with everything below, or unpacks, and the next is the archive.
func packer(v *invocation, args []value) (value, bool) {
	word := ""
	if len(v.operands) > 0 {
		word = v.operands[0].text
	}
	switch word {
	case "a", "u", "d", "rn":
		v.traits = append(v.traits, Recursive)
		for i, u := range v.uses {
			if u.role == Reads {
				v.uses[i].role = Writes
				break
			}
		}
		v.moved()
		return value{}, false
	case "l", "t":
		v.uses = nil
		return value{}, false
	}
	return extract(v, args)
}
