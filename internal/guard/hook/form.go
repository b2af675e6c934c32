package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fettle/internal/policy/shell"
)

// part is one field of a JSON object: its name, where its value lies, and whether it is written, which those that are empty mostly are not.
//
// Objects that every event reads or writes are described by their parts. Asking Go's reflection what a type consists of takes longer than all that the policy has
// to say of a call, and the answer is gone with the process.
type part struct {
	name    string
	at      any // a pointer
	written bool
}

// form is an object that says what its parts are.
type form interface{ parts() []part }

// read fills parts from an object. Names that it does not know are passed over, and letter case counts. The first of them that cannot be read is the error; the others are filled all the same.
func read(data []byte, parts []part) (wrong error) {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(data, &in); err != nil {
		return errors.New("it is no JSON object, or only a part of one")
	}
	for _, p := range parts {
		raw, ok := in[p.name]
		if !ok || string(raw) == "null" {
			continue
		}
		var err error
		switch at := p.at.(type) {
		case *json.RawMessage:
			*at = raw
		case **client:
			*at = &client{}
			err = read(raw, (*at).parts())
		default:
			if json.Unmarshal(raw, at) != nil {
				err = fmt.Errorf("its field %s holds %s, and something else was expected there: is the client newer than this guard?", p.name, sort(raw))
			}
		}
		if wrong == nil {
			wrong = err
		}
	}
	return wrong
}

// sort says what a value of JSON is.
func sort(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "a text"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "true or false"
	}
	return "a number"
}

// written is the object of parts, appended to what there is, just as [json.Marshal] would write it.
func written(to []byte, parts []part) ([]byte, error) {
	to = append(to, '{')
	first := true
	for _, p := range parts {
		if !p.written {
			continue
		}
		if !first {
			to = append(to, ',')
		}
		first = false
		to = append(append(append(to, '"'), p.name...), '"', ':')
		var err error
		if to, err = value(to, p.at); err != nil {
			return nil, err
		}
	}
	return append(to, '}'), nil
}

// value writes what lies at a pointer.
func value(to []byte, at any) ([]byte, error) {
	switch at := at.(type) {
	case *string:
		return text(to, *at)
	case *bool:
		return strconv.AppendBool(to, *at), nil
	case *int:
		return strconv.AppendInt(to, int64(*at), 10), nil
	case *int64:
		return strconv.AppendInt(to, *at, 10), nil
	case *time.Time:
		data, err := at.MarshalJSON()
		return append(to, data...), err
	case *shell.Decision:
		return text(to, at.String())
	case *[]string:
		return list(to, *at, text)
	case *[]shell.Fact:
		return list(to, *at, fact)
	case *json.RawMessage:
		return append(to, *at...), nil // in one line, as it was written before
	case **client:
		return written(to, (*at).parts())
	case form:
		return written(to, at.parts())
	}
	data, err := json.Marshal(at)
	return append(to, data...), err
}

func list[T any](to []byte, all []T, write func([]byte, T) ([]byte, error)) (_ []byte, err error) {
	if all == nil {
		return append(to, "null"...), nil
	}
	to = append(to, '[')
	for i, v := range all {
		if i > 0 {
			to = append(to, ',')
		}
		if to, err = write(to, v); err != nil {
			return nil, err
		}
	}
	return append(to, ']'), nil
}

// fact writes a fact.
func fact(to []byte, f shell.Fact) ([]byte, error) {
	kind, zone := string(f.Kind), string(f.Zone)
	var traits []string
	for _, t := range f.Traits {
		traits = append(traits, string(t))
	}
	return written(to, []part{{"kind", &kind, true}, {"target", &f.Target, f.Target != ""}, {"zone", &zone, zone != ""}, {"traits", &traits, traits != nil}, {"by", &f.By, f.By != ""}})
}

// text writes a text. One that has nothing in it to be escaped is written as it is.
func text(to []byte, s string) ([]byte, error) {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r) }) < 0 {
		return append(append(append(to, '"'), s...), '"'), nil
	}
	data, err := json.Marshal(s)
	return append(to, data...), err
}
