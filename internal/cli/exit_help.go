package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/internal/verdict"

	"github.com/spf13/cobra"
)

// meanings are exit codes, and what each says.
type meanings map[int]string

// everywhere is what exit codes say of every command that has no other word for them.
var everywhere = meanings{
	0:                              "it has done its work",
	exitUsage:                      "wrong use: an unknown flag or name, a file of settings that cannot be read",
	verdict.Halted.ExitCode():      "it could not do its work",
	verdict.Interrupted.ExitCode(): "interrupted",
}

// ofSession is what they say of a command that heals.
var ofSession = func() meanings {
	m := meanings{}
	for _, e := range verdict.Ends {
		m[e.ExitCode()] = e.Meaning()
	}
	m[verdict.Halted.ExitCode()] = "a check could not run, and nothing else is left; or fettle cannot go on"
	return m
}()

// ofInstall is what they say of a command that changes the settings of clients.
var ofInstall = meanings{exitUsage: "wrong use: an unknown flag or name", verdict.Halted.ExitCode(): "it could not do its work: a client's settings cannot be read, or not be written"}

// ownMeanings are those that a command has for itself, by its name.
var ownMeanings = map[string]meanings{
	"fettle":          ofSession,
	"fettle fix":      ofSession,
	"fettle resume":   ofSession,
	"fettle approve":  ofSession,
	"fettle init":     {0: "fettle.yaml is written", 2: "wrong use, or there is a fettle.yaml already"},
	"fettle run":      {0: "every check passes", 1: "a check fails", 6: "a check could not run, whatever the others say"},
	"fettle locate":   {0: "the places are named, or no test fails"},
	"fettle apply":    {0: "the edits are made; with --dry-run, they can be", 3: "an edit was refused, and nothing is changed"},
	"fettle audit":    {0: "nothing stands in the way of the change", 3: "the change is refused, or a person has to say yes to it"},
	"fettle confirm":  {0: "the change is confirmed", 3: "the change is not confirmed", 6: "nobody could judge the change"},
	"fettle play":     {0: "it was interrupted: nothing else ends it", 130: ""},
	"fettle mcp":      {0: "the client has ended it", 130: ""},
	"fettle accept":   {0: "the patch is applied", 2: "wrong use, or the session keeps no patch to be taken", 3: "the patch was refused, and nothing is changed"},
	"fettle discard":  {2: "wrong use, or the session keeps no patch"},
	"fettle reject":   {0: "the session has ended, and its change is not applied", 2: "wrong use, or the session does not wait for an answer"},
	"fettle undo":     {0: "the change is taken back", 2: "wrong use, or there is nothing to take back", 3: "somebody has changed a file since: it is left alone"},
	"fettle redo":     {0: "the change is made again", 2: "wrong use, or there is nothing to make again", 3: "somebody has changed a file since: it is left alone"},
	"fettle rollback": {0: "the changes are taken back", 2: "wrong use, or there is nothing to take back", 3: "somebody has changed a file since: it is left alone"},
	"fettle doctor":   {0: "all works that is needed", 1: "something does not work: it is marked with !"},

	"fettle guard":           {0: "its help was asked for", 2: "wrong use: which of its commands is meant has to be said", 6: "", 130: ""},
	"fettle guard install":   ofInstall,
	"fettle guard uninstall": ofInstall,
	"fettle guard status":    {0: "what is installed holds", 1: "something that is there does not hold: it is marked with ✗", exitUnguarded: "nothing is guarded"},
	"fettle guard confine":   {0: "the program has ended well: once it runs, every exit code is its own", 2: "wrong use, no such program, or bounds in which nothing of the home would be kept", 6: "no program can be confined on this system: it was not started", 130: ""},
	"fettle guard explain":   {0: "the verdict was told, whatever it is: scripts read it with --json"},
	"fettle guard test":      {0: "every test is right", 1: "a test is wrong, or there are none", 2: "wrong use, or a policy that cannot be used"},
	"fettle guard replay":    {0: "all decisions are the same", 1: "some are not, or could not be read"},
	"fettle guard serve":     {0: "it was interrupted, or stopped", 130: ""},
}

// meaningsOf are a command's exit codes.
func meaningsOf(cmd *cobra.Command) meanings {
	all := maps.Clone(everywhere)
	maps.Copy(all, ownMeanings[cmd.CommandPath()])
	maps.DeleteFunc(all, func(_ int, text string) bool { return text == "" })
	return all
}

// exitHelp stands at the end of a command's help.
func exitHelp(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString("\n\nExit codes:")
	all := meaningsOf(cmd)
	for _, code := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "\n  %3d  %s", code, all[code])
	}
	return b.String()
}

// tellExits adds its exit codes to the help of a command, and of all below it.
func tellExits(cmd *cobra.Command) {
	if cmd.Long == "" {
		cmd.Long = cmd.Short
	}
	cmd.Long += exitHelp(cmd)
	for _, c := range cmd.Commands() {
		tellExits(c)
	}
}
