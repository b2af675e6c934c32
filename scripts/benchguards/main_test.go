package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDecisionOf(t *testing.T) {
	for _, c := range []struct {
		out  string
		rule bool
		want string
	}{
		{"", false, "allow"},
		{"\n", true, "ask"},
		{`{"hookSpecificOutput":{"permissionDecision":"ask"}}`, false, "ask"},
		{`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}`, true, "deny"},
		{`{"decision":"block","reason":"x"}`, false, "deny"},
		{`{"decision":"approve"}`, true, "allow"},
		{`{}`, true, "ask"},
	} {
		if got, err := decisionOf([]byte(c.out), c.rule); err != nil || got != c.want {
			t.Errorf("%q: %s (%v), want %s", c.out, got, err, c.want)
		}
	}
	if _, err := decisionOf([]byte("no JSON"), false); err == nil {
		t.Error("an answer that is no JSON counts as one")
	}
}

func TestReadRows(t *testing.T) {
	all, err := readRows("../../internal/policy/shell/testdata/commands.jsonl", 0)
	if err != nil || len(all) < 500 {
		t.Fatalf("%d rows: %v", len(all), err)
	}
	some, err := readRows("../../internal/policy/shell/testdata/commands.jsonl", 50)
	if err != nil || len(some) != 50 || some[0].ID != all[0].ID {
		t.Fatalf("%d rows of a sample of 50: %v", len(some), err)
	}
	benign, dangerous := 0, 0
	for _, r := range all {
		if r.benign() {
			benign++
		}
		if r.dangerous() {
			dangerous++
		}
		if r.benign() && r.dangerous() || r.Command == "" {
			t.Errorf("%s is both, or nothing", r.ID)
		}
	}
	if benign < 100 || dangerous < 100 {
		t.Errorf("%d ordinary and %d dangerous rows", benign, dangerous)
	}
}

func TestDCG(t *testing.T) {
	if _, err := dcgAt("no/such/dcg"); err == nil || !strings.Contains(err.Error(), "-build-dcg") {
		t.Errorf("a program that is not there: %v", err)
	}
	program, err := dcgAt("main_test.go")
	if err != nil || !filepath.IsAbs(program) {
		t.Fatalf("%s (%v) is not found from another folder", program, err)
	}
	peers := dcg(program, "dcg")
	if len(peers) != 2 || peers[0].name == peers[1].name || peers[0].rule || peers[1].rule {
		t.Fatalf("%+v: it is asked twice, and lets pass what it says nothing of", peers)
	}
	for i, packs := range []bool{false, true} {
		if got := slices.ContainsFunc(peers[i].env, func(s string) bool { return strings.HasPrefix(s, "DCG_PACKS=") }); got != packs {
			t.Errorf("%s: its packs are chosen: %v", peers[i].title, got)
		}
	}
}
