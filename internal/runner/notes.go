package runner

// What is said of candidates in every language, for people.
const (
	NoteTime     = "the tests did not end in time"
	NoteFuel     = "the tests did not end: a loop or a recursion goes on far longer than it did before"
	NoteOutput   = "the tests print without end"
	NoteError    = "the tests end with an error of their own"
	NoteUntested = "the other tests were not run"
	NoteFiles    = "it removes or changes files of the repository that the tests leave alone"
)

// StillFails is said of a candidate that does not heal a test.
func StillFails(id string) string { return id + " still fails" }

// Breaks is said of a candidate that breaks a test.
func Breaks(id string) string { return id + " passed before and fails with it" }
