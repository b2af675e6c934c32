"""Candidates that change what modules do as they are imported: each is tried in a process that imports them with the change in force."""

import hashlib
import importlib
import os
import time

from . import child, kept, source, warm
from .state import Chance
from .trial import Tests, one_line
from .workshop import shape

SECONDS, MORE = 10, 5.0  # of CPU time for each second that collecting has taken, and some more
WAIT = 10.0              # seconds on the clock beyond that


class Reloader:
    """Lives in a process that has imported nothing of the repository. modules are what else its tests import."""

    def __init__(self, settings, loader, modules, collecting, hangup, become):
        self.settings, self.loader, self.become = settings, loader, become
        self.modules, self.hangup = modules, hangup
        self.cpu = MORE + SECONDS * collecting
        self.begin(None)

    def begin(self, plan):
        """Candidates from now on are numbered anew, and meet these tests."""
        self.plan, self.known, self.files = plan, {}, None

    def judge(self, number, files):
        """What to tell of a candidate."""
        began = time.perf_counter()
        try:
            texts = {path: self.changed(path, edits) for path, edits in files}
            key = self.key(texts)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
            return {"n": number, "syntax": one_line(e)}
        except LookupError as e:
            return {"n": number, "fresh": str(e)}
        if key == "same":
            return {"n": number, "same": True}
        if self.known.setdefault(key, number) != number:
            return {"n": number, "of": self.known[key]}
        self.preload()
        self.files = self.files or kept.Kept(self.settings, warm.touched(self.plan))
        failing = [ident for ident, _ in self.plan["failing"]]
        passing = [ident for ident, _ in self.plan["passing"]]
        reply = self.attempt(texts, dict(self.plan, passing=[]), failing)
        if isinstance(reply, dict) and reply.get("healed") and passing:
            reply = self.attempt(texts, self.plan, failing + passing)
        if isinstance(reply, str):
            reply = {"died": reply}
        kept.put_back(self.settings.kept)
        reply.update(n=number, us=int((time.perf_counter() - began) * 1e6))
        return reply

    def changed(self, path, edits):
        if edits is None:
            raise LookupError("a file is made or removed")
        with open(os.path.join(self.settings.root, path), "rb") as f:
            text = f.read()
        return text, source.splice(text, [(start, end, new.encode("utf-8")) for start, end, new in edits])

    @staticmethod
    def key(texts):
        """Equal for texts that do the same; "same" where they do what the files do."""
        before, after = [], []
        for path, (old, new) in sorted(texts.items()):
            before.append((path, shape(compile(old, path, "exec", dont_inherit=True))))
            after.append((path, shape(compile(new, path, "exec", dont_inherit=True))))
        return "same" if before == after else hashlib.sha256(repr(after).encode()).hexdigest()

    def preload(self):
        """Imports what all of these processes would import. What cannot be imported by itself is left to them."""
        names, self.modules = self.modules, []
        for name in names:
            try:
                importlib.import_module(name)
            except BaseException:
                pass

    def attempt(self, texts, plan, idents):
        cpu = self.cpu + warm.SECONDS * sum(reply["s"] for _, reply in plan["failing"] + plan["passing"] if not reply["dry"])
        try:
            return child.branch(cpu, cpu + WAIT, self.hangup)
        except child.Branched as b:
            root = self.settings.root
            self.loader.texts = {os.path.realpath(os.path.join(root, path)): new for path, (_, new) in texts.items()}
            self.settings.ids = idents
            self.files.guard()
            self.become(Reloaded(self.settings, plan, b.tell))
            raise


class Reloaded:
    """The role of a process that collects the tests with a change in force."""

    def __init__(self, settings, plan, tell):
        self.settings, self.plan, self.tell = settings, plan, tell

    def collected(self, session, errors):
        warm.quiet(session.config, self.settings.scratch)
        found = warm.wanted(self.settings, warm.identify(self.settings, session.items))
        cases = {ident: warm.Case(item, ident) for item, ident in found.items()}
        missing = [ident for ident in self.settings.ids if ident not in cases]
        if missing:
            self.tell({"healed": [], "broken": [], "note": "%s is not there any more: %s" % (missing[0], errors[0] if errors else "it is not collected")})
        failing, passing, _ = warm.planned(self.plan, cases)
        reply = {}
        Tests(failing, passing, Chance(warm.modules_of(self.settings))).meet(reply, amount="long")
        self.tell(reply)
