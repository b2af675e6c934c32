package setup

import "bytes"

// maxAround is how much of what stands around a change is looked for.
const maxAround = 400

// moved makes in what the settings were before the guard came the change that the person has made since, from after to now, if it is one change whose place is
// there only once. Nil: it cannot be told.
//
// Taking the guard's entries out of a document leaves all that it means, but not every byte: a comma behind the last entry of a list goes.
func moved(before, after, now []byte) []byte {
	from := 0
	for from < min(len(after), len(now)) && after[from] == now[from] {
		from++
	}
	end := 0
	for end < min(len(after), len(now))-from && after[len(after)-1-end] == now[len(now)-1-end] {
		end++
	}
	for around := 0; around <= maxAround; around++ {
		left, right := max(0, from-around), max(0, end-around)
		old := after[left : len(after)-right]
		if bytes.Count(before, old) == 1 {
			return bytes.Replace(before, old, now[left:len(now)-right], 1)
		}
		if !bytes.Contains(before, old) || left == 0 && right == 0 {
			break
		}
	}
	return nil
}

// same reports settings that mean the same.
func (w Where) same(a, b []byte) bool {
	one, err := read(w.Client, bytes.Clone(a)) // what is standardized is changed in its place
	if err != nil {
		return false
	}
	other, err := read(w.Client, bytes.Clone(b))
	if err != nil {
		return false
	}
	one.value.Standardize()
	other.value.Standardize()
	one.value.Minimize()
	other.value.Minimize()
	return bytes.Equal(one.value.Pack(), other.value.Pack())
}
