package audit_test

import (
	"testing"

	"fettle/internal/verdict"
)

// TestLineTestsStand are tests read line by line that demand as much as before, told otherwise, of which at most is asked, and what becomes less beside them.
func TestLineTestsStand(t *testing.T) {
	const (
		spec = "RSpec.describe Cart do\n  it \"adds\" do\n    expect(total).to eq(5)\n  end\n\n  xit \"rounds\" do\n    expect(round).to eq(2)\n  end\nend\n"
		bats = "@test \"version\" {\n  run ./envy --version\n  [ \"$status\" -eq 0 ]\n  [ \"$output\" = \"envy 1\" ]\n}\n"
		cs   = "using System;\nusing Xunit;\n\npublic class ParserTests\n{\n    [Fact]\n    public void Minutes()\n    {\n        Assert.Equal(TimeSpan.FromMinutes(5), Parser.Parse(\"5m\"));\n    }\n}\n"
		rows = "    [Theory]\n    [InlineData(\"5m\", 300)]\n    public void Valid(string text, int seconds)\n    {\n        Assert.Equal(TimeSpan.FromSeconds(seconds), Parser.Parse(text));\n    }\n"
	)
	fact := "    [Fact]\n    public void Minutes()\n    {\n        Assert.Equal(TimeSpan.FromMinutes(5), Parser.Parse(\"5m\"));\n    }\n"
	for _, c := range []struct {
		change
		want string
	}{
		{change{"ruby: one runs again", "spec/cart_spec.rb", spec, "xit", "it"}, ""},
		{change{"ruby: one demands nothing", "spec/cart_spec.rb", spec, "expect(total).to eq(5)", "total"}, "weakened-test"},
		{change{"bats: the runner asks the status", "test/cli.bats", bats, "run ./envy --version\n  [ \"$status\" -eq 0 ]", "run -0 ./envy --version"}, ""},
		{change{"bats: nobody asks the status", "test/cli.bats", bats, "  [ \"$status\" -eq 0 ]\n", ""}, "weakened-test"},
		{change{"c#: minutes are seconds", "ParserTests.cs", cs, fact, rows}, ""},
		{change{"c#: other minutes", "ParserTests.cs", cs, fact, replaceOnce(t, rows, "300", "290")}, "deleted-test"},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, c.input(t), c.want) })
	}
}

// TestDoublesGo are tests of a person's that asked once, or asked a double, and wait now, or ask the thing itself.
func TestDoublesGo(t *testing.T) {
	const (
		page   = "import { test, expect } from '@playwright/test';\n\ntest('blocks', async ({ page }) => {\n  await page.click('#pay');\n  expect(await page.isVisible('.error')).toBe(true);\n});\n"
		mocked = "import unittest\nfrom unittest.mock import MagicMock\n\nfrom notes import Note, Repo\n\n\nclass RepoTest(unittest.TestCase):\n    def setUp(self):\n        self.conn = MagicMock()\n        self.repo = Repo(self.conn)\n\n    def test_add(self):\n        self.repo.add(Note('a'))\n        self.conn.execute.assert_called_once()\n        self.conn.commit.assert_called_once_with()\n"
		stored = "import sqlite3\nimport unittest\n\nfrom notes import SCHEMA, Note, Repo\n\n\nclass RepoTest(unittest.TestCase):\n    def setUp(self):\n        self.conn = sqlite3.connect(':memory:')\n        self.conn.executescript(SCHEMA)\n        self.repo = Repo(self.conn)\n\n    def test_add_stores(self):\n        self.repo.add(Note('a'))\n        self.assertEqual(self.conn.execute('SELECT title FROM notes').fetchall(), [('a',)])\n"
		asks   = "  expect(await page.isVisible('.error')).toBe(true);"
	)
	for _, c := range []struct {
		change
		want verdict.Decision
	}{
		{change{"script: a text in time", "e2e/pay.spec.ts", page, asks, "  await expect(page.getByRole('alert')).toContainText('expired');"}, verdict.Ask},
		{change{"script: nobody waits", "e2e/pay.spec.ts", page, asks, "  expect(page.getByRole('alert')).toContainText('expired');"}, verdict.Refuse},
		{change{"script: something is there", "e2e/pay.spec.ts", page, asks, "  await expect(page).toBeTruthy();"}, verdict.Refuse},
		{change{"python: a database", "tests/test_repo.py", mocked, mocked, stored}, verdict.Ask},
		{change{"python: a database that nobody asks", "tests/test_repo.py", mocked, mocked, before(stored, "        self.assertEqual")}, verdict.Refuse},
		{change{"python: other calls of the double", "tests/test_repo.py", mocked, "test_add(self):\n        self.repo.add(Note('a'))\n        self.conn.execute.assert_called_once()\n", "test_adds(self):\n        self.repo.add(Note('a'))\n"}, verdict.Refuse},
	} {
		t.Run(c.name, func(t *testing.T) { decide(t, c.change, c.want) })
	}
}
