package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"fettle/internal/diag"
	"fettle/internal/report"
	"fettle/scripts/release"
)

// judge decides the fate of each fault from what is on disk: first as the session has left it, then, where a patch waits, with
// that patch. What the report claims counts for nothing but the names of what is left.
func (m *trial) judge(ctx context.Context, rep report.Session) error {
	now, err := m.look(ctx)
	if err != nil {
		return err
	}
	files, err := m.read()
	if err != nil {
		return err
	}
	for _, name := range now.differs(m.before) {
		if _, ours := files[name]; !ours && !bytes.HasPrefix([]byte(name), []byte("git status")) {
			m.trouble("it changed %s, where nothing was wrong", name)
		}
	}
	after, err := m.check(ctx, m.fettle)
	if err != nil {
		return err
	}
	if after.Success != (m.session.Exit == 0) {
		m.trouble("it ended %s (exit code %d), and afterwards the checks pass: %v", rep.End, m.session.Exit, after.Success)
	}
	texts := m.texts(files)
	for i := range m.session.Faults {
		o := &m.session.Faults[i]
		o.Fate = m.fate(*o, texts, after.Success, rep)
	}
	if texts == nil || m.has(Unread, Wrong) {
		m.session.Text, err = m.diff(ctx)
	}
	if err != nil || rep.Kept == nil {
		return err
	}
	return m.waiting(ctx, rep)
}

func (m *trial) has(fates ...Fate) bool {
	for _, o := range m.session.Faults {
		for _, f := range fates {
			if o.Fate == f {
				return true
			}
		}
	}
	return false
}

func (m *trial) diff(ctx context.Context) (string, error) {
	b, err := m.Git(ctx, "diff", "--no-color", "--no-ext-diff")
	return string(b), err
}

// texts are, for each fault of the session, the text that now stands in its place: the fault's own, the original's, or a reviewed
// one. It is nil when the files are not made of these texts.
func (m *trial) texts(files map[string][]byte) map[int]string {
	chosen := map[int]string{}
	var try func(k int, made map[string][]byte) bool
	try = func(k int, made map[string][]byte) bool {
		if k == len(m.put) {
			return maps.EqualFunc(made, files, bytes.Equal)
		}
		f := m.Faults[m.put[k]]
		options := []string{f.Find, f.Replace}
		for _, r := range f.Reviewed {
			options = append(options, r.Text)
		}
		for _, text := range options {
			b, err := f.as(made[f.File], text)
			if err != nil {
				return false
			}
			with := maps.Clone(made)
			with[f.File] = b
			chosen[m.put[k]] = text
			if try(k+1, with) {
				return true
			}
		}
		return false
	}
	if !try(0, m.clean) {
		return nil
	}
	return chosen
}

// fate is what became of one fault in the tree as it is.
func (m *trial) fate(o Outcome, texts map[int]string, green bool, rep report.Session) Fate {
	f := m.Faults[o.Fault]
	text, known := texts[o.Fault]
	switch {
	case known && text == f.Find:
		return Exact
	case known && text == f.Replace, !known && bytes.Contains(m.present(f), []byte(f.Replace)):
		switch at := rank[m.where(o.Fault, rep.Left)]; {
		case m.session.Exit == 0:
			return Unnamed
		case len(m.put) > 1 && at < rank["test"] && masked(f.Check, rep.Left): // what is in the same file may be the other fault
			return Hidden
		case at > rank["check"]:
			return Left
		}
		return Unnamed
	case !known && green:
		return Unread
	case !known:
		return Wrong
	}
	for _, r := range f.Reviewed {
		if r.Text == text && r.Equivalent {
			return Equivalent
		}
	}
	return Wrong
}

// masked reports whether a finding keeps a check from saying anything else.
func masked(check string, left []diag.Diagnostic) bool {
	return slices.ContainsFunc(left, func(d diag.Diagnostic) bool { return d.Check == check && d.Masks != diag.MasksNothing })
}

func (m *trial) present(f Fault) []byte {
	b, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(f.File)))
	if err != nil {
		return nil // it is gone: then the fault is, too, and not by healing
	}
	return b
}

// waiting looks at the patch that waits for a person, by accepting it and taking it back.
func (m *trial) waiting(ctx context.Context, rep report.Session) error {
	before, err := m.look(ctx)
	if err != nil {
		return err
	}
	if _, _, code, err := release.Run(ctx, m.Dir, m.Env, m.fettle, "accept", rep.ID); err != nil || code != 0 {
		return err // one that was tried and did not do: it is no proposal
	}
	files, err := m.read()
	if err != nil {
		return err
	}
	texts := m.texts(files)
	for i := range m.session.Faults {
		o := &m.session.Faults[i]
		if o.Fate != Left && o.Fate != Hidden && o.Fate != Unnamed {
			continue
		}
		switch f := m.Faults[o.Fault]; {
		case texts != nil && texts[o.Fault] == f.Find:
			o.Fate = Waiting
		case texts == nil && !bytes.Contains(files[f.File], []byte(f.Replace)):
			o.Fate = Doubtful
		}
	}
	if texts == nil {
		if m.session.Text, err = m.diff(ctx); err != nil {
			return err
		}
	}
	if _, err := release.Capture(ctx, m.Dir, m.Env, m.fettle, "undo"); err != nil {
		m.trouble("the accepted patch cannot be taken back: %v", err)
		return nil
	}
	now, err := m.look(ctx)
	if err != nil {
		return err
	}
	if d := now.differs(before); len(d) > 0 {
		m.trouble("after fettle accept and fettle undo the tree is not what it was: %s", some(d))
	}
	return nil
}

// rollback takes the session back, if it has changed anything, and looks whether every byte is what it was with the faults in it.
func (m *trial) rollback(ctx context.Context, rep report.Session) error {
	now, err := m.look(ctx)
	if err != nil || len(now.differs(m.before)) == 0 {
		return err
	}
	_, errs, code, err := release.Run(ctx, m.Dir, m.Env, m.fettle, "rollback", rep.ID)
	if err != nil {
		return err
	}
	if code != 0 {
		m.trouble("fettle rollback ended with exit code %d: %s", code, release.LastLines(errs, 3))
	}
	return m.untouched(ctx, "fettle rollback")
}
