"""The process that has collected the tests and forks a child for each few candidates."""

import gc
import importlib
import os
import pathlib
import re
import shutil
import signal
import sys
import time

from . import child, compare, fuel, kept, trace, values
from .imports import Imports
from .items import FAILED, PASSED, REPORTS, Case, TestCaseFunction, foreign_hooks, terse, ways
from .state import Chance, Snapshot
from .trial import AMOUNTS, Tests, Trial
from .workshop import Reload, Workshop

FACTOR, EXTRA = 20, 20000  # steps that a candidate may take: so many times what the tests took before, and some more
AGAIN = 10                 # times as many for a candidate that heals something and then runs dry
MEASURE = 3000000          # steps when nothing is known yet
COMPANY = 100              # tests that one runs behind which passes alone
COMPARED = 40              # passing tests whose inputs are used to compare candidates
AGREE = 100000             # steps for a test that did not end with those, to see that it does not end in another way either
TRACED, CUT = 1000000, 100000  # steps while all lines are heard, which is slow; of one that fails, and perhaps never ends, the first ones tell enough
SECONDS, MORE = 20, 1.0    # the same of CPU time, for loops that count no steps, or whose steps are slow: those that read a file, say
CPU = {"steps": 0.1, "more": MORE, "long": 3.0}  # … for a test of a candidate, by the steps that it may take
UNKNOWN = 0.1              # seconds for a test that did not end
OTHERS = 5                 # times what the slowest of all takes: so long may one take that failed early
WAIT = 3.0                 # seconds more for what uses no CPU time


def identify(settings, items):
    """The ids of items, in the form in which fettle names tests: the file by its path from the root."""
    known = {}
    for item in items:
        if settings.dotted:
            if isinstance(item, TestCaseFunction):
                known.setdefault("%s.%s.%s" % (item.cls.__module__, item.cls.__qualname__, item.name), item)
            continue
        path = os.path.realpath(str(getattr(item, "path", None) or item.fspath))
        rest = item.nodeid.partition("::")[2]
        known.setdefault(os.path.relpath(path, settings.root).replace(os.sep, "/") + ("::" + rest if rest else ""), item)
    return known


def bare(ident):
    """An id without what reports write in other ways."""
    return re.sub(r"#x[0-9A-F]{2,4}|[^\x21-\x7e]|\\x..|\\[ntr]", "", ident)


def wanted(settings, known):
    """The wanted items with the ids that they were asked for by."""
    found, left = {}, []
    if settings.most:
        return {item: ident for ident, item in list(known.items())[:settings.most]}
    for ident in settings.ids:
        if ident in known:
            found.setdefault(known[ident], ident)
        else:
            left.append(ident)
    if settings.dotted:  # the name of a module depends on where a discovery begins
        for ident in left:
            items = [i for full, i in known.items() if i not in found and (full.endswith("." + ident) or ident.endswith("." + full))]
            if len(items) == 1:
                found[items[0]] = ident
    elif left:
        rough = {}
        for ident, item in known.items():
            rough.setdefault(bare(ident), []).append(item)
        for ident in left:
            items = [i for i in rough.get(bare(ident), ()) if i not in found]
            if len(items) == 1:
                found[items[0]] = ident
    return found


def planned(plan, cases):
    """The failing and the passing tests of a plan, with their fuel, and the seconds of CPU time that they took."""
    failing, passing = [], []
    for group, out in ((plan["failing"], failing), (plan["passing"], passing)):
        for ident, reply in group:
            missing = [i for i in [ident] + reply.get("behind", []) if i not in cases]
            if missing:
                raise LookupError("%s is not collected any more" % missing[0])
            case = cases[ident]
            case.behind = [cases[i] for i in reply.get("behind", ())]
            case.way, case.used, case.dry, case.seconds = reply["way"], reply["steps"], reply["dry"], reply["s"]
            out.append(case)
    most = max([c.used for c in failing + passing if not c.dry] or [0])
    slowest = max([c.seconds for c in failing + passing if not c.dry] or [0])
    for case in failing + passing:
        seconds = SECONDS * (0 if case.dry else case.seconds)
        if case in failing:
            seconds = max(seconds, OTHERS * slowest)
        case.cpu = {amount: seconds + more for amount, more in CPU.items()}
        case.steps = EXTRA + FACTOR * (most if case in failing else case.used)
        case.more = AGAIN * case.steps
        case.long = max(case.more, MEASURE)
    return failing, passing, sum(c.seconds for c in failing + passing if not c.dry)


def touched(plan):
    """The files that the tests of a plan change by themselves."""
    return {path for _, reply in plan["failing"] + plan["passing"] for path in reply.get("touches") or ()}


def modules_of(settings):
    """The modules that tests and sources live in."""
    return [m for m in list(sys.modules.values()) if getattr(m, "__file__", None) and settings.relative(os.path.realpath(m.__file__))]


class Warm:
    """wire leads to whoever asks, boss to the process that this one was forked from."""

    def __init__(self, settings, wire, boss, loader):
        self.settings, self.wire, self.boss, self.loader = settings, wire, boss, loader
        self.called = {}
        self.borrowed = Imports(settings.owned, self.called)
        self.trial = None
        self.began, self.environ = time.process_time(), dict(os.environ)
        fuel.watch(self.heard)

    def heard(self):
        """A step during imports: whatever functions run now, a change to them has to be seen by these imports too."""
        code = sys._getframe(1).f_code
        if code.co_name != "<module>":
            self.called.setdefault(os.path.realpath(code.co_filename), set()).add(code.co_firstlineno)

    def collected(self, session, errors):
        fuel.unbounded()
        config = session.config
        quiet(config, self.settings.scratch)
        found = wanted(self.settings, identify(self.settings, session.items))
        self.cases = {ident: Case(item, ident) for item, ident in found.items()}
        self.turn = {item: n for n, item in enumerate(session.items)}
        self.foreign = foreign_hooks(config)
        self.survey()
        self.boss.send({"hello": {
            "python": "%d.%d.%d" % sys.version_info[:3], "found": list(self.cases), "errors": errors[:20],
            "python_files": self.settings.python_files, "hooks": self.foreign}, "collect": time.process_time() - self.began,
            "modules": [] if dict(os.environ) != self.environ else [name for name, m in sys.modules.items() if self.foreign_module(m)]})
        while True:
            request = self.boss.receive()
            if request is None:
                return
            out = getattr(self, "do_" + request["do"])(request) or {}
            self.boss.send(dict(out, done=True))

    def foreign_module(self, m):
        """Whether a module is somebody else's, so that it is the same whatever a candidate changes."""
        path = getattr(m, "__file__", None) or getattr(getattr(m, "__spec__", None), "origin", None) or ""
        return bool(path) and not os.path.realpath(path).startswith(self.settings.root + os.sep) or self.settings.relative(os.path.realpath(path)) is None

    def survey(self):
        """Looks at what has been imported, and takes it out of the garbage collector's way: children would copy it all."""
        gc.unfreeze()
        gc.collect()
        self.workshop = Workshop(self.settings.owned, self.called)
        gc.freeze()

    def read(self, paths, spans=()):
        """Reads source files here, and what the functions at these places of (path, start, end) come to, so that not every child does. Whatever is wrong
        with one of them is for the child to say that it matters to."""
        known = len(self.workshop.files)
        for path in paths:
            try:
                self.workshop.file(path)
            except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
                pass
        fresh = len(self.workshop.files) > known
        for path, start, end in spans:
            try:
                fresh |= self.workshop.files[path].warm(start, end)
            except (LookupError, Reload, ValueError, SyntaxError, RecursionError, MemoryError):
                pass
        if fresh:
            gc.freeze()

    def run(self, jobs):
        return child.run(jobs, self.boss.reader)

    # Measuring.

    def do_measure(self, request):
        """Which tests come out as they should when they are run alone, in which way, and with how many steps."""
        failing = [i for i in request["failing"] if i in self.cases]
        passing = [i for i in request["passing"] if i in self.cases]
        budget = request["seconds"]
        first = self.measure(failing)
        if request["company"]:
            first.update(self.measure_behind([i for i, reply in first.items() if reply["outcome"] == PASSED]))
        for ident, reply in first.items():
            self.wire.send({"measured": ident, "reply": reply})
        second = self.measure(passing, budget)
        for ident, reply in second.items():
            self.wire.send({"measured": ident, "reply": reply})

    def measure(self, idents, budget=None):
        """How these tests come out, by their ids: within a budget of seconds one after another, else each in a process of its own."""
        out, spent = {}, 0.0
        jobs, order = [], []
        for ident in idents:
            case = self.cases[ident]
            jobs.append(child.Job(lambda case=case: (self.measured(case), budget is not None), 10.0, 15.0))
            order.append(ident)
        for ident, reply in zip(order, self.run(jobs)):
            if isinstance(reply, str) or "internal" in reply:
                reply = {"outcome": "died", "why": str(reply)}
            self.imports(reply.pop("modules", ()))
            out[ident] = reply
            spent += reply.get("s", 0)
            if budget is not None and spent > budget:
                break
        return out

    def measure_behind(self, idents):
        """Those of these tests, which pass alone, that fail behind others of their file, for what one leaves may be what another stumbles over. All is
        asked again, for some tests fail now and then wherever they run."""
        found = {}
        for fails in (True, False, True):
            for ident in idents:
                self.cases[ident].behind = self.earlier(self.cases[ident]) if fails else []
            found = self.measure([i for i in idents if self.cases[i].behind or not fails])
            idents = [i for i, reply in found.items() if reply["outcome"] == (FAILED if fails else PASSED)]
        for ident in idents:
            found[ident]["behind"] = [c.id for c in self.cases[ident].behind]
        return {ident: found[ident] for ident in idents}

    def earlier(self, case):
        """The tests of a test's file that come before it."""
        turn, path = self.turn[case.item], str(case.item.fspath)
        before = [c for c in self.cases.values() if self.turn[c.item] < turn and str(c.item.fspath) == path]
        return sorted(before, key=lambda c: self.turn[c.item])[-COMPANY:]

    def measured(self, case):
        """In a child: the test by pytest's protocol, then by the leanest way that gives the same."""
        before = set(sys.modules)
        spawned, touched = listen_for_pythons(), kept.listen(self.settings.root)
        reply, truth = None, None
        for way in ["protocol"] + ways(case.item, self.foreign)[:-1]:
            case.way = way
            tank = fuel.Tank(AGREE if reply and reply["dry"] else MEASURE)
            began = time.process_time()
            case.error = REPORTS.excinfo = None
            outcome = case.run()
            took = time.process_time() - began
            told = (outcome, case.told(), tank.dry())
            if reply is None:
                reply, truth = {"outcome": outcome, "way": way, "steps": tank.used(), "dry": tank.dry(), "s": took}, told
            elif told == truth:
                reply.update(way=way, s=max(took, reply["s"]) if tank.dry() else took, steps=max(tank.used(), reply["steps"]))
                break
        fuel.unbounded()
        reply["spawns"] = bool(spawned)
        reply["touches"] = sorted(touched)
        reply["modules"] = [m for m in sys.modules if m not in before]
        return reply

    def imports(self, names):
        """Imports what tests import as they run, so that no candidate has to."""
        for name in names:
            if name not in sys.modules:
                try:
                    importlib.import_module(name)
                except BaseException:
                    pass  # it may need what only the test provides

    # Trying.

    def do_plan(self, request):
        """What has been measured, here or in another process like this one."""
        self.imports(request.get("modules", ()))
        fuel.unbounded()
        failing, passing, took = planned(request, self.cases)
        took += sum(UNKNOWN for c in failing if c.dry or c.steps < c.long)
        self.cpu, self.wall = MORE + SECONDS * took, WAIT + SECONDS * took
        params = [v for c in failing + passing for v in getattr(getattr(c.item, "callspec", None), "params", {}).values()]
        self.survey()
        gc.unfreeze()
        modules = modules_of(self.settings)
        files = kept.Kept(self.settings, touched(request))
        files.keep()
        self.trial = Trial(self.workshop, Snapshot(modules, params), Tests(failing, passing, Chance(modules)), files)
        gc.freeze()
        return {"plan": request}

    def do_try(self, request):
        """Candidates, as (number, [(path from the root, edits)]), with the fuel for each. With the least of it, those that ask for a new import are put
        off; else they are left to the boss."""
        again = []
        items = [(n, [(os.path.join(self.settings.root, path), edits) for path, edits in files]) for n, files in request["items"]]
        amount = request["amount"]
        spans = [(path, start, end) for _, files in items for path, edits in files for start, end, _ in edits or ()]
        self.read({path for path, _, _ in spans}, spans)
        self.trial.tests.moody = request.get("moody", ())
        jobs = [child.Job(lambda n=n, files=files: self.trial.judge(n, files, amount), self.cpu, self.wall) for n, files in items]
        for raw, reply in zip(request["items"], self.run(jobs)):
            n = raw[0]
            if isinstance(reply, str):
                reply = {"n": n, "fuel" if reply == child.LATE and amount == AMOUNTS[0] else "died": reply}
                kept.put_back(self.settings.kept)
            elif "internal" in reply:
                reply = {"n": n, "fresh": reply["internal"]}
            elif "reload" in reply:
                if amount != AMOUNTS[0]:
                    again.append(raw)
                    continue
                reply = {"n": n, "later": reply["reload"]}
            elif "fuel" in reply:
                reply.pop("key", None)
            elif "key" in reply:
                self.trial.known.setdefault(reply.pop("key"), n)
            self.wire.send(reply)
        return {"reload": again}

    # Comparing.

    def do_compare(self, request):
        """What candidates, as in do_try, do on the same inputs: one child finds the inputs, and one for each candidate tries them."""
        if self.trial is None:
            return
        changes, units = [], []
        for n, files in request["items"]:
            try:
                change = self.workshop.make([(os.path.join(self.settings.root, path), edits) for path, edits in files])
            except (Reload, SyntaxError, ValueError, RecursionError, MemoryError):
                change = None
            if change is not None and any(s.unit.bound for s in change.swaps):
                change = None
            changes.append(change)
            units += [s.unit for s in change.swaps if s.unit not in units] if change else []
        cases = self.trial.tests.failing + self.trial.tests.passing[:COMPARED]
        chance = self.trial.tests.chance
        found = next(self.run([child.Job(lambda: (compare.gather(units, cases, chance, request["examples"]), True), 5.0, 8.0)]), None)
        if not isinstance(found, list):
            return
        self.wire.send({"inputs": [i[1] for i in found]})
        asked = {id(units[i[0]]) for i in found}
        for (n, _), change in zip(request["items"], changes):
            reply = None
            if change is not None and all(id(s.unit) in asked for s in change.swaps):  # else others may do the same but for what nobody asks
                reply = next(self.run([child.Job(lambda: (self.compared(change, units, found, chance), True), 5.0, 8.0)]), None)
            self.wire.send({"compared": n, "answers": reply if isinstance(reply, list) else None})

    def compared(self, change, units, found, chance):
        change.apply()
        return compare.answers(units, found, chance)

    # Tracing.

    def do_trace(self, request):
        """Every test in a process of its own: first what it ran, then, where values are asked for, once more for those."""
        per_test = request["per_test"]
        ran = {}
        for ident in request["ids"]:
            reply = self.run_traced(self.cases[ident], per_test, ident in request["failing"])
            for path in reply.get("lines", ()):
                self.borrowed.around(os.path.realpath(os.path.join(self.settings.root, path)))  # so that the children to come know
            if ident in request["values"]:
                for path, spans in reply.get("lines", {}).items():
                    ran.setdefault(path, set()).update(n for a, b in spans for n in range(a, b + 1))
            self.wire.send({"run": reply})
        self.borrowed.trees.clear()  # children would copy them
        if request["values"]:
            self.read([os.path.join(self.settings.root, path) for path in ran])
        for ident in request["values"]:
            case = self.cases[ident]
            job = child.Job(lambda case=case: (self.valued(case, ran, per_test), True), per_test + 1, per_test + 1)
            for reply in self.run([job]):
                if isinstance(reply, list):
                    self.wire.send({"seen": reply})

    def run_traced(self, case, per_test, fails):
        """What a test ran: one that should fail and passes alone, behind others of its file, if it fails there."""
        job = child.Job(lambda: (self.traced(case, per_test, fails), True), per_test + 1, per_test + 1)
        reply = next(self.run([job]))
        if isinstance(reply, str) or "internal" in reply:
            return {"id": case.id, "outcome": "died", "why": str(reply)}
        if fails and reply["outcome"] == PASSED and not case.behind:
            case.behind = self.earlier(case)
            behind = self.run_traced(case, per_test, fails) if case.behind else reply
            if behind["outcome"] == FAILED:
                return behind
            case.behind = []
        return reply

    def traced(self, case, per_test, fails):
        fuel.Tank(CUT if fails else TRACED)
        alarm(per_test * 0.8)
        return trace.run(case, self.settings.owned, self.borrowed, self.settings.relative, self.settings.relative)

    def valued(self, case, ran, per_test):
        files = []
        for path in ran:
            try:
                files.append(self.workshop.file(os.path.join(self.settings.root, path)))
            except (OSError, ValueError, SyntaxError):
                pass
        root = self.settings.root
        recorder = values.Recorder()
        values.listen(files, lambda f: ran[os.path.relpath(f.path, root).replace(os.sep, "/")], recorder)
        alarm(per_test * 0.8)
        case.run()
        alarm(0)
        fuel.unbounded()
        return recorder.told(self.settings.relative)


def listen_for_pythons():
    """A list that fills when this process starts another Python, or a program that belongs to one."""
    found = []
    programs = os.path.dirname(os.path.abspath(sys.executable)) + os.sep

    def hear(event, args):
        if event in ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system") and args:
            program = args[0] or (args[1] and args[1][0]) or ""
            program = os.fsdecode(program) if isinstance(program, (str, bytes, os.PathLike)) else ""
            if program.startswith(programs) or "python" in program or shutil.which(program.split(" ")[0], path=programs):
                found.append(program)
    sys.addaudithook(hear)
    return found


def alarm(seconds):
    """Ends what still runs then, in a way that leaves time to tell about it."""
    def ring(signum, frame):
        raise fuel.OutOfFuel("it did not end in time")
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def quiet(config, scratch):
    """Takes capture, the terminal and long texts out of the way, for what is printed goes nowhere in the children; temporary files have their place in
    scratch, which the next child clears."""
    terse()
    temporary = getattr(config, "_tmp_path_factory", None)
    if temporary is not None:
        temporary._given_basetemp, temporary._basetemp = pathlib.Path(scratch, "tmp"), None
    capture = config.pluginmanager.getplugin("capturemanager")
    if capture is not None:
        capture.stop_global_capturing()
        capture._method = "no"
        capture.start_global_capturing()
    reporter = config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None:
        config.pluginmanager.unregister(reporter)
