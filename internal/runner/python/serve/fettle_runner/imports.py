"""What files of the repository do while they are imported: each test's process has done it, whatever the test itself runs."""

import ast
import os
import sys
from importlib.util import resolve_name

from . import source


class Imports:
    """owned tells sources of the repository by their real paths; called are the first lines of functions, by real path, that imports called."""

    def __init__(self, owned, called):
        self.owned, self.called = owned, called
        self.trees, self.ran, self.lenders = {}, {}, {}
        self.modules = None

    def around(self, path):
        """By real path the lines that imports ran of a source, and of those others that make what it takes from them by name."""
        if path not in self.lenders:
            self.lenders[path] = self.lent(path)
        out = {path: self.lines(path)}
        for lender, names in self.lenders[path].items():
            out[lender] = self.lines(lender, names)
        return out

    def lines(self, path, names=None):
        """Lines of statements outside of functions that do more than to define or to import, and of the functions that were called meanwhile. With names,
        of those statements that make one of these, and of what may have filled it."""
        if (path, names) not in self.ran:
            reader = Reader(self.called.get(path, ()))
            reader.read(self.tree(path).body, names)
            self.ran[path, names] = reader.made | (reader.did if names is None or reader.made else set())
        return self.ran[path, names]

    def tree(self, path):
        """The syntax of a file, or that of nothing if it cannot be had."""
        if path not in self.trees:
            try:
                with open(path, "rb") as f:
                    self.trees[path] = ast.parse(f.read())
            except (OSError, SyntaxError, ValueError):
                self.trees[path] = ast.Module([], [])
        return self.trees[path]

    def lent(self, path):
        """What a source imports of others by name: by their real paths the names, or None for all of them."""
        if self.modules is None:
            files = [(m, getattr(m, "__file__", None)) for m in list(sys.modules.values())]
            self.modules = {os.path.realpath(f): m for m, f in files if isinstance(f, str)}
        package = getattr(self.modules.get(path), "__package__", None) or ""
        out, bound = {}, {}
        for node in ast.walk(self.tree(path)):
            if isinstance(node, ast.Import):
                bound.update((a.asname or a.name, a.name) for a in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = resolved(node, package)
                for a in node.names:
                    if base + "." + a.name in sys.modules:
                        bound[a.asname or a.name] = base + "." + a.name
                    else:
                        out.setdefault(base, set()).add(a.name)
        for node in ast.walk(self.tree(path)):
            if isinstance(node, ast.Attribute) and dotted(node.value) in bound:
                out.setdefault(bound[dotted(node.value)], set()).add(node.attr)
        lenders = {}
        for name, names in out.items():
            at = getattr(sys.modules.get(name), "__file__", None)
            lender = os.path.realpath(at) if isinstance(at, str) else None
            if lender and lender != path and self.owned(lender):
                lenders[lender] = None if "*" in names else frozenset(names)
        return lenders


class Reader:
    """Reads what a module's import has done: made are the lines that made what was asked for, did those that may have changed it."""

    def __init__(self, called):
        self.called, self.made, self.did = called, set(), set()

    def read(self, body, names):
        for node in body:
            if isinstance(node, source.FUNCTIONS):
                if wants(names, {node.name}):
                    for value in node.args.defaults + [d for d in node.args.kw_defaults if d] + node.decorator_list:
                        self.made.update(span(value))
                if min(d.lineno for d in node.decorator_list + [node]) in self.called:
                    self.did.update(*[span(n) for n in node.body if not isinstance(n, source.FUNCTIONS) and not said(n)])
                    self.read(inside(node, source.FUNCTIONS), None)
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                if wants(names, {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}):
                    self.made.update(span(node))
            elif isinstance(node, ast.ClassDef):
                if wants(names, {node.name}):
                    self.read(inside(node, ast.stmt), None)
            elif isinstance(node, ast.Expr):
                if isinstance(node.value, ast.Call):
                    self.did.update(span(node))
            elif not isinstance(node, (ast.Import, ast.ImportFrom)):
                self.read(inside(node, (ast.stmt, ast.ExceptHandler)), names)


def wants(names, made):
    """Whether something is asked for that is made; everything is where there are no names."""
    return names is None or not names.isdisjoint(made)


def resolved(node, package):
    """The full name of the module that an import takes names from; empty: there is none."""
    try:
        return resolve_name("." * node.level + (node.module or ""), package)
    except (ImportError, ValueError):  # of older versions
        return ""


def dotted(node):
    """A name with its members, such as a.b; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and dotted(node.value):
        return dotted(node.value) + "." + node.attr
    return ""


def span(node):
    return range(node.lineno, node.end_lineno + 1)


def said(node):
    """Whether a statement is a text or a number alone, as documentation is."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def inside(node, kinds):
    return [n for n in ast.iter_child_nodes(node) if isinstance(n, kinds)]
