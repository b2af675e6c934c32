package silence_test

import (
	"testing"

	"fettle/internal/lang"
	"fettle/internal/silence"
)

// TestConcern: what a mark silences, how far it holds, and whether anything is left of the check.
func TestConcern(t *testing.T) {
	for _, c := range []struct {
		lang        lang.Language
		line        string
		about       silence.Concern
		wide, whole bool
	}{
		{lang.Python, "x = 1  # noqa: E501", silence.Form, false, false},
		{lang.Python, "x = 1  # noqa: E902", silence.Faults, false, false},
		{lang.Python, "x = 1  # noqa", silence.Faults, false, false},
		{lang.Python, "# ruff: noqa: D100", silence.Form, true, false},
		{lang.Python, "# flake8: noqa", silence.Faults, true, true},
		{lang.Python, "x = 1  # noqa: B904", silence.Habits, false, false},
		{lang.Python, "x == 1  # noqa: B015", silence.Faults, false, false},
		{lang.Python, "x = f()  # type: ignore[arg-type]", silence.Types, false, false},
		{lang.Python, "f()  # type: ignore[unused-coroutine]", silence.Faults, false, false},
		{lang.Python, "# mypy: ignore-errors", silence.Faults, true, true},
		{lang.Python, "# pylint: disable=line-too-long", silence.Form, true, false},
		{lang.Python, "# pylint: disable=comparison-with-itself", silence.Faults, true, false},
		{lang.Python, "# fmt: off", silence.Form, true, false},
		{lang.Go, "x() //nolint:lll", silence.Form, false, false},
		{lang.Go, "x() //nolint", silence.Faults, false, false},
		{lang.Go, "x() //nolint:errcheck", silence.Faults, false, false},
		{lang.Go, "//revive:disable:exported", silence.Form, true, false},
		{lang.Go, "//revive:disable-next-line:exported", silence.Form, false, false},
		{lang.JavaScript, "/* eslint-disable */", silence.Faults, true, true},
		{lang.JavaScript, "/* eslint-disable max-lines */", silence.Form, true, false},
		{lang.JavaScript, "// eslint-disable-next-line max-params", silence.Form, false, false},
		{lang.JavaScript, "// eslint-disable-next-line no-eval", silence.Faults, false, false},
		{lang.JavaScript, "// eslint-disable-line jest/no-focused-tests", silence.Faults, false, false},
		{lang.TypeScript, "// @ts-nocheck", silence.Faults, true, true},
		{lang.TypeScript, "// @ts-ignore", silence.Faults, false, false},
		{lang.TypeScript, "// prettier-ignore", silence.Form, false, false},
		{lang.Java, `@SuppressWarnings("unchecked")`, silence.Types, false, false},
		{lang.Java, `@SuppressWarnings("serial")`, silence.Form, false, false},
		{lang.Java, `@SuppressWarnings("divzero")`, silence.Faults, false, false},
		{lang.Rust, "#![allow(dead_code)]", silence.Faults, true, false},
	} {
		for _, m := range silence.Marks(c.lang, c.line) {
			rule := ""
			if len(m.Rules) > 0 {
				rule = m.Rules[0]
			}
			if about := silence.About(m.Tool, rule); about != c.about || m.Wide() != c.wide || m.Whole() != c.whole {
				t.Errorf("%q: about %d, wide %v, whole %v", c.line, about, m.Wide(), m.Whole())
			}
		}
	}
}
