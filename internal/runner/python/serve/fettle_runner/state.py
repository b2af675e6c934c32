"""What a candidate may leave behind in the process, and putting it back.

A snapshot knows the names of modules and classes of the repository, the lists, dicts and sets that can be reached from them, and some things of the
process. Looking whether all is as it was costs some microseconds; what has changed is put back, and what cannot be is told.
"""

import builtins
import collections
import functools
import gc
import os
import random
import signal
import sys
import threading
import time
import types
import warnings

from .fuel import STEP

MOST = 20000  # objects that are looked at one by one

ATOMS = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), range)


class Chance:
    """Random numbers: the same ones for each test, where the repository's modules use any."""

    def __init__(self, modules):
        self.random = self.numpy = None
        if uses(modules, "random"):
            random.seed(0)
            self.random = random.getstate()
        numpy = sys.modules.get("numpy.random")
        if numpy is not None and uses(modules, "numpy"):
            numpy.seed(0)
            self.numpy = numpy.get_state()

    def again(self):
        if self.random is not None:
            random.setstate(self.random)
        if self.numpy is not None:
            sys.modules["numpy.random"].set_state(self.numpy)


def uses(modules, name):
    wanted = sys.modules.get(name)
    if wanted is None:
        return False
    for m in modules:
        for v in m.__dict__.values():
            if v is wanted or getattr(v, "__module__", None) == name or type(getattr(v, "__self__", None)).__module__ == name:
                return True
    return False


class Snapshot:
    """How things are now, in these modules and in other values that tests have in common."""

    def __init__(self, modules, values=()):
        self.names = {m.__name__ for m in modules}
        self.places = []      # (current, copy, put back): compared by ==, which looks at identity first
        self.whole = True     # everything reachable was looked at
        self.seen = {id(builtins.__dict__), id(sys.modules)}
        self.builtins()
        for module in modules:
            self.dict_of(module.__dict__)
        self.walk([v for m in modules for v in list(m.__dict__.values())] + list(values))
        self.caches = [c for c in gc.get_objects() if isinstance(c, functools._lru_cache_wrapper) and self.is_own(c)]
        self.cached = [c.cache_info().currsize for c in self.caches]
        self.environ = dict(os.environ._data)
        self.cwd = os.getcwd()
        self.path, self.meta_path = list(sys.path), list(sys.meta_path)
        self.modules = set(sys.modules)
        self.threads = threading.active_count()
        self.streams = (sys.stdin, sys.stdout, sys.stderr)
        self.depth = sys.getrecursionlimit()
        self.filters = list(warnings.filters)
        self.clock = (time.time, time.sleep, time.monotonic, time.perf_counter)
        self.alarm = signal.getsignal(signal.SIGALRM)

    # Looking around.

    def is_own(self, thing):
        return getattr(thing, "__module__", None) in self.names

    def builtins(self):
        d, copy = builtins.__dict__, dict(builtins.__dict__)

        def same():
            copy[STEP] = d[STEP]  # another one for each test
            return d == copy
        self.places.append((same, lambda: _refill(d, copy)))

    def dict_of(self, d):
        self.remember(d, dict(d), dict.__eq__, _refill)

    def walk(self, todo):
        while todo:
            thing = todo.pop()
            if isinstance(thing, ATOMS) or id(thing) in self.seen:
                continue
            self.seen.add(id(thing))
            if len(self.seen) > MOST:
                self.whole = False
                return
            todo.extend(self.look(thing))

    def look(self, thing):
        """Remembers a thing that can change and returns what lies in it."""
        if isinstance(thing, dict):
            self.remember(thing, dict(thing), dict.__eq__, _refill)
            return list(thing.values())
        if isinstance(thing, (list, bytearray, collections.deque)):
            self.remember(thing, type(thing)(thing) if type(thing) in (list, bytearray) else list(thing), _same_sequence, _refill)
            return list(thing) if not isinstance(thing, bytearray) else ()
        if isinstance(thing, set):
            self.remember(thing, set(thing), set.__eq__, _refill)
            return list(thing)
        if isinstance(thing, (tuple, frozenset)):
            return list(thing)
        if isinstance(thing, types.FunctionType):
            return self.look_at_function(thing) if self.is_own(thing) else ()
        if isinstance(thing, (staticmethod, classmethod)):
            return (thing.__func__,)
        if isinstance(thing, property):
            return (thing.fget, thing.fset, thing.fdel)
        if isinstance(thing, type):
            return self.look_at_class(thing) if self.is_own(thing) else ()
        if isinstance(thing, types.ModuleType):
            return ()
        if type(thing).__module__ in self.names and hasattr(thing, "__dict__"):
            self.dict_of(thing.__dict__)
            return list(thing.__dict__.values())
        return ()

    def look_at_function(self, f):
        inside = [*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()]
        for cell in f.__closure__ or ():
            try:
                inside.append(cell.cell_contents)
            except ValueError:
                pass  # nothing in it yet
            self.cell(cell)
        if f.__dict__:
            self.dict_of(f.__dict__)
            inside.extend(f.__dict__.values())
        return inside

    def cell(self, cell):
        empty = object()

        def now():
            try:
                return cell.cell_contents
            except ValueError:
                return empty
        was = now()

        def put_back():
            if was is empty:
                del cell.cell_contents
            else:
                cell.cell_contents = was
        self.places.append((lambda: now() is was, put_back))

    def look_at_class(self, cls):
        attributes, copy = cls.__dict__, dict(cls.__dict__)

        def put_back():
            for name in [n for n in attributes if n not in copy]:
                delattr(cls, name)
            for name, value in copy.items():
                if attributes.get(name) is not value:
                    setattr(cls, name, value)
        self.places.append((lambda: attributes == copy, put_back))
        return [v for n, v in copy.items() if n not in ("__dict__", "__weakref__")]

    def remember(self, thing, copy, same, refill):
        self.places.append((lambda: same(thing, copy), lambda: refill(thing, copy)))

    # Putting back.

    def restore(self):
        """Puts back what has changed. False when something cannot be put back, so that this process is of no more use."""
        try:
            for same, put_back in self.places:
                if not same():
                    put_back()
            for cache, size in zip(self.caches, self.cached):
                if cache.cache_info().currsize != size:
                    cache.cache_clear()
            return self.restore_process()
        except Exception:
            return False

    def restore_process(self):
        if os.environ._data != self.environ:
            os.environ.clear()
            for name, value in self.environ.items():
                os.environ[os.environ.decodekey(name)] = os.environ.decodevalue(value)
        if os.getcwd() != self.cwd:
            os.chdir(self.cwd)
        if sys.path != self.path:
            sys.path[:] = self.path
        if sys.meta_path != self.meta_path:
            sys.meta_path[:] = self.meta_path
        if (sys.stdin, sys.stdout, sys.stderr) != self.streams:
            sys.stdin, sys.stdout, sys.stderr = self.streams
        if sys.getrecursionlimit() != self.depth:
            sys.setrecursionlimit(self.depth)
        if warnings.filters != self.filters:
            warnings.filters[:] = self.filters
            warnings._filters_mutated() if hasattr(warnings, "_filters_mutated") else None
        return (
            len(sys.modules) == len(self.modules)
            and threading.active_count() == self.threads
            and (time.time, time.sleep, time.monotonic, time.perf_counter) == self.clock
            and signal.getsignal(signal.SIGALRM) == self.alarm
        )


def _same_sequence(a, b):
    return len(a) == len(b) and (a == b if type(a) is type(b) else list(a) == b)


def _refill(a, b, isinstance=isinstance, sequences=(list, bytearray), deque=collections.deque):
    """Gives a container what it held. The names are its own, as those of everybody may be what is gone."""
    if isinstance(a, sequences):
        a[:] = b
    else:
        a.clear()
        a.extend(b) if isinstance(a, deque) else a.update(b)
