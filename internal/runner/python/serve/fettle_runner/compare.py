"""How patches differ where no test looks: the functions that they change are called with what tests have called them with, and with inputs made from
that, with each of the patches in force.

Inputs that are made keep to what is true of all the inputs that tests gave (numbers that are never negative, lists that are always in order, letters that
texts are made of, and so on), because a function is only meant for such.
"""

import ast
import base64
import hashlib
import itertools
import pickle
import random
import sys
import types

from . import fuel

CALLS = 40     # inputs of a function that are kept
MADE = 240     # inputs made of those, at most
ROUNDS = 4     # tries for each
STEPS = 50000  # that a call may take
LONGEST = 120  # letters of an input or an answer that are told
ITEMS = 1000   # that are taken from an iterator
PLAIN = (int, float, str, list, tuple, dict, set, frozenset)


class Calls:
    """Notes what functions are called with while it is in force. units are those whose functions are looked at."""

    def __init__(self, units):
        self.units = {g.__code__: n for n, unit in enumerate(units) for g in unit.objects}
        self.seen = {n: {} for n in range(len(units))}

    def __enter__(self):
        sys.setprofile(self.heard)
        return self

    def __exit__(self, *ignored):
        sys.setprofile(None)

    def heard(self, frame, event, arg):
        if event != "call" or frame.f_code not in self.units:
            return
        n = self.units[frame.f_code]
        if len(self.seen[n]) >= CALLS:
            return
        code = frame.f_code
        sys.setprofile(None)
        try:
            names = code.co_varnames
            count = code.co_argcount
            args = [frame.f_locals[name] for name in names[:count]]
            named = {name: frame.f_locals[name] for name in names[count:count + code.co_kwonlyargcount]}
            at = count + code.co_kwonlyargcount
            if code.co_flags & 4:  # *args
                args.extend(frame.f_locals[names[at]])
                at += 1
            if code.co_flags & 8:  # **kwargs
                named.update(frame.f_locals[names[at]])
            raw = pickle.dumps((args, named))
            self.seen[n].setdefault(raw, (args, named) if len(raw) > 1 << 16 else pickle.loads(raw))
        except Exception:
            pass  # an input that cannot be kept
        finally:
            sys.setprofile(self.heard)


class Bounds:
    """What is true of all the values that stood in one place."""

    def __init__(self, values):
        flat = list(_inside(values))
        numbers = [v for v in flat if type(v) in (int, float)]
        self.least = min([0] + numbers) if not numbers else (0 if min(numbers) >= 0 else None)
        if numbers and min(numbers) > 0:
            self.least = 1
        lists = [v for v in values if type(v) in (list, tuple)]
        lists += [v for v in flat if type(v) in (list, tuple)]
        self.sorted = any(len(v) > 2 for v in lists) and all(_ordered(v) for v in lists)
        self.distinct = any(len(v) > 2 for v in lists) and all(_distinct(v) for v in lists)
        self.empty = any(len(v) == 0 for v in values if type(v) in (list, tuple, str, dict, set, frozenset))
        texts = [v for v in flat if type(v) is str]
        self.letters = sorted(set("".join(texts)))
        self.balanced = bool(texts) and all(_pairs(t) for t in texts) and any(c in "([{" for c in self.letters)


def _inside(values):
    for v in values:
        yield v
        if type(v) in (list, tuple, set, frozenset):
            yield from _inside(v)
        elif type(v) is dict:
            yield from _inside(v.keys())
            yield from _inside(v.values())


def _ordered(v):
    try:
        return all(a <= b for a, b in zip(v, v[1:]))
    except TypeError:
        return False


def _distinct(v):
    try:
        return len(set(v)) == len(v)
    except TypeError:
        return False


def _pairs(text):
    open_, close = "([{", ")]}"
    stack = []
    for c in text:
        if c in open_:
            stack.append(c)
        elif c in close and (not stack or open_.index(stack.pop()) != close.index(c)):
            return False
    return not stack


class Maker:
    """Makes values from values, always the same ones."""

    def __init__(self, calls):
        self.chance = random.Random(1)
        most = max(len(args) for args, _ in calls)
        self.bounds = [Bounds([args[i] for args, _ in calls if i < len(args)]) for i in range(most)]
        self.named = {}
        for _, named in calls:
            for name, value in named.items():
                self.named.setdefault(name, []).append(value)
        self.named = {name: Bounds(values) for name, values in self.named.items()}
        flat = list(_inside([v for args, named in calls for v in list(args) + list(named.values())]))
        self.numbers = sorted({v for v in flat if type(v) is int})  # one that stands in a list is often looked for in it

    def make(self, args, named):
        args, named = list(args), dict(named)
        places = [(args, i, self.bounds[i]) for i, v in enumerate(args) if type(v) in PLAIN] + [
            (named, name, self.named[name]) for name, v in named.items() if type(v) in PLAIN and name in self.named]
        if not places:
            return None
        for _ in range(self.chance.choice((1, 1, 2))):
            holder, key, bounds = self.chance.choice(places)
            holder[key] = self.value(holder[key], bounds, 0)
        return args, named

    def value(self, v, b, depth):
        kind = type(v)
        if kind is int:
            out = self.chance.choice((v + 1, v - 1, v * 2, v // 2, 0, 1, -v, self.chance.randrange(0, 20), self.chance.choice(self.numbers),
                                      self.chance.choice(self.numbers)))
            return out if b.least is None else max(out, b.least)
        if kind is float:
            out = self.chance.choice((v + 0.5, v - 1, v * 2, 0.0, -v))
            return out if b.least is None else max(out, float(b.least))
        if kind is str:
            return self.text(v, b)
        if kind in (list, tuple):
            out = self.elements(list(v), b, depth)
            if b.sorted and not _ordered(out):
                out = sorted(out)
            if b.distinct and not _distinct(out):
                out = [x for i, x in enumerate(out) if x not in out[:i]]
            return kind(out) if out or b.empty else v
        if kind is dict and v:
            out = dict(v)
            key = self.chance.choice(list(out))
            if self.chance.random() < 0.5 and (len(out) > 1 or b.empty):
                del out[key]
            else:
                out[key] = self.value(out[key], b, depth + 1)
            return out
        if kind in (set, frozenset) and v:
            out = set(v)
            out.discard(self.chance.choice(sorted(out, key=repr)))
            return kind(out) if out or b.empty else v
        return v

    def text(self, v, b):
        if not b.letters:
            return v
        at = self.chance.randrange(len(v) + 1)
        letter = self.chance.choice(b.letters)
        out = self.chance.choice((v[:at] + letter + v[at:], v[:at] + v[at + 1:], v + v, v[::-1], v[:at] + letter + v[at + 1:], ""))
        if not out and not b.empty or b.balanced and not _pairs(out):
            return v
        return out

    def elements(self, v, b, depth):
        if not v:
            return v
        i, j = self.chance.randrange(len(v)), self.chance.randrange(len(v))
        how = self.chance.randrange(6)
        if how == 0:
            return v[:i] + v[i + 1:]
        if how == 1:
            return v[:i] + [v[j]] + v[i:]
        if how == 2:
            v[i], v[j] = v[j], v[i]
            return v
        if how == 3:
            return v[::-1]
        if how == 4 and b.empty:
            return []
        if depth < 3 and type(v[i]) in PLAIN:
            v[i] = self.value(v[i], b, depth + 1)
        return v


def literal(text):
    """What a text says in the language's own words; of one with words behind it, the part before them."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        pass
    try:  # up to the end of the first value
        ast.parse(text, mode="eval")
    except SyntaxError as e:
        if e.lineno == 1 and e.offset and e.offset > 1:
            return ast.literal_eval(text[:e.offset - 1].rstrip(" ,;:("))
    raise ValueError(text)


def shown(units, examples):
    """The calls that documentation shows, as [number of the unit, arguments, named ones, what it says that comes of them]: those made of literals."""
    for name, args, want in examples:
        try:
            call = ast.parse("f(%s)" % args, mode="eval").body
            if not isinstance(call, ast.Call):
                continue
            given = [ast.literal_eval(a) for a in call.args]
            named = {k.arg: ast.literal_eval(k.value) for k in call.keywords if k.arg}
            want = literal(want)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
        for n, unit in enumerate(units):
            if unit.function.name == name:
                yield n, given, named, want


def gather(units, cases, chance, examples):
    """Inputs of the units' functions, as [number of the unit, text, pickle, pickle of what documentation says of them or None]: those of the tests
    first."""
    calls = Calls(units)
    for case in cases:
        chance.again()
        fuel.Tank(STEPS)
        with calls:
            case.run()
    fuel.unbounded()
    out, seen = [], set()

    def keep(n, args, named, *want):
        try:
            raw = pickle.dumps((args, named))
            said = base64.b64encode(pickle.dumps(want[0])).decode("ascii") if want else None
        except Exception:
            return
        text = written(units[n].function.name, args, named)
        if (n, raw) not in seen:
            seen.add((n, raw))
            out.append([n, text, base64.b64encode(raw).decode("ascii"), said])

    for n, args, named, want in shown(units, examples):
        keep(n, args, named, want)

    # In the order of their texts: the tests' own order tells of how long each took, and what is made must not depend on that.
    given = {n: sorted(c.values(), key=lambda call: written("", *call)) for n, c in calls.seen.items() if c}
    for n, some in given.items():
        for args, named in some:
            keep(n, args, named)
    for n, some in given.items():
        maker = Maker(some)
        most = min(len(out) + MADE, len(given) * (CALLS + MADE))
        for k in range(ROUNDS * MADE):  # many come out as one that is there
            if len(out) >= most:
                break
            args, named = pickle.loads(pickle.dumps(some[k % len(some)]))
            made = maker.make(args, named)
            if made is not None:
                keep(n, *made)
    return out


def written(name, args, named):
    parts = [short(a) for a in args] + ["%s=%s" % (k, short(v)) for k, v in named.items()]
    return "%s(%s)" % (name, ", ".join(parts))


def short(value):
    try:
        text = repr(value)
    except Exception:
        text = object.__repr__(value)
    return text if len(text) <= LONGEST else text[:LONGEST - 1] + "…"


class Untold(Exception):
    """A value of which nobody can tell whether it is another one's equal."""


def answers(units, inputs, chance):
    """What the units' functions answer, an input each: a text, a digest, and whether documentation says so: 0 nothing, 1 yes, 2 no. None where that
    cannot be told."""
    try:
        return _answers(units, inputs, chance)
    except Untold:
        return None


def _answers(units, inputs, chance):
    out = []
    for n, _, raw, said in inputs:
        args, named = pickle.loads(base64.b64decode(raw))
        before = pickle.dumps((args, named))
        chance.again()
        tank = fuel.Tank(STEPS)
        met = 0 if said is None else 2
        try:
            value = units[n].objects[0](*args, **named)
            if isinstance(value, types.GeneratorType):
                value = list(itertools.islice(value, ITEMS))
            text = whole(value)
            if said is not None and agree(value, pickle.loads(base64.b64decode(said))):
                met = 1
        except fuel.OutOfFuel:
            text = "no end"
        except Untold:
            raise
        except BaseException as e:
            text = type(e).__name__
        if tank.dry():
            text = "no end"
        fuel.unbounded()
        after = whole((args, named))
        changed = after != whole(pickle.loads(before))
        full = text + (" " + after if changed else "")
        digest = hashlib.blake2b(full.encode("utf-8", "replace"), digest_size=8).hexdigest()
        out.append({"text": text[:LONGEST], "digest": digest, "said": met})
    return out


def agree(value, said):
    """Whether a value is what was written down, by people who do not mind the kind of a list or the last digits of a fraction."""
    if isinstance(value, float) and isinstance(said, (int, float)) and type(said) is not bool:
        return value == said or abs(value - said) <= 5e-3 * abs(said)
    if isinstance(value, (list, tuple)) and isinstance(said, (list, tuple)):
        return len(value) == len(said) and all(agree(a, b) for a, b in zip(value, said))
    return type(value) is type(said) and value == said or value == said and type(value) is not bool and type(said) is not bool


def whole(value):
    """A value as a text in which equal values are equal: those without a text of their own by what they hold."""
    try:
        text = repr(value)
    except Exception as e:
        return type(e).__name__
    if " at 0x" in text:
        try:
            return hashlib.blake2b(pickle.dumps(value, 4), digest_size=8).hexdigest()
        except Exception:
            raise Untold
    return text
