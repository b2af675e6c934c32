// Package jobs answers "which checks does CI carry out by itself, for what, and where, and is that less than before?".
//
// It reads workflows of GitHub's and what is written like them: what starts them ([Triggers]), which of their steps never run ([Idle]), on which machines and with which
// versions they run ([Machines]), and in which folder they start their checks ([Below]). [InPipes] looks at commands of any configuration.
//
// Two versions of a file go in, and each [Loss] comes out. What the checks themselves demand is told by package commands.
package jobs

// Loss is a check of CI's that is carried out no more, or for less than before.
type Loss struct {
	Line     int
	Evidence string
	Values   []string // of machines, and of what else a job runs with: what is gone
	Oldest   bool     // what is gone are the lowest versions, and there are still others
}
