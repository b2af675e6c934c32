"""The text of a source file: its outermost functions, and the places where steps are counted.

All offsets are bytes of UTF-8, as the ast module counts them too.
"""

import ast
import re

from .fuel import STEP

CALL = STEP.encode() + b"()"
BEFORE = CALL + b"; "
OPEN, CLOSE = b" " + CALL + b" or (", b")"  # the blank is for what stands close to a keyword: if(x)

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
CATCHING = ("Try", "TryStar", "With", "AsyncWith")
FORMATTED = tuple(getattr(ast, name) for name in ("JoinedStr", "TemplateStr") if hasattr(ast, name))

BOM = b"\xef\xbb\xbf"
COOKIE = re.compile(br"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")


class Unreadable(ValueError):
    """The source is not UTF-8, so that offsets in it are not those of its syntax tree."""


def check_encoding(text):
    for line in text.split(b"\n", 2)[:2]:
        found = COOKIE.match(line)
        if found and found.group(1).lower().replace(b"_", b"-") not in (b"utf-8", b"utf8", b"ascii", b"us-ascii"):
            raise Unreadable("the source is in " + found.group(1).decode("ascii", "replace"))


class Lines:
    """Where each line begins."""

    def __init__(self, text):
        self.starts = [0]
        for found in re.finditer(b"\r\n|\r|\n", text):
            self.starts.append(found.end())

    def offset(self, line, column):
        return self.starts[line - 1] + column

    def start(self, node):
        return self.offset(node.lineno, node.col_offset)

    def end(self, node):
        return self.offset(node.end_lineno, node.end_col_offset)


def splice(text, edits):
    """The text with (start, end, new) replaced, which are in order and do not overlap."""
    parts, at = [], 0
    for start, end, new in edits:
        parts += (text[at:start], new)
        at = end
    parts.append(text[at:])
    return b"".join(parts)


def outside_formatted(tree):
    """Every node but those inside formatted strings, which old Pythons give wrong places."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, FORMATTED):
            todo.extend(ast.iter_child_nodes(node))


def steps(text, tree):
    """What to insert, as (offset, text) in order, so that steps are counted: no line gets another number by it."""
    found = _Steps(Lines(text)).of(tree)
    found.sort(key=lambda x: x[0])
    return found


class _Steps:
    def __init__(self, lines):
        self.lines, self.found = lines, []

    def of(self, tree):
        for node in outside_formatted(tree):
            if isinstance(node, FUNCTIONS):
                self.enter(node.body, is_function=True)
            elif isinstance(node, ast.While) and type(node.body[0]).__name__ in CATCHING:
                self.wrap(node.test)  # in the body, it could be caught for ever
            elif isinstance(node, LOOPS):
                self.enter(node.body)
            elif isinstance(node, ast.Lambda):
                self.wrap(node.body)
            elif isinstance(node, COMPREHENSIONS):
                for part in node.generators:
                    if part.ifs:
                        self.wrap(part.ifs[0])
                if not node.generators[-1].ifs:
                    self.wrap(node.key if isinstance(node, ast.DictComp) else node.elt)
        return self.found

    def enter(self, body, is_function=False):
        """Counts whoever enters the body: before its first statement, or with the first expression that this one evaluates."""
        for i, node in enumerate(body):
            if i == 0 and is_function and isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str):
                continue  # its docstring must stay first
            if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
                continue  # nothing can stand before it on its line; what follows does
            if isinstance(node, ast.If):
                self.wrap(node.test)
            elif isinstance(node, (ast.For, ast.AsyncFor)):
                self.wrap(node.iter)
            elif isinstance(node, (ast.With, ast.AsyncWith)):
                self.wrap(node.items[0].context_expr)
            elif type(node).__name__ in ("Try", "TryStar"):
                self.enter(node.body)
            elif type(node).__name__ == "Match":
                self.wrap(node.subject)
            elif not isinstance(node, ast.While):  # that counts by itself
                self.found.append((self.lines.start(node), BEFORE))
            return

    def wrap(self, node):
        self.found.append((self.lines.start(node), OPEN))
        self.found.append((self.lines.end(node), CLOSE))


def counted(text):
    """The source with steps counted. A SyntaxError is one of the text."""
    check_encoding(text)
    bom = BOM if text.startswith(BOM) else b""
    text = text[len(bom):]
    return bom + splice(text, [(at, at, new) for at, new in steps(text, ast.parse(text))])


class Function:
    """An outermost function of a source: not inside another one."""

    def __init__(self, node, classes, lines, text):
        self.name = node.name
        self.classes = classes  # names of the classes around it
        self.start, self.end = lines.start(node), lines.end(node)
        self.first_line = min([node.lineno] + [d.lineno for d in node.decorator_list])  # as its code object has it
        self.line, self.end_line = node.lineno, node.end_lineno
        self.node = node
        line = text.rfind(b"\n", 0, self.start) + 1
        self.indent = text[line:self.start]

    @property
    def path(self):
        return self.classes + (self.name,)

    def around(self):
        """The text to put before the function's own, so that it means what it means in its place: its names, and those of its classes."""
        head = b"".join(b" " * i + b"class " + c.encode() + b":\n" for i, c in enumerate(self.classes))
        if self.indent and not self.classes:
            head = b"if 1:\n"
        return head + self.indent


def functions(text, tree):
    """The outermost functions, in order."""
    found, lines = [], Lines(text)

    def look(body, classes):
        for node in body:
            if isinstance(node, FUNCTIONS):
                found.append(Function(node, classes, lines, text))
            elif isinstance(node, ast.ClassDef):
                look(node.body, classes + (node.name,))
            else:
                for block in ("body", "orelse", "finalbody"):
                    look(getattr(node, block, ()), classes)
                for handler in getattr(node, "handlers", ()):
                    look(handler.body, classes)

    look(tree.body, ())
    found.sort(key=lambda f: f.start)
    return found
