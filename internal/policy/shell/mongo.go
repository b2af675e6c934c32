package shell

import "strings"

// mongoReads are what is called where a database of MongoDB is only read: its methods, and what prints their results.
const mongoReads = ` find findOne count countDocuments estimatedDocumentCount distinct limit sort skip pretty toArray project projection batchSize maxTimeMS hint size itcount hasNext next forEach map filter explain
 aggregate stats dataSize storageSize totalSize totalIndexSize getIndexes getCollectionNames getCollectionInfos getCollection getSiblingDB getName getMongo getDBNames getDBs version hello isMaster serverStatus
 serverBuildInfo hostInfo listCommands validate latencyStats getUsers getRoles print printjson tojson stringify parse ObjectId ISODate Date NumberInt NumberLong NumberDecimal UUID keys values entries length toString `

// mongo judges code of MongoDB's shell by what it calls.
func mongo(v *invocation, _ []value) (value, bool) {
	codes := v.valuesOf(Statement)
	if len(codes) == 0 {
		codes = append(codes, v.in)
	}
	v.uses = nil
	for _, code := range codes {
		if text, all := code.exact(); !v.dry && (!all || !mongoOnlyReads(text)) {
			v.note(Data, code.show(), v.name)
		}
	}
	return value{}, false
}

// mongoOnlyReads reports code in which nothing is called but what reads, each by its plain name, and which gives the database none of its own to run.
func mongoOnlyReads(code string) bool {
	if shown := strings.Fields(code); len(shown) == 2 && shown[0] == "show" {
		return oneWord(" dbs databases collections tables users roles ", shown[1])
	}
	if strings.TrimSpace(code) == "" || strings.ContainsAny(code, "`\\") || speaks(code, "$out $merge $function $accumulator $where // /* + function eval import") {
		return false
	}
	for i := range len(code) {
		if code[i] != '(' {
			continue
		}
		before := strings.TrimRight(code[:i], " \t\n")
		name := before[strings.LastIndexFunc(before, func(r rune) bool { return r >= 0x80 || strings.IndexByte(nameLetters+"$", byte(r)) < 0 })+1:]
		switch {
		case name != "":
			if !oneWord(mongoReads, name) || oneWord(" forEach map filter ", name) && !givenReader(code[i+1:]) {
				return false
			}
		case before != "" && strings.IndexByte("(,[{:!&|>;", before[len(before)-1]) < 0:
			return false // what is called has no name
		}
	}
	return !strings.Contains(code, "=") || !strings.Contains(strings.ReplaceAll(code, "=>", ""), "=")
}

// givenReader reports that a method that calls what it is given is given what prints, or code that stands there.
func givenReader(rest string) bool {
	given, _, _ := strings.Cut(rest, ")")
	if given = strings.TrimSpace(given); given == "print" || given == "printjson" {
		return true
	}
	names, _, arrow := strings.Cut(rest, "=>")
	return arrow && strings.Trim(names, nameLetters+"(), ") == ""
}
