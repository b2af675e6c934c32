"""The types of the values that expressions have while tests run.

Functions are compiled once more with every expression wrapped in a call of a recorder, and their code is exchanged for that.
"""

import ast
import builtins

from . import fuel, source
from .workshop import inside

RECORD = "__fettle_value__"

SAMPLES = 40   # values of each expression that are looked at
VALUED = 50000  # values that are not looked at any more before a test is ended: the first ones tell enough
INSIDE = 8     # elements of a container that are looked at
CONTAINERS = (list, set, frozenset, tuple)


def type_name(value, depth=2):
    """A value's type as people write it, with the types of what a container holds: "list[int]", "dict[str, list[int]]"."""
    kind = type(value)
    name = kind.__qualname__
    if depth and kind is dict:
        keys, values = _of(list(_few(value)), depth), _of([value[k] for k in _few(value)], depth)
        return "dict[%s, %s]" % (keys, values) if keys and values else name
    if depth and kind is tuple and len(value) <= INSIDE:
        return "tuple[%s]" % (", ".join(type_name(v, depth - 1) for v in value) or "()")
    if depth and kind in CONTAINERS:
        held = _of(_few(value), depth)
        if kind is tuple:
            held += ", ..."
        return "%s[%s]" % (name, held) if held else name
    return name


def _few(container):
    out = []
    for x in container:
        out.append(x)
        if len(out) == INSIDE:
            break
    return out


def _of(values, depth):
    return " | ".join(sorted({type_name(v, depth - 1) for v in values}))


class Recorder:
    def __init__(self):
        self.places = []  # (file, start, end)
        self.left = []    # how many more values of each are looked at
        self.types = []

    def place(self, path, start, end):
        self.places.append((path, start, end))
        self.left.append(SAMPLES)
        self.types.append(set())
        return len(self.places) - 1

    def install(self):
        left, types = self.left, self.types
        enough = fuel.limited(VALUED)

        def record(n, value):
            if left[n]:
                left[n] -= 1
                try:
                    types[n].add(type_name(value))
                except RuntimeError:  # changed by somebody else meanwhile
                    pass
            else:
                enough()
            return value
        setattr(builtins, RECORD, record)

    def told(self, relative):
        out = []
        for (path, start, end), types in zip(self.places, self.types):
            if types:
                out.append([relative(path), start, end, sorted(types)])
        return out


class _Wrap(ast.NodeTransformer):
    """Wraps expressions of a function, whose places are counted from the beginning of the stub."""

    def __init__(self, recorder, unit, lines, shift):
        self.recorder, self.unit, self.lines = recorder, unit, lines
        self.shift = shift  # from offsets in the stub to those in the file

    def call(self, node, value):
        n = self.recorder.place(self.unit.filename, self.lines.start(node) + self.shift, self.lines.end(node) + self.shift)
        call = ast.Call(func=ast.Name(id=RECORD, ctx=ast.Load()), args=[ast.Constant(value=n, kind=None), value], keywords=[])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def visit(self, node):
        if isinstance(node, source.FORMATTED + (ast.Constant, ast.Slice)) or type(node).__name__ in ("MatchValue", "MatchMapping", "MatchClass", "ExtSlice", "Index"):
            if type(node).__name__ in ("ExtSlice", "Index", "Slice"):
                return self.generic_visit(node)
            return node
        if isinstance(node, source.FUNCTIONS):
            return self.function(node)
        if isinstance(node, ast.Call):
            node.func = self.generic_visit(node.func) if isinstance(node.func, ast.Attribute) else node.func if isinstance(node.func, ast.Name) else self.visit(node.func)
            node.args = [self.visit(a) for a in node.args]
            node.keywords = [self.visit(k) for k in node.keywords]
            return self.call(node, node)
        if isinstance(node, ast.AnnAssign):
            node.value = node.value and self.visit(node.value)
            return node
        self.generic_visit(node)
        if isinstance(node, ast.expr) and not isinstance(node, (ast.Starred, ast.Lambda, ast.Yield, ast.YieldFrom, ast.Await)) \
                and isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
            return self.call(node, node)
        return node

    def function(self, node):
        """Its body, and its parameters as they come in. Its definition stays as it is."""
        node.body = [self.visit(s) for s in node.body]
        heard = []
        a = node.args
        for arg in getattr(a, "posonlyargs", []) + a.args + a.kwonlyargs + [x for x in (a.vararg, a.kwarg) if x]:
            end = self.lines.start(arg) + len(arg.arg.encode())
            n = self.recorder.place(self.unit.filename, self.lines.start(arg) + self.shift, end + self.shift)
            call = ast.Call(func=ast.Name(id=RECORD, ctx=ast.Load()), args=[ast.Constant(value=n, kind=None), ast.Name(id=arg.arg, ctx=ast.Load())], keywords=[])
            heard.append(ast.fix_missing_locations(ast.copy_location(ast.Expr(value=call), arg)))
        at = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body[at:at] = heard
        return node


def listen(files, lines_of, recorder):
    """Exchanges the code of every function that ran one of these lines for one that tells its values to the recorder."""
    recorder.install()
    for f in files:
        ran = lines_of(f)
        for unit in f.units:
            if any(unit.function.line <= line <= unit.function.end_line for line in ran):
                _listen(unit, f.shift, recorder)


def _listen(unit, bom, recorder):
    stub = unit.around + unit.text
    tree = ast.parse(stub)
    shift = unit.start - len(unit.around) + bom
    tree = _Wrap(recorder, unit, source.Lines(stub), shift).visit(tree)
    try:
        code = inside(compile(tree, unit.filename, "exec", unit.flags, True), unit.function.path)
        for g in unit.objects if code is not None else ():
            g.__code__ = code
    except (SyntaxError, ValueError, TypeError, RecursionError):
        pass  # an odd function whose values nobody learns
