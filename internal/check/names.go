package check

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/near"
)

// The names that stand for several kinds of checks.
const (
	All     = "all"   // every check
	Quality = "check" // every check but the tests
)

// kinds are what a check can mean, sorted.
var kinds = []string{"build", "complexity", "format", "lint", "security", "test", "type"}

// Kinds are what a check can mean, sorted: the part of its name before the first dot.
func Kinds() []string { return slices.Clone(kinds) }

// Commands are the names that mean checks in any repository, sorted: the kinds, and "all" and "check" ("all but the tests").
func Commands() []string {
	c := append([]string{All, Quality}, kinds...)
	slices.Sort(c)
	return c
}

// fixFlag is asked for by a flag in other tools of this kind; here it is a verb, and a parameter over MCP.
const fixFlag = "--ai-fix"

// NameError refuses what was given as the name of a check. Its text is made of whole lines: what is wrong, then the remedy.
type NameError struct {
	Given   string // what was given
	Meant   string // the nearest known name; empty: none is near
	Message string
}

// Error is the lines of the message, with the nearest name last.
func (e *NameError) Error() string {
	if e.Meant == "" {
		return e.Message
	}
	return e.Message + "\nDid you mean: " + e.Meant
}

// ValidateCommand checks what a person or another program gave as the name of a check, and splits the arguments by shell
// rules ([Split]). A name is semantic: what to check, never a flag. The steps, in order: there is a command; it is not a
// flag; it is known; the arguments do not ask for fixing by a flag. Nil args are no arguments.
func ValidateCommand(command, args *string) (string, []string, error) {
	if command == nil {
		return "", nil, errors.New("Command cannot be None\nProvide the command: what to check, for example 'test'") //nolint:staticcheck // the text is promised
	}
	if strings.HasPrefix(*command, "-") {
		return "", nil, &NameError{Given: *command, Message: "Invalid command: " + quote(*command) +
			"\nCommands should be semantic (e.g., 'test', 'lint', 'check')" +
			"\nUse `fettle fix` or the ai_agent_mode=True parameter for auto-fix, not --ai-fix in command"}
	}
	if !slices.Contains(Commands(), *command) {
		return "", nil, &NameError{Given: *command, Meant: near.Name(*command, Commands()), Message: "Unknown command: " +
			quote(*command) + "\nValid commands: " + strings.Join(Commands(), ", ")}
	}
	if args == nil {
		return *command, []string{}, nil
	}
	words, err := Split(*args)
	if err != nil {
		return "", nil, fmt.Errorf("the arguments %s cannot be split: %w", quote(*args), err)
	}
	if slices.Contains(words, fixFlag) {
		return "", nil, errors.New("Do not pass --ai-fix in args parameter\nUse `fettle fix` or the ai_agent_mode=True parameter instead") //nolint:staticcheck // the text is promised
	}
	if words == nil {
		words = []string{}
	}
	return *command, words, nil
}

// quote puts text in single quotes, as the promised messages have it, with control characters escaped.
func quote(s string) string {
	q := strconv.Quote(s)
	q = strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
	if strings.Contains(s, "'") {
		if !strings.Contains(s, `"`) {
			return `"` + q + `"`
		}
		q = strings.ReplaceAll(q, "'", `\'`)
	}
	return "'" + q + "'"
}
