package search_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
)

// TestDisguised: a condition that decides nothing in any test is a constant in disguise, and so is whatever is changed in what no test needs. The plain form comes before it, and
// neither is sure enough to be applied by itself. Where nothing else passes, the source is tried without one branch, loop or jump.
func TestDisguised(t *testing.T) {
	for name, c := range map[string]struct{ source, tests, first, why string }{
		"never": {
			"def flatten(settings):\n    flat = {}\n    for key, value in settings.items():\n        if not value:\n            continue\n        flat[str(key)] = value\n    return flat\n",
			"from a import flatten\n\n\ndef test_all():\n    assert flatten({'a': 1, 'b': 'x'}) == {'a': 1, 'b': 'x'}\n\n\ndef test_zero():\n    assert flatten({'a': 0, 'c': None}) == {'a': 0, 'c': None}\n",
			"for key, value in settings.items():\n        flat[str(key)] = value\n", "what is done where `not value` holds may not belong there",
		},
		"always": {
			"def split(text, mark):\n    fields, field = [], ''\n    for c in text:\n        if c == mark:\n            fields.append(field)\n            field = ''\n        else:\n            field += c\n    if field:\n        fields.append(field)\n    return fields\n",
			"from a import split\n\n\ndef test_two():\n    assert split('a,b', ',') == ['a', 'b']\n\n\ndef test_empty():\n    assert split('a,', ',') == ['a', '']\n",
			"            field += c\n    fields.append(field)\n    return fields\n", "whatever `field` says, `fields.append(field)` may have to be done",
		},
		"negated": {
			"def copy(source):\n    target = {}\n    for key in source:\n        if not source.__contains__(key):\n            target[key] = source[key]\n    return target\n",
			"from a import copy\n\n\ndef test_copy():\n    assert copy({'a': 1}) == {'a': 1}\n",
			"        if source.__contains__(key):\n", "the `not` before `source.__contains__(key)` does not belong there",
		},
		"joined otherwise": {
			"def rest(text, i):\n    if i + 3 <= len(text) and text[i] == 'r' and text[i + 1] == 'u' or text[i + 2] == 'e':\n        return i + 3\n    return i\n",
			"from a import rest\n\n\ndef test_basic():\n    assert rest('rue', 0) == 3\n    assert rest('ru', 0) == 0\n",
			"text[i + 1] == 'u' and text[i + 2] == 'e'", "`or` should be `and`",
		},
		"joined otherwise in what need not be asked": {
			"def converted(kind, value):\n    if kind != 'int' or value is None:\n        return None\n    return kind + ':' + str(value)\n",
			"from a import converted\n\n\ndef test_int():\n    assert converted('int', 3) == 'int:3'\n\n\ndef test_text():\n    assert converted('text', 'x') == 'text:x'\n\n\ndef test_more():\n    assert converted('date', 5) == 'date:5'\n",
			"if kind != 'int' and value is None", "`or` should be `and`",
		},
		"a comparison turned round": {
			"def settle(first, second):\n    if second is not None:\n        if isinstance(first, dict):\n            first, second = None, first\n    return first, second\n",
			"from a import settle\n\n\ndef test_both():\n    assert settle(1, 2) == (1, 2)\n\n\ndef test_only():\n    assert settle({'a': 1}, None) == (None, {'a': 1})\n",
			"    if second is None:\n", "`is not` should be `is`",
		},
		"an operator in what need not be asked": {
			"def anagrams(a, b):\n    if len(a) != len(b):\n        return False\n    return sorted(a.replace(' ', '')) == sorted(b.replace(' ', ''))\n",
			"from a import anagrams\n\n\ndef test_one():\n    assert anagrams('dirty room', 'dormitory')\n\n\ndef test_other():\n    assert not anagrams('a', 'b')\n\n\ndef test_more():\n    assert anagrams('ab', 'a b')\n    assert not anagrams('ab', 'b')\n",
			"def anagrams(a, b):\n    return sorted", "what is done where `len(a) != len(b)` holds may not belong there",
		},
		"half a condition the wrong way round": {
			"def total(code):\n    s = 0\n    for i, c in enumerate(code):\n        right = len(code) - i\n        if right != 1 and c == 'X':\n            s += 10 * right\n        else:\n            s += int(c) * right\n    return s\n",
			"from a import total\n\n\ndef test_digits():\n    assert total('12') == 4\n\n\ndef test_last():\n    assert total('1X') == 12\n",
			"if right == 1 and c == 'X'", "`!=` should be `==`",
		},
		"otherwise": {
			"def within(s, t):\n    i = 0\n    for c in t:\n        if i < len(s) and s[i] == c:\n            i += 1\n        else:\n            i = 0\n            s += '!'\n    return i == len(s)\n",
			"from a import within\n\n\ndef test_yes():\n    assert within('ace', 'abcde')\n\n\ndef test_no():\n    assert not within('aec', 'abcde')\n",
			"            i += 1\n    return i == len(s)\n", "what is done where no condition holds may not belong there",
		},
		"a statement": {
			"def longest(heights):\n    best, run = 0, 0\n    for i, h in enumerate(heights):\n        if i == 0 or h != heights[i - 1]:\n            run = 0\n        run += 1\n        if run > best:\n            best = run\n            run = 0\n    return best\n",
			"from a import longest\n\n\ndef test_two():\n    assert longest([1, 2, 2, 3]) == 2\n\n\ndef test_three():\n    assert longest([7, 7, 7]) == 3\n\n\ndef test_one():\n    assert longest([4]) == 1\n    assert longest([]) == 0\n",
			"            best = run\n    return best\n", "the statement `run = 0` does not belong there",
		},
		"a loop, where nothing else passes": {
			"def total(prices):\n    s = 0\n    for p in prices:\n        s += p\n    for p in prices:\n        s -= p * len(prices)\n        s += 1\n    return s\n",
			"from a import total\n\n\ndef test_two():\n    assert total([10, 20]) == 30\n\n\ndef test_three():\n    assert total([1, 2, 3]) == 6\n\n\ndef test_none():\n    assert total([]) == 0\n",
			"        s += p\n    return s\n", "the loop `for p in prices:…` may not belong there",
		},
		"a jump": {
			"def count(words):\n    n = 0\n    for word in words:\n        if word.startswith('a'):\n            n += 1\n            print(word)\n            break\n    return n\n",
			"from a import count\n\n\ndef test_two():\n    assert count(['apple', 'pear', 'avocado']) == 2\n\n\ndef test_three():\n    assert count(['pear', 'ant', 'apple', 'axe']) == 3\n\n\ndef test_none():\n    assert count([]) == 0\n    assert count(['pear']) == 0\n",
			"            print(word)\n    return n\n", "`break` may not belong there",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := fixtest.New(t, map[string]string{"a.py": c.source, "test_a.py": c.tests})
			found := propose(t, task(t, p, "python"))
			if len(found) == 0 {
				t.Fatal("nothing was found")
			}
			if after := patched(t, p, found[0].Patch, "a.py"); !strings.Contains(after, c.first) || !strings.Contains(found[0].Explanation, c.why) {
				t.Errorf("first comes %q:\n%s", found[0].Explanation, after)
			}
			for _, x := range found {
				if x.Confidence > 0.6 || !x.Grounds.Idle {
					t.Errorf("%.2f sure: %s", x.Confidence, x.Explanation)
				}
			}
		})
	}
}

// TestTurnedOff: what passes only because a function always leaves, which its tests take for an answer, comes behind what mends it.
func TestTurnedOff(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"a.py":      "def group(i):\n    return '<v%d>' % (i // 1)\n\n\ndef pattern(parts):\n    if parts == []:\n        raise ValueError('no parts')\n    return '/'.join(group(i) for i in range(0, 2 * len(parts), 2))\n",
		"test_a.py": "from a import group, pattern\n\n\ndef test_group():\n    assert group(0) == '<v0>'\n\n\ndef test_two():\n    try:\n        got = pattern(['a', 'b'])\n    except ValueError:\n        return\n    assert got == '<v0>/<v1>'\n",
	})
	found := propose(t, task(t, p, "python"))
	off := slices.IndexFunc(found, func(x fix.Candidate) bool { return strings.Contains(patched(t, p, x.Patch, "a.py"), "parts != []") })
	if off == 0 || len(found) == 0 {
		t.Errorf("of %d that pass the one that turns the function off comes first", len(found))
	}
	for i, x := range found {
		t.Logf("%d: %.2f %s", i, x.Confidence, x.Explanation)
		if strings.Contains(patched(t, p, x.Patch, "a.py"), "\n    raise") {
			t.Error("nothing behind it is ever reached")
		}
		if i == off && !x.Grounds.Idle {
			t.Error("it is not said that the condition decides nothing")
		}
	}
}

// TestTooMuchElsewhere: where the tests pass without a branch that no patch changes, that is offered, too.
func TestTooMuchElsewhere(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"a.py":      "def stretches(numbers, target):\n    seen, total, n = {0: 1}, 0, 0\n    for x in numbers:\n        total += x\n        if x == target:\n            n += 1\n        n += seen.get(total - target, 0)\n        seen[total] = seen.get(total, 0) + 1\n    return n\n",
		"test_a.py": "from a import stretches\n\n\ndef test_two():\n    assert stretches([1, 1, 1], 2) == 2\n\n\ndef test_zero():\n    assert stretches([1, -1, 0], 0) == 3\n",
	})
	found := proposeSoon(t, task(t, p, "python"))
	if len(found) == 0 || !slices.ContainsFunc(found, func(x fix.Candidate) bool {
		return strings.Contains(x.Explanation, "what is done where `x == target` holds may not belong there")
	}) {
		t.Fatalf("not among %d candidates", len(found))
	}
}

// TestNothingOfTests: a value that only the failing test says would satisfy it, and is never taken into the code.
func TestNothingOfTests(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"a.py":      "def f(n):\n    return n + 1\n",
		"test_a.py": "from a import f\n\n\ndef test_f():\n    assert f(2) == 7919\n",
	})
	for _, x := range proposals(t, soonInVain(), task(t, p, "python")) {
		if after := patched(t, p, x.Patch, "a.py"); strings.Contains(after, "7919") {
			t.Errorf("proposed: %s", after)
		}
	}
}
