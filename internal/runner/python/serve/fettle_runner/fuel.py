"""Steps are counted, so that a verdict on a loop without end does not depend on how busy the machine is.

Sources are changed so that they call STEP at the head of each loop and function. STEP is the `__next__` of an iterator written in C: a call costs
some 30 ns, and when the fuel is used up it raises OutOfFuel, again and again. OutOfFuel is no Exception, so `except Exception` does not stop it, and
where `except:` does, the next step raises it again.
"""

import builtins
import itertools
import operator

STEP = "__fettle_step__"

UNBOUNDED = 1 << 60


class OutOfFuel(BaseException):
    """More steps than were allowed."""


class _Dry:
    def __iter__(self):
        return self

    def __next__(self):
        raise OutOfFuel("it runs far longer than before")


def limited(steps):
    """A function of no arguments that may be called so often."""
    return itertools.chain(itertools.repeat(None, steps), _Dry()).__next__


class Tank:
    """Fuel for one run. Filling one puts it in force."""

    def __init__(self, steps):
        self.steps = steps
        self.left = itertools.repeat(None, steps)
        setattr(builtins, STEP, itertools.chain(self.left, _Dry()).__next__)

    def used(self):
        return self.steps - operator.length_hint(self.left)

    def dry(self):
        return operator.length_hint(self.left) == 0


def watch(heard):
    """Has a function called at every step instead."""
    setattr(builtins, STEP, heard)


def unbounded():
    """No limit: what pytest itself does, imports above all."""
    Tank(UNBOUNDED)
