"""What a child does with a candidate: put it in force, run the failing tests, then, if any of them passes, the others, and put all back."""

import time

from . import fuel
from .items import PASSED, force_teardown
from .workshop import Reload

FIRST, AGAIN = 1, 10  # how many times the fuel: a candidate that heals something and then runs dry gets more


class Trial:
    """The ground that all candidates of a suite stand on."""

    def __init__(self, workshop, snapshot, failing, passing):
        self.workshop, self.snapshot = workshop, snapshot
        self.failing, self.passing = failing, passing
        self.fixtures = any(c.way != "call" for c in failing + passing)
        self.known = {}  # the candidate that was the first to do the same, by key

    def judge(self, number, files):
        """What to tell of a candidate, and whether the process is as it was."""
        began = time.perf_counter()
        reply = {"n": number}
        try:
            change = self.workshop.make(files)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
            reply["syntax"] = one_line(e)
            return reply, True
        except Reload as e:
            reply["reload"] = str(e)
            return reply, True
        clean = True
        if change.same:
            reply["same"] = True
        else:
            reply["key"] = key = change.key()
            if key in self.known:
                reply["of"] = self.known[key]
            else:
                self.known[key] = number
                clean = self.put_to_test(change, reply)
        reply["us"] = int((time.perf_counter() - began) * 1e6)
        return reply, clean

    def put_to_test(self, change, reply):
        try:
            change.apply()
        except Reload as e:
            reply["reload"] = str(e)
            return True
        try:
            healed, broken, note = self.run(FIRST)
            if note and healed:
                self.snapshot.restore()
                healed, broken, note = self.run(AGAIN)
        finally:
            fuel.unbounded()
            if self.fixtures:
                force_teardown(self.failing[0].item.session)
            change.restore()
        reply["healed"], reply["broken"] = healed, broken
        if note:
            reply["note"] = note
        return self.snapshot.restore()

    def run(self, factor):
        """Numbers of the tests that were healed and that broke, and why it was given up."""
        healed = []
        last = len(self.failing) - 1
        for i, case in enumerate(self.failing):
            following = self.failing[i + 1] if i < last else None
            outcome, dry = self.one(case, following, factor)
            if dry:
                return healed, [], "%s runs far longer than before" % case.id
            if outcome == PASSED:
                healed.append(i)
        if not healed:
            return healed, [], ""
        last = len(self.passing) - 1
        for i, case in enumerate(self.passing):
            outcome, dry = self.one(case, self.passing[i + 1] if i < last else None, factor)
            if dry or outcome != PASSED:
                return healed, [i], "%s runs far longer than before" % case.id if dry else ""
        return healed, [], ""

    def one(self, case, following, factor):
        self.snapshot.reseed()
        tank = fuel.Tank(case.steps * factor)
        outcome = case.run(following)
        return outcome, tank.dry()


def one_line(error):
    if isinstance(error, SyntaxError):
        return str(error.msg)
    return "%s: %s" % (type(error).__name__, str(error).split("\n")[0])
