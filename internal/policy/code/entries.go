package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// archives stand in the sources of files in which entries of archives are read.
var archives = strings.Fields(`zipfile tarfile archive/zip archive/tar ZipEntry ZipFile ZipInputStream TarArchive ArchiveEntry JarEntry JarFile unzipper adm-zip tar-stream tar-fs node-stream-zip
	yauzl py7zr rarfile jszip`)

// entryName is entry where a member is the name of an archive's entry.
func (s *scan) entryName(name string, of *program.Node) source {
	switch name {
	case "filename", "name", "path", "entryName", "Name", "linkname", "Linkname", "linkName":
		if s.isEntry(of) {
			return entry
		}
	}
	return own
}

// isEntry reports an entry of an archive.
func (s *scan) isEntry(n *program.Node) bool {
	if !n.Is(program.Name) || !s.hasArchives() {
		return false
	}
	if goEntries.MatchString(s.typeOf(n)) {
		return true
	}
	return slices.ContainsFunc(s.givenTo(n), func(f flow) bool {
		return f.by == entryOf || f.by == each && s.entries(f.node) || f.by == "" && s.oneEntry(f.node) || f.call && f.node != n && f.node.Function() != n.Function() && s.isEntry(f.node)
	})
}

var goEntries = pattern.New(`^\*?(zip\.File(Header)?|tar\.Header)$`)

// entryOf stands for an entry that a function is called with.
const entryOf = "entry"

func (s *scan) hasArchives() bool {
	if s.archives == nil {
		s.archives = new(bool)
		*s.archives = slices.ContainsFunc(archives, func(a string) bool { return strings.Contains(s.file.Source, a) })
	}
	return *s.archives
}

// listing are the calls and members that hold an archive's entries.
var listing = set("infolist getmembers getEntries entries stream File Entries files")

// entries reports all entries of an archive: listed, or the archive itself where it is gone through.
func (s *scan) entries(n *program.Node) bool {
	if n == nil {
		return false
	}
	if n.Is(program.Call) {
		if strings.Contains(n.Text(), "unzipper.Parse") {
			return true
		}
		if path := s.eval(n.Kid(program.Callee), 0).path; path == "list" || path == "sorted" || path == "reversed" || path == "Object.values" || path == "Collections.list" {
			return s.entries(n.Kid(program.Arg))
		}
		return listing[n.Calls()]
	}
	if n.Is(program.Attr) && listing[n.Name] {
		return true
	}
	if s.file.Lang == syntax.Python && n.Is(program.Name, program.Attr) {
		path := s.eval(n, 0).path
		return strings.HasPrefix(path, "tarfile.") && strings.HasSuffix(path, "()")
	}
	return false
}

// oneEntry reports a call that gives one entry.
func (s *scan) oneEntry(n *program.Node) bool {
	switch n.Calls() {
	case "getNextEntry", "getNextTarEntry", "getNextZipEntry", "getNextJarEntry", "nextElement", "getinfo", "getmember", "getEntry":
		return true
	case "Next", "next":
		return s.file.Lang == syntax.Go && strings.Contains(s.file.Source, "archive/") || s.file.Lang == syntax.Python && strings.Contains(s.file.Source, "tarfile")
	}
	return false
}

// entryHandler notes the parameter of a function that is called with each entry: on("entry", (entry) => …), entries().forEach(e -> …).
func (s *scan) entryHandler(fn *program.Node, params []*program.Node) {
	call := fn.Parent
	if len(params) == 0 || !call.Is(program.Call) || !s.hasArchives() {
		return
	}
	first := params[0]
	of := call.Kid(program.Callee).Kid(program.Object)
	if call.Calls() == "on" && s.eval(call.Kid(program.Arg), 0).text == "entry" || call.Calls() == "forEach" && s.entries(of) {
		s.give(fn, first.Name, flow{by: entryOf})
		if first.Role == program.Map {
			for _, e := range first.All(program.Elem) {
				if e.Name == "path" || e.Name == "name" || e.Name == "entryName" {
					s.give(fn, e.Name, flow{from: entry})
				}
			}
		}
	}
}

// entryNames are calls that list the names of an archive's entries.
var entryNames = set("namelist getnames")
