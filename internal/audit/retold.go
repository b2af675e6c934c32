package audit

import (
	"fettle/internal/audit/accounts"
	"fettle/internal/audit/parts"
)

// retold tells the tests of a file before and after a person's change, and compares. For others nothing is told.
func (v *patchView) retold(f *fileView) accounts.Retelling {
	if v.goal.By != Person || f.formatted || parts.Broken(f.programBefore) || parts.Broken(f.programAfter) || !f.test {
		return accounts.Retelling{}
	}
	if v.retellings == nil {
		v.retellings = make(map[*fileView]accounts.Retelling)
	}
	r, known := v.retellings[f]
	if !known {
		r = accounts.Compare(accounts.Version{Program: f.programBefore, Tests: f.proofsBefore}, accounts.Version{Program: f.programAfter, Tests: f.proofsAfter}, v.idle)
		v.retellings[f] = r
	}
	return r
}
