"""What a child does with a candidate: put it in force, run the failing tests, then, if any of them passes, the others, and put all back."""

import signal
import time

from . import child, fuel
from .items import PASSED, force_teardown
from .workshop import Reload

AMOUNTS = ("steps", "more", "long")  # of fuel that each test may take: those of a Case
DEAR = 0.02  # seconds that a failing test takes which is only run for candidates that have healed one that takes less


class Tests:
    """The tests that every candidate meets. chance gives each of them the same random numbers. moody are the numbers of passing tests that are not
    believed when they fail here: they have their say in a fresh process."""

    def __init__(self, failing, passing, chance):
        self.failing, self.passing, self.chance = failing, passing, chance
        self.moody = ()
        self.fixtures = any(c.way != "call" for case in failing + passing for c in [case] + case.behind)

    def meet(self, reply, between=lambda: None, amount=AMOUNTS[0]):
        """Fills in which tests are healed and which are broken, where each may take this amount of fuel. A candidate that heals something and then runs
        dry gets more, on ground that between has put in order. One that runs dry at once may have to have more, too, for tests that fail early say
        little about how long they take, and so does one that runs dry in spite of that where a failing test never ended; but most such candidates never
        end: reply only says so, unless it has had the most."""
        child.EXITS.clear()
        try:
            healed, broken, note = self.run(amount)
            if note and not healed and not self.failing[0].dry and amount != AMOUNTS[-1]:
                reply["fuel"] = note
                return
            if note and healed and amount == AMOUNTS[0]:
                self.clear()
                between()
                healed, broken, note = self.run("more")
            if note and healed and any(case.dry for case in self.failing):
                if amount != AMOUNTS[-1]:
                    reply["fuel"] = note
                else:
                    reply["dry"] = True
        finally:
            self.clear()
        reply["healed"], reply["broken"] = healed, broken
        if child.EXITS and not note and (broken or len(healed) < len(self.failing)):
            note = "it ended the process, with exit code %s" % child.EXITS[0]
        if note:
            reply["note"] = note

    def clear(self):
        fuel.unbounded()
        if self.fixtures:
            force_teardown(self.failing[0].item.session)

    def run(self, amount):
        """Numbers of the tests that were healed and that broke, and why it was given up."""
        healed = []
        for i, (case, following) in enumerate(zip(self.failing, self.failing[1:] + [None])):
            if i and not healed and case.seconds > DEAR:
                break  # it heals none of those that cost less
            outcome, dry = self.one(case, following, amount)
            if dry:
                return healed, [], "%s runs far longer than before" % case.id
            if outcome == PASSED:
                healed.append(i)
        if not healed:
            return healed, [], ""
        for i, (case, following) in enumerate(zip(self.passing, self.passing[1:] + [None])):
            if i in self.moody:
                continue
            outcome, dry = self.one(case, following, amount)
            if dry or outcome != PASSED:
                return healed, [i], "%s runs far longer than before" % case.id if dry else ""
        return healed, [], ""

    def one(self, case, following, amount):
        self.chance.again()
        if case.cpu:
            signal.setitimer(signal.ITIMER_PROF, case.cpu[amount])  # takes the process along
        tank = fuel.Tank(getattr(case, amount))
        outcome = case.run(following)
        return outcome, tank.dry()


class Trial:
    """The ground that all candidates of a suite stand on."""

    def __init__(self, workshop, snapshot, tests, files):
        self.workshop, self.snapshot, self.tests, self.files = workshop, snapshot, tests, files
        self.known = {}  # the candidate that was the first to do the same, by key

    def judge(self, number, files, amount):
        """What to tell of a candidate whose tests may take so much, and whether the process is as it was."""
        self.files.guard()
        began = time.perf_counter()
        reply, clean = {"n": number}, True
        try:
            change = self.workshop.make(files)
            if change.same:
                reply["same"] = True
            else:
                reply["key"] = key = change.key()
                if self.known.get(key, number) != number:  # its own number: it is tried once more
                    reply["of"] = self.known[key]
                else:
                    clean = self.put_to_test(change, reply, amount)
                    if "fuel" not in reply:
                        self.known[key] = number
        except Reload as e:
            reply = {"n": number, "reload": str(e)}
        except MemoryError:  # what went before has left too little
            reply, clean = {"n": number, "internal": "no memory is left"}, False
        except (SyntaxError, ValueError, RecursionError) as e:
            reply["syntax"] = one_line(e)
        reply["us"] = int((time.perf_counter() - began) * 1e6)
        return reply, clean

    def put_to_test(self, change, reply, amount):
        """Whether the process is as it was."""
        change.apply()
        try:
            self.tests.meet(reply, self.snapshot.restore, amount)
        finally:
            change.restore()
            self.files.mend()
        return self.snapshot.restore()


def one_line(error):
    if isinstance(error, SyntaxError):
        return str(error.msg)
    return "%s: %s" % (type(error).__name__, str(error).split("\n")[0])
