package tables

import "go.yaml.in/yaml/v3"

// telemetry reads where the guard's decisions are sent to.
func (r *documentReader) telemetry(n *yaml.Node) error {
	if n.ShortTag() == "!!null" {
		return nil
	}
	if err := r.keys(n, "telemetry", "endpoint", "headers", "unencrypted"); err != nil {
		return err
	}
	t := &Telemetry{File: r.file, Line: n.Line}
	for i := 0; i+1 < len(n.Content); i += 2 {
		val := target(n.Content[i+1])
		var err error
		switch n.Content[i].Value {
		case "endpoint":
			t.Endpoint, err = r.oneText(val, "endpoint")
		case "unencrypted":
			t.Unencrypted, err = r.oneText(val, "unencrypted")
		case "headers":
			t.Headers, err = r.headers(val)
		}
		if err != nil {
			return err
		}
	}
	if t.Endpoint == "" {
		return r.wrong(n, "telemetry has an endpoint, the URL of a collector")
	}
	r.doc.Telemetry = t
	return nil
}

// headers are names and their values.
func (r *documentReader) headers(n *yaml.Node) (map[string]string, error) {
	if n.Kind != yaml.MappingNode {
		return nil, r.wrong(n, "headers should hold names and values")
	}
	all := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		value, err := r.oneText(target(n.Content[i+1]), "the header "+name.Value)
		if err != nil {
			return nil, err
		}
		if _, twice := all[name.Value]; twice {
			return nil, r.wrong(name, "key %q stands in headers twice", name.Value)
		}
		all[name.Value] = value
	}
	return all, nil
}

// oneText reads a text that is not empty.
func (r *documentReader) oneText(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Value == "" || n.ShortTag() == "!!null" {
		return "", r.wrong(n, "%s is one text", what)
	}
	return n.Value, nil
}
