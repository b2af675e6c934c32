package loose

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// One is the only object of a text, and the prose that stands around it; empty: it is all there is. Nobody knows which of two was meant, or what one that is cut would have said.
func One(text string) (one Found, around string, err error) {
	found, broken := Find(text)
	n := 0
	for _, f := range found {
		if text[f.Start] == '{' {
			one, n = f, n+1
		}
	}
	for _, b := range broken {
		if text[b.Start] == '{' || n == 1 && b.Start < one.Start && !strings.Contains(text[b.Start:one.Start], "]") {
			return Found{}, "", b
		}
	}
	switch n {
	case 0:
		return Found{}, "", errors.New("there is no JSON object in it")
	case 1:
		return one, strings.TrimSpace(text[:one.Start] + "\n" + text[one.End:]), nil
	}
	return Found{}, "", fmt.Errorf("there are %d JSON objects in it", n)
}

// Folded is a value of JSON with all names in small letters. Two that are the same then say two things.
func Folded(value json.RawMessage) (json.RawMessage, error) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case strings.HasPrefix(string(value), "{") && json.Unmarshal(value, &object) == nil:
		small := map[string]json.RawMessage{}
		for name, v := range object {
			low := strings.ToLower(name)
			if _, twice := small[low]; twice {
				return nil, fmt.Errorf("it says %q twice", low)
			}
			v, err := Folded(v)
			if err != nil {
				return nil, err
			}
			small[low] = v
		}
		return json.Marshal(small)
	case json.Unmarshal(value, &list) == nil && list != nil:
		for i := range list {
			v, err := Folded(list[i])
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return json.Marshal(list)
	}
	return value, nil
}

// bare takes away what may be written in more than one way, or stands before a quote within a text of JSON.
var bare = strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", `\n`, "", `\t`, "", `\`, "")

// Holds reports a text in which this object stands already, however it is laid out there: whoever says it within other words may only have quoted it.
func Holds(text, object string) bool {
	return strings.Contains(bare.Replace(text), bare.Replace(object))
}
