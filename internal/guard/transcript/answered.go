package transcript

import (
	"bytes"
)

// maxAnswer is how far back the answer to a call is looked for.
const maxAnswer = 256 << 10

// Answered reports that a call has a result, be it that the person has not let it run. What cannot be read says nothing.
func Answered(path, use string) bool {
	f, size, err := open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	result, call := []byte(`"tool_result"`), []byte(use)
	for line := range lines(f, size, maxAnswer) {
		if bytes.Contains(line, result) && bytes.Contains(line, call) {
			return true
		}
	}
	return false
}
