package tables

import (
	"time"

	"go.yaml.in/yaml/v3"
)

// validator reads who gives second opinions.
func (r *documentReader) validator(n *yaml.Node) error {
	if n.ShortTag() == "!!null" {
		return nil
	}
	if err := r.keys(n, "a validator", "command", "deadline", "mode", "stages"); err != nil {
		return err
	}
	v := &Validator{File: r.file, Line: n.Line}
	for i := 0; i+1 < len(n.Content); i += 2 {
		val := target(n.Content[i+1])
		var err error
		switch n.Content[i].Value {
		case "command":
			err = r.texts(val, "command", &v.Command)
		case "stages":
			err = r.texts(val, "stages", &v.Stages)
		case "deadline":
			if v.Deadline, err = time.ParseDuration(val.Value); err != nil || v.Deadline <= 0 {
				err = r.wrong(val, "a deadline is a time like 20s")
			}
		case "mode":
			if v.Strict = val.Value == "strict"; !v.Strict && val.Value != "lazy" {
				err = r.wrong(val, "the mode is lazy or strict")
			}
		}
		if err != nil {
			return err
		}
	}
	if len(v.Command) == 0 {
		return r.wrong(n, "a validator has a command, a list of its program and what it is started with")
	}
	r.doc.Validator = v
	return nil
}

// texts reads a list of texts.
func (r *documentReader) texts(n *yaml.Node, what string, into *[]string) error {
	return r.items(n, what, func(item *yaml.Node) error {
		if item.Kind != yaml.ScalarNode || item.Value == "" {
			return r.wrong(item, "%s is a list of texts", what)
		}
		*into = append(*into, item.Value)
		return nil
	})
}
