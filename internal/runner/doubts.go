package runner

import (
	"slices"
	"sync/atomic"
)

// How often the tests that a candidate breaks are asked again, with the very same candidate: of one candidate, and of all together. A test that
// fails by chance once in three times would else turn down the right one as often, and does so once in 27 times then.
const (
	mostAgain    = 2
	mostAgainAll = 16
)

// Doubts are about tests that candidates break which heal all that is to be healed: such a test may fail by chance. Many may use them at once.
type Doubts struct{ asked atomic.Int32 }

// Insist asks again which tests a candidate breaks, and is those of the broken ones that it breaks each time. It stops at an answer that says nothing, or
// an error: the candidate was asked once, and that stands.
func (d *Doubts) Insist(broken []string, again func() (broken []string, ok bool, err error)) ([]string, error) {
	for range mostAgain {
		if len(broken) == 0 || d.asked.Add(1) > mostAgainAll {
			break
		}
		still, ok, err := again()
		if err != nil || !ok {
			return broken, err
		}
		broken = slices.DeleteFunc(broken, func(id string) bool { return !slices.Contains(still, id) })
	}
	return broken, nil
}
