package fix

import "strings"

// nearest is the known name that was probably meant: one of which name is a beginning, else the one with the fewest
// letters to change, if that is at most a third of them (and two at least). Empty: none is near.
func nearest(name string, known []string) string {
	name = strings.ToLower(name)
	best, least := "", max(2, len(name)/3)+1
	for _, k := range known {
		d := distance(name, strings.ToLower(k))
		if name != "" && strings.HasPrefix(strings.ToLower(k), name) {
			d = 0
		}
		if d < least {
			best, least = k, d
		}
	}
	if least >= len(name) {
		return ""
	}
	return best
}

// distance counts the letters to insert, remove, replace, or swap with a neighbour to turn a into b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			same := 1
			if x[i-1] == y[j-1] {
				same = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+same)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(x)][len(y)]
}
