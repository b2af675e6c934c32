package model

import "strings"

// When a text is taken to say the same over and over: small models fall into this, and end only where they have to. Tables of data do it too, but seldom for so long.
const (
	repeatedBytes = 1000 // so much of its end
	repeatedTimes = 10   // and so often
	longestUnit   = 300  // bytes of what is said again
)

// repeated is what the end of a text says over and over; empty: it does not.
func repeated(text string) string {
	for unit := 1; unit <= longestUnit; unit++ {
		n := max(repeatedBytes, repeatedTimes*unit)
		if n > len(text) {
			return ""
		}
		if end := text[len(text)-n:]; end[unit:] == end[:n-unit] {
			return end[:unit]
		}
	}
	return ""
}

// begun is the text of a reply, and of one that repeats itself what stands before that, with what is repeated once: who reads it all goes on with it.
func (r Reply) begun() string {
	if r.Stop != Repeats {
		return r.Text
	}
	unit := repeated(r.Text)
	if unit == "" {
		return r.Text
	}
	end := r.Text
	for strings.HasSuffix(end, unit) {
		end = end[:len(end)-len(unit)]
	}
	return end + unit + " […]"
}

// repeats watches a text that comes in pieces.
type repeats struct {
	asked   Request
	watched int // bytes that were looked at
}

// stuck reports whether the text has begun to say the same over and over, which is not so where it repeats what it was shown repeated.
func (w *repeats) stuck(text string) bool {
	if len(text)-w.watched < repeatedBytes/4 {
		return false
	}
	w.watched = len(text)
	unit := repeated(text)
	return unit != "" && !w.asked.shows(strings.Repeat(unit, repeatedBytes/4/len(unit)+1))
}

// shows reports whether a text stands in what is asked.
func (r Request) shows(text string) bool {
	if strings.Contains(r.System, text) {
		return true
	}
	for _, m := range r.Messages {
		if m.Speaker == User && strings.Contains(m.Text, text) {
			return true
		}
		for _, res := range m.Results {
			if strings.Contains(res.Text, text) {
				return true
			}
		}
	}
	return false
}
