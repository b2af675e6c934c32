"""What one test ran, where it failed, and of what types the values were that it saw."""

import ast
import functools
import os
import sys
import threading
import time

from . import fuel, source
from .items import FAILED, REPORTS

MONITORING = getattr(sys, "monitoring", None)


class Lines:
    """Notes the lines that run in files of the repository's own, while it is in force."""

    def __init__(self, owned, called):
        self.owned, self.called = owned, called
        self.files = {}  # by file name as code objects have it: a set of lines, or None for a file that is not ours

    def of(self, name):
        try:
            return self.files[name]
        except KeyError:
            self.files[name] = found = set() if self.owned(os.path.realpath(name)) else None
            return found

    def __enter__(self):
        if MONITORING is not None:
            self.tool = next(t for t in (3, 4, 1, 5, 2) if MONITORING.get_tool(t) is None)
            MONITORING.use_tool_id(self.tool, "fettle")
            MONITORING.register_callback(self.tool, MONITORING.events.LINE, self.on_line)
            MONITORING.set_events(self.tool, MONITORING.events.LINE)
        else:
            threading.settrace(self.on_call)
            sys.settrace(self.on_call)
        return self

    def __exit__(self, *ignored):
        if MONITORING is not None:
            MONITORING.set_events(self.tool, 0)
            MONITORING.free_tool_id(self.tool)
        else:
            sys.settrace(None)
            threading.settrace(None)

    def on_line(self, code, line):
        lines = self.of(code.co_filename)
        if lines is not None:
            lines.add(line)
        return MONITORING.DISABLE  # once is enough for each line

    def on_call(self, frame, event, arg):
        lines = self.of(frame.f_code.co_filename)
        if lines is None:
            return None

        def on_event(frame, event, arg):
            if event == "line":
                lines.add(frame.f_lineno)
            return on_event
        return on_event

    def spans(self, relative):
        """Stretches of lines by file, with what the import of each of these files ran."""
        out = {}
        for name, lines in self.files.items():
            if lines:
                path = os.path.realpath(name)
                out[relative(path)] = stretches(lines | imported(path, frozenset(self.called.get(path, ()))))
        return out


def stretches(lines):
    out = []
    for line in sorted(lines):
        if out and out[-1][1] == line - 1:
            out[-1][1] = line
        else:
            out.append([line, line])
    return out


@functools.cache
def imported(name, called):
    """Lines of statements outside of functions that do more than to define or to import, and of the functions, by their first lines, that were called
    meanwhile: each test's process has run them."""
    try:
        with open(name, "rb") as f:
            todo = list(ast.parse(f.read()).body)
    except (OSError, SyntaxError, ValueError):
        return set()
    found = set()
    while todo:
        node = todo.pop()
        if isinstance(node, source.FUNCTIONS):
            for value in node.args.defaults + [d for d in node.args.kw_defaults if d] + node.decorator_list:
                found.update(span(value))
            if min(d.lineno for d in node.decorator_list + [node]) in called:
                found.update(*[span(n) for n in node.body if not isinstance(n, source.FUNCTIONS) and not said(n)])
                todo.extend(inside(node, source.FUNCTIONS))
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            found.update(span(node))
        elif not isinstance(node, (ast.Import, ast.ImportFrom, ast.Expr)):
            todo.extend(inside(node, (ast.stmt, ast.ExceptHandler)))
    return found


def span(node):
    return range(node.lineno, node.end_lineno + 1)


def said(node):
    """Whether a statement is a text or a number alone, as documentation is."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def inside(node, kinds):
    return [n for n in ast.iter_child_nodes(node) if isinstance(n, kinds)]


def frames(error, relative):
    """The stack of an exception inside the repository, innermost first, and then those of the exceptions that it came from."""
    out, seen = [], set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        stack, at = [], error.__traceback__
        while at is not None:
            path = relative(os.path.realpath(at.tb_frame.f_code.co_filename))
            if path is not None:
                stack.append([path, at.tb_lineno, at.tb_frame.f_code.co_name])
            at = at.tb_next
        out.extend(reversed(stack))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return out[:200]


def run(case, owned, called, relative, place):
    """Runs a test by pytest's whole protocol and tells about it. called are the first lines of functions, by file, that imports called; relative and place
    give a path from the root, the latter None for what is not ours."""
    case.way = "protocol"
    REPORTS.excinfo = None
    lines = Lines(owned, called)
    began = time.perf_counter()
    with lines:
        outcome = case.run()
    took = time.perf_counter() - began
    fuel.unbounded()
    reply = {"id": case.id, "outcome": outcome, "us": int(took * 1e6), "lines": lines.spans(relative)}
    if outcome == FAILED and REPORTS.excinfo is not None:
        reply["cut"] = isinstance(REPORTS.excinfo.value, fuel.OutOfFuel)
        reply["frames"] = frames(REPORTS.excinfo.value, place)
    return reply
