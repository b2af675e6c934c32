package audit

// Help is what is said of a rule to people who see one of its findings for the first time.
type Help struct {
	Effect Effect // what its findings mostly mean; each says what it means itself
	Do     string // what to do about one
}

// Help is the rule's.
func (r Rule) Help() Help { return helps[r.Name] }

// Security reports whether a rule is about what a change could do to people or machines, and not about its quality.
func (r Rule) Security() bool {
	switch r.Name {
	case "danger", "secret", "name", "hidden", "confusable", "mode", "link", "binary":
		return true
	}
	return false
}

var helps = map[string]Help{
	"unreadable":       {Refuse, "Make the change for the files as they are, and in a form that can be read."},
	"scope":            {Refuse, "Leave the file alone, or widen what the session may change."},
	"generated":        {Ask, "Change what the file is made from and have its tool write it again; of what others wrote, change where it comes from."},
	"lockfile":         {Ask, "Say in the manifest what is wanted, and let the package manager write the lock."},
	"deleted-comment":  {Note, "Keep what still helps to understand the code."},
	"deleted-docs":     {Ask, "Keep the page and mend what is wrong in it, or let a person confirm that nobody reads it."},
	"name":             {Refuse, "Give the file another name; of the own folder of git or of other version control nothing belongs into a change."},
	"protected":        {Ask, "Mend the code instead. If the test, configuration or instruction is what is wrong, a person has to say so."},
	"deleted-test":     {Refuse, "Keep the test and mend the code. A test that has nothing to prove any more is taken away by a person."},
	"skipped-test":     {Refuse, "Let the test run. What fails on one machine only is skipped there, by a condition that names the machine."},
	"weakened-test":    {Refuse, "Keep what the test demands, word by word if you can, and mend the code."},
	"stand-in":         {Refuse, "Let the test ask the code itself; replace only what that uses, such as clocks and networks."},
	"changed-test":     {Refuse, "Mend the code instead. If the test is wrong, a person has to say so."},
	"weakened-check":   {Refuse, "Keep the check as strict as it was, and mend what it complains of."},
	"weakened-policy":  {Refuse, "Keep what the project's policy denies and asks about. If a rule is wrong, a person changes it."},
	"dropped-lint":     {Refuse, "Keep what asks for strictness, and mend what is complained of. A person decides that it has to go."},
	"suppression":      {Refuse, "Mend what the check complains of. If the check is wrong, a person silences it and says why."},
	"size":             {Ask, "Cut the change into parts that can be judged one by one."},
	"placeholder":      {Refuse, "Write the whole function; take away what is not needed instead of emptying it."},
	"elided":           {Refuse, "Write all of the code that the comment stands for."},
	"deleted-function": {Ask, "Keep what others may call, or let a person confirm that nobody does."},
	"duplicate":        {Refuse, "Change the first definition instead of adding another one."},
	"undefined-name":   {Refuse, "Define the name, import it, or use what there is."},
	"sees-tests":       {Refuse, "Let the code do the same in tests as elsewhere."},
	"exits":            {Ask, "Give a value or an error to whoever called; only a program's main ends the process."},
	"always-equal":     {Refuse, "Compare what makes two values equal."},
	"loosely-equal":    {Ask, "Compare what makes two values equal, and say near where near is meant."},
	"changed-world":    {Ask, "Handle the errors that are expected, and hand a clock or a seed to the code that needs one."},
	"answers-all":      {Ask, "Answer what is known, and fail for the rest."},
	"swallowed-errors": {Ask, "Catch the errors that are expected, and hand on the others."},
	"test-hook":        {Refuse, "Leave what a test run reports alone, and mend the code."},
	"left-out-tests":   {Refuse, "Let the tests be compiled as they were, and mend the code."},
	"weakened-script":  {Ask, "Let the script fail when one of its checks does."},
	"special-case":     {Ask, "Compute the answer for every input; if these inputs are a rule of their own, let a person confirm it."},
	"call-counter":     {Ask, "Compute the answer from what is asked, not from how often it was asked."},
	"constant-answer":  {Refuse, "Compute the answer."},
	"test-answer":      {Refuse, "Compute the answer for every input, instead of holding it for those of the tests."},
	"danger":           {Refuse, "Do without it: a library that does the one thing, arguments instead of a shell, a known name instead of a computed one. If it is meant, a person has to say so."},
	"secret":           {Refuse, "Keep it outside of the repository, and change it where it is used: what was committed once is known."},
	"hidden":           {Refuse, "Take the character out, or write it as an escape."},
	"confusable":       {Ask, "Write the word in one script."},
	"conflict-marker":  {Refuse, "Resolve the conflict."},
	"binary":           {Ask, "Let a person see where the file comes from."},
	"encoding":         {Refuse, "Write the file as UTF-8, as it was."},
	"mode":             {Ask, "Leave the mode alone where nothing has to be executed."},
	"link":             {Ask, "Keep the file, or copy what is needed into the repository."},
}
