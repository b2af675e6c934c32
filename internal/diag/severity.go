package diag

import "fmt"

var severityNames = [...]string{Error: "error", Warning: "warning", Info: "info", Hint: "hint"}

// String is the severity's name in lower case, as it stands in JSON.
func (s Severity) String() string {
	if s < 0 || int(s) >= len(severityNames) {
		return fmt.Sprintf("severity(%d)", int(s))
	}
	return severityNames[s]
}

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a severity's name; an unknown one is an error.
func (s *Severity) UnmarshalText(b []byte) error {
	for i, n := range severityNames {
		if n == string(b) {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("unknown severity %q (known: error, warning, info, hint)", b)
}
