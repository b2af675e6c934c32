package fix

// Later is a fixer that is asked at another place on the ladder than its own.
func Later(f Fixer, at Rung) Fixer { return later{f, at} }

type later struct {
	Fixer
	at Rung
}

// Rung implements [Fixer].
func (l later) Rung() Rung { return l.at }
