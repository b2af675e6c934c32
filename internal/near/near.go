// Package near answers "which name was probably meant?" for names that people, or their programs, have misspelt.
//
// The package is pure: standard library only, no I/O.
package near

// Enough is the likeness from which a name is offered as what was meant. It is the cutoff of Python's difflib.get_close_matches, whose
// answers people of this kind of tool are used to.
const Enough = 0.6

// Name is the name that is most like the given one, or "" when none is like enough. Of equals the first wins.
func Name(name string, names []string) string {
	best, most := "", Enough
	for _, n := range names {
		if s := Likeness(name, n); s > most || s == most && best == "" {
			best, most = n, s
		}
	}
	return best
}

// Likeness is 1 for equal strings and 0 for strings that share nothing: twice the matching bytes over all bytes, where what matches is
// found as Ratcliff and Obershelp do (the longest common part, then again to its left and right).
func Likeness(a, b string) float64 {
	const most = 200 // longer names are nobody's slip of the finger, and the search is cubic
	if len(a) > most || len(b) > most || len(a)+len(b) == 0 {
		return 0
	}
	return 2 * float64(matching(a, b)) / float64(len(a)+len(b))
}

func matching(a, b string) int {
	at, bt, n := 0, 0, 0
	for i := range len(a) {
		for j := range len(b) {
			k := 0
			for i+k < len(a) && j+k < len(b) && a[i+k] == b[j+k] {
				k++
			}
			if k > n {
				at, bt, n = i, j, k
			}
		}
	}
	if n == 0 {
		return 0
	}
	return n + matching(a[:at], b[:bt]) + matching(a[at+n:], b[bt+n:])
}
