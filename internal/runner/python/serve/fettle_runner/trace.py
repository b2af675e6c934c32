"""What one test ran, where it failed, and of what types the values were that it saw."""

import os
import sys
import threading
import time

from . import fuel
from .items import FAILED, REPORTS

MONITORING = getattr(sys, "monitoring", None)


class Lines:
    """Notes the lines that run in files of the repository's own, while it is in force."""

    def __init__(self, owned, imports):
        self.owned, self.imports = owned, imports
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
        """Stretches of lines by file, with what the imports of these files ran."""
        ran = {}
        for name, lines in self.files.items():
            if lines:
                path = os.path.realpath(name)
                ran.setdefault(path, set()).update(lines)
                for other, more in self.imports.around(path).items():
                    ran.setdefault(other, set()).update(more)
        return {relative(path): stretches(lines) for path, lines in ran.items() if lines}


def stretches(lines):
    out = []
    for line in sorted(lines):
        if out and out[-1][1] == line - 1:
            out[-1][1] = line
        else:
            out.append([line, line])
    return out


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


def run(case, owned, imports, relative, place):
    """Runs a test by pytest's whole protocol and tells about it. relative and place give a path from the root, the latter None for what is not ours."""
    case.way = "protocol"
    REPORTS.excinfo = None
    lines = Lines(owned, imports)
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
