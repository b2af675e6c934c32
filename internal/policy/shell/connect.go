package shell

import (
	"strings"

	"fettle/internal/percent"
)

// connect notes what is loaded from, and sent to, other machines.
func (v *invocation) connect(u use) taint {
	val := u.value
	switch u.role {
	case Fetches:
		if command, ok := strings.CutPrefix(val.text, "ext::"); ok { // git's own way to run a program as a transport
			return v.starts(value{command, val.from}).from
		}
		if name, ok := FileAddress(val.text); ok && !strings.HasPrefix(v.name, "git") {
			return v.fileAddress(value{name, val.from})
		}
		v.network(Fetch, val)
		if speaks(val.text, metadataHosts) {
			return fromNetwork | fromSecret
		}
		return fromNetwork
	case GitRemote:
		if strings.Contains(val.text, ":") {
			return v.connect(use{Fetches, val})
		}
	case Hosts:
		v.network(Send, val)
	case Sends, Header:
		if u.role == Sends || val.from&fromSecret != 0 {
			v.network(Send, value{from: val.from})
		}
	case Uploads:
		v.upload(val)
	case Form:
		_, content, _ := strings.Cut(val.text, "=")
		return v.connect(use{Attached, value{strings.Replace(content, "<", "@", 1), val.from}})
	case Attached:
		if file, ok := strings.CutPrefix(val.text, "@"); ok {
			v.upload(value{file, val.from})
			break
		}
		v.network(Send, value{from: val.from})
	case Listens:
		if hosts(val) {
			v.network(Listen, val)
		}
	case Remotes:
		if host, ok := remoteHost(val); ok {
			v.network(Send, host)
			return fromNetwork
		}
		v.upload(val)
	default: // a role that only its program's special handler reads
	}
	return val.from
}

// FileAddress is the path that an address of a file names: file:///PATH, file://localhost/PATH or file:/PATH.
func FileAddress(address string) (path string, ok bool) {
	const scheme = "file:"
	address = strings.TrimSpace(address)
	if len(address) <= len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return "", false
	}
	path = address[len(scheme):]
	if host, ok := strings.CutPrefix(path, "//"); ok {
		path = host
		for _, here := range []string{"localhost", "127.0.0.1"} {
			if len(host) > len(here) && strings.EqualFold(host[:len(here)], here) && host[len(here)] == '/' {
				path = host[len(here):]
			}
		}
	}
	return percent.Decode(path[:strings.IndexAny(path+"?", "?#")]), true
}

// fileAddress is what becomes of an address that is a file's: it is read, or written where something is sent there. Some programs make several addresses
// of one with brackets in it.
func (v *invocation) fileAddress(name value) taint {
	if i := strings.IndexAny(name.text, "{["); i >= 0 {
		end := strings.LastIndexAny(name.text, "}]")
		name.text = name.text[:i] + string(star) + name.text[max(i, end)+1:]
	}
	if v.given(Uploads) {
		v.change(Writes, name)
	}
	return v.readFile(name, v.name).from
}

// metadataHosts tell a machine in a cloud who it is, and with what it proves that.
const metadataHosts = "169.254.169.254 169.254.170.2 fd00:ec2::254 metadata.google.internal"

// upload notes a file whose content is sent away.
func (v *invocation) upload(name value) {
	content := v.readFile(name, v.name, v.withAll(name, v.locate(name, v.cwd))...)
	f := Fact{Kind: Send, Target: v.recipient().show(), Traits: []Trait{Upload}, By: v.name}
	if v.nearby {
		f.Traits = append(f.Traits, Local)
	}
	if (content.from|name.from)&fromSecret != 0 {
		f.Traits = append(f.Traits, Secret)
	}
	v.fact(f)
}

// recipient is the first machine, or address, that the arguments name; empty if none of them does.
func (v *invocation) recipient() value {
	for _, u := range v.uses {
		host, elsewhere := remoteHost(u.value)
		switch {
		case u.role == Fetches || u.role == Hosts:
			return u.value
		case u.role == Remotes && elsewhere:
			return host
		}
	}
	return value{}
}

// network notes a connection, and whether it takes a secret along: in the address or in what is piped in.
func (v *invocation) network(kind Kind, address value) {
	f := Fact{Kind: kind, Target: address.show(), By: v.name}
	if address.text == "" {
		f.Target = v.recipient().show()
	}
	if v.nearby || local(address.text) {
		f.Traits = append(f.Traits, Local)
		if kind == Send {
			v.governs(f.Target)
		}
	}
	if address.from&fromSecret != 0 || kind == Send && v.in.from&fromSecret != 0 {
		f.Kind, f.Traits = Send, append(f.Traits, Secret)
	}
	v.fact(f)
}

// hosts reports an address that says more than at which port somebody listens.
func hosts(address value) bool { return strings.Trim(address.text, "0123456789") != "" }

// remoteHost is the machine in HOST:FILE.
func remoteHost(v value) (value, bool) {
	host, _, ok := strings.Cut(v.text, ":")
	return value{host, v.from}, ok && host != "" && !strings.Contains(host, "/")
}

// otherPorts are those at which something listens that commands the machine, a cluster, or a database.
const otherPorts = " :2375 :2376 :6443 :10250 :2379 :8500 "

// requests notes a request by its method.
func (v *invocation) requests(method string) {
	switch {
	case v.nearby && method != "GET" && method != "HEAD":
		v.governs(v.recipient().text)
	case !v.nearby && method == "DELETE":
		v.note(Data, "what is behind an address", v.name)
	}
}

// governed are the ports and paths at which programs that others rely on (Kong, Meilisearch, Prometheus, Elasticsearch, CouchDB, Qdrant) are told to change or to forget what they hold.
const governed = ":8001/services :8001/routes :8001/consumers :8001/plugins :8001/upstreams :8001/targets :8001/certificates :8001/snis :8001/config :7700/indexes :7700/keys :7700/dumps :9090/api/v1/admin/ :9200 :5984 :6333"

// governs notes a request to such a program on this machine. A search takes a body, and changes nothing.
func (v *invocation) governs(address string) {
	if speaks(address, governed) && !strings.HasSuffix(address, "/search") && !strings.HasSuffix(address, "/_search") {
		v.note(Data, address, v.name)
	}
}

// local reports an address of this machine.
func local(address string) bool {
	host := address
	if _, rest, ok := strings.Cut(address, "://"); ok {
		host = rest
	}
	if i := strings.LastIndexByte(host[:strings.IndexAny(host+"/", "/?#")], '@'); i >= 0 {
		host = host[i+1:]
	}
	host = host[:strings.IndexAny(host+"/", "/?#")]
	if colon := strings.LastIndexByte(host, ':'); colon >= 0 && oneWord(otherPorts, host[colon:]) {
		return false
	}
	if !strings.HasPrefix(host, "[") {
		host = host[:strings.IndexAny(host+":", ":")]
	}
	return host == "localhost" || address == "::1" || strings.HasPrefix(host, "127.") && strings.Trim(host, "0123456789.") == "" || strings.HasPrefix(host, "[::1]")
}
