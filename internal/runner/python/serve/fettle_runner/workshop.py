"""A changed source as code objects, put in the place of those that run.

Only the functions that a change touches are compiled, each in a stub that gives it the same meaning as its own place does. What cannot be had in that
way asks for the whole module to be imported again (Reload).
"""

import __future__
import ast
import gc
import hashlib
import marshal
import os
import re
import types

from . import fuel, source

FUTURES = 0
for _name in __future__.all_feature_names:
    FUTURES |= getattr(__future__, _name).compiler_flag

OPENS = re.compile(br"\b(for|while|def|lambda|class)\b")  # what brings steps of its own along


class Reload(Exception):
    """The change cannot be put in force in modules that have been imported; the text says why."""


def shape(code, without=None):
    """What a code object does: all of it but lines and places. The part called without counts as a blank."""
    if code is without:
        return b"here"
    constants = [shape(c, without) if isinstance(c, types.CodeType) else marshal.dumps(c, 2) for c in code.co_consts]
    return marshal.dumps((
        code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_argcount, getattr(code, "co_posonlyargcount", 0),
        code.co_kwonlyargcount, code.co_flags, code.co_name, getattr(code, "co_exceptiontable", b""), constants), 2)


def inside(code, path):
    """The code object at a path of names, or None if there is none or more than one."""
    for name in path:
        found = [c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name]
        if len(found) != 1:
            return None
        code = found[0]
    return code


def turn(edit):
    """In which order edits and steps come where they meet: what is inserted at either end of an expression that counts becomes a part of it."""
    start, end, new = edit
    if new is source.CLOSE:
        return start, 2
    if new is source.OPEN or new is source.BEFORE:
        return start, 0
    return start, 1 if start == end else 3


class Unit:
    """An outermost function as it is in the repository, and its function objects in this process."""

    def __init__(self, f, text, filename, flags):
        self.function, self.filename, self.flags = f, filename, flags
        self.start, self.end = f.start, f.end
        self.around = f.around()
        self.text = text[f.start:f.end]
        self.objects = []   # live functions that run its code
        self.bound = ""     # why a change to it cannot be put in force here; empty: it can
        self._base = None

    @property
    def base(self):
        """The steps to count, the shape of what is around the function's own code, and the shape of that."""
        if self._base is None:
            steps, whole, code = self.count(self.text)
            self._base = (steps, shape(whole, code), shape(code))
        return self._base

    def compile(self, text):
        whole = compile(self.around + text, self.filename, "exec", self.flags, True)
        code = inside(whole, self.function.path)
        if code is None:
            raise Reload(self.function.name + " is not there, or more than once")
        return whole, code

    def changed(self, edits):
        """The stub and the code with edits, which count from the function's start."""
        whole, code = self.compile_counted(edits)
        if shape(whole, code) == self.base[1]:
            return Swap(self, code)
        if len(ast.parse(self.around + source.splice(self.text, edits)).body) != 1 or self.function.classes:
            raise Reload("the change reaches beyond " + self.function.name)
        return Swap(self, code, whole)

    def compile_counted(self, edits):
        """Steps are taken over from the base where no edit covers one, which saves most of the time that a candidate takes."""
        steps = self.base[0]
        if not any(OPENS.search(new) for _, _, new in edits) and not any(s < at < e for at, _, _ in steps for s, e, _ in edits):
            try:
                return self.compile(source.splice(self.text, sorted(edits + steps, key=turn)))
            except SyntaxError:
                pass  # the edit's own, or a step's that is in its way now
        return self.count(source.splice(self.text, edits))[1:]

    def count(self, text):
        """The steps to count in a text of the function, its stub and its code. A SyntaxError is the text's own."""
        stub, at = self.around + text, len(self.around)
        steps = [(offset - at, offset - at, new) for offset, new in source.steps(stub, ast.parse(stub))]
        try:
            return (steps, *self.compile(source.splice(text, steps)))
        except SyntaxError:  # where a step cannot stand none is counted, and the clock has to do
            return ([], *self.compile(text))


class Swap:
    """A unit's code to be exchanged; with its defaults, if a whole stub is given."""

    def __init__(self, unit, code, whole=None):
        self.unit, self.code, self.whole = unit, code, whole
        self.shape = shape(code)
        self.same = whole is None and self.shape == unit.base[2]
        self.undo = []

    def key(self):
        return (self.unit.filename, self.unit.start, self.shape, shape(self.whole, self.code) if self.whole else b"")

    def apply(self):
        unit = self.unit
        if unit.bound:
            raise Reload(unit.bound)
        made = self.execute() if self.whole else None
        for f in unit.objects:
            if len(f.__code__.co_freevars) != len(self.code.co_freevars) or f.__code__.co_freevars != self.code.co_freevars:
                raise Reload("%s has other variables from around it" % unit.function.name)
        for f in unit.objects:
            self.undo.append((f, f.__code__, f.__defaults__, f.__kwdefaults__))
            f.__code__ = self.code
            if made is not None:
                f.__defaults__, f.__kwdefaults__ = made.__defaults__, made.__kwdefaults__

    def execute(self):
        """The function as its definition makes it now: its defaults are evaluated among the names of its module."""
        names = {}
        fuel.Tank(100000)
        try:
            exec(self.whole, self.unit.objects[0].__globals__, names)
        except Exception as e:
            raise Reload("its definition fails: %s" % e)
        return names[self.unit.function.name]

    def restore(self):
        for f, code, defaults, kwdefaults in self.undo:
            f.__code__, f.__defaults__, f.__kwdefaults__ = code, defaults, kwdefaults


class File:
    """A source file and its units."""

    def __init__(self, path, called, by_file):
        self.path = path
        with open(path, "rb") as f:
            text = f.read()
        source.check_encoding(text)
        self.shift = len(source.BOM) if text.startswith(source.BOM) else 0
        self.text = text = text[self.shift:]
        tree = ast.parse(text)
        flags = 0
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for alias in node.names:
                    flags |= getattr(getattr(__future__, alias.name, None), "compiler_flag", 0)
        self.units = [Unit(f, text, path, flags) for f in source.functions(text, tree)]
        for unit in self.units:
            self.settle(unit, called, by_file.get(path, ()))

    @staticmethod
    def settle(unit, called, live):
        """Finds the unit's function objects, and whether changing them is enough."""
        f = unit.function
        for g in live:
            code = g.__code__
            if code.co_name == f.name and code.co_firstlineno == f.first_line:
                unit.objects.append(g)
            elif f.line <= code.co_firstlineno <= f.end_line:
                unit.bound = "functions that %s has made are in use" % f.name
        if not unit.objects:
            unit.bound = f.name + " has not been imported"
        elif any(f.first_line <= line <= f.end_line for line in called.get(unit.filename, ())):
            unit.bound = f.name + " is called while modules are imported"

    def warm(self, start, end):
        """Sees to what a change there will be compared with. Whether it had not been seen to before."""
        unit = self.unit_of(start - self.shift, end - self.shift)
        fresh = unit._base is None
        return unit.base is not None and fresh

    def unit_of(self, start, end):
        for unit in self.units:
            if unit.start <= start and end <= unit.end:
                return unit
        raise Reload("the change is outside of functions")


class Workshop:
    """Makes changes out of candidates. called are the lines of functions, by file, that were called while modules were imported."""

    def __init__(self, owned, called):
        self.called = called
        self.files = {}
        self.by_file = {}
        real = {}
        for thing in gc.get_objects():
            if isinstance(thing, types.FunctionType):
                name = thing.__code__.co_filename
                if name not in real:
                    path = os.path.realpath(name)
                    real[name] = path if owned(path) else None
                if real[name]:
                    self.by_file.setdefault(real[name], []).append(thing)

    def file(self, path):
        if path not in self.files:
            self.files[path] = File(path, self.called, self.by_file)
        return self.files[path]

    def make(self, files):
        """The change that edits to files make. A SyntaxError is the candidate's; Reload where it cannot be had so."""
        by_unit = {}
        for path, edits in files:
            if edits is None:
                raise Reload("a file is made or removed")
            try:
                f = self.file(path)
            except (source.Unreadable, SyntaxError, OSError) as e:
                raise Reload(str(e))
            for start, end, new in edits:
                unit = f.unit_of(start - f.shift, end - f.shift)
                at = unit.start + f.shift
                by_unit.setdefault(unit, []).append((start - at, end - at, new.encode("utf-8")))
        return Change([unit.changed(edits) for unit, edits in by_unit.items()])


class Change:
    def __init__(self, swaps):
        self.swaps = swaps
        self.same = all(s.same for s in swaps)

    def key(self):
        """Equal for changes that do the same."""
        return hashlib.blake2b(repr(sorted(s.key() for s in self.swaps)).encode(), digest_size=10).hexdigest()

    def apply(self):
        try:
            for s in self.swaps:
                s.apply()
        except BaseException:
            self.restore()
            raise

    def restore(self):
        for s in self.swaps:
            s.restore()
