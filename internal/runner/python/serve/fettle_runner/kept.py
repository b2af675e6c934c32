"""The repository's files as they are before any candidate is tried: what a candidate may not touch, and what is put back.

A candidate that is about to remove or to change a file that the tests leave alone ends its process. What it does through a program that it starts is
not seen here: behind it, and before a process collects the tests anew, the files are put back as they were.
"""

import json
import os
import shutil
import stat
import sys
import tempfile

from .settings import FOREIGN

MOST = 20000       # files that are looked at
LARGEST = 1 << 20  # bytes of a file that is kept
ALL = 64 << 20     # bytes of all that are kept
CODE = 117         # a process's exit code that says why it has ended

STARTS = ("subprocess.Popen", "os.system", "os.posix_spawn", "os.exec", "os.fork", "os.forkpty")
LEAVE = os._exit   # os._exit may become another one
ONE, TWO = ("os.remove", "os.rmdir", "os.truncate", "shutil.rmtree"), ("os.rename", "shutil.move")


def paths(event, args):
    """What an event of the interpreter is about to remove or to change."""
    if event == "open":
        found = args[:1] if isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR) else ()
    elif event in ONE:
        found = args[:1] if event == "shutil.rmtree" or args[-1] in (-1, None) or event == "os.truncate" else ()  # from an open folder: that was asked about
    else:
        found = args[:2] if event in TWO else ()
    return [os.path.realpath(os.fsdecode(p)) for p in found if isinstance(p, (str, bytes, os.PathLike))]


def listen(root):
    """A set that fills with the files below root that this process removes or changes."""
    found = set()

    def hear(event, args):
        if event == "open" or event in ONE or event in TWO:
            found.update(os.path.relpath(p, root) for p in paths(event, args) if p.startswith(root + os.sep))
    sys.addaudithook(hear)
    return found


class Kept:
    """touched are paths from the root of what the tests themselves change: those are theirs."""

    def __init__(self, settings, touched):
        self.root, self.store = settings.root, settings.kept
        self.guarded = self.started = self.mending = False
        own = [os.path.join(self.root, path) for path in touched]
        self.files = {path for path in walk(self.root) if not any(path == o or path.startswith(o + os.sep) for o in own)}

    def holds(self, event, path):
        if path in self.files:
            return True
        return event != "open" and os.path.isdir(path) and any(f.startswith(os.path.join(path, "")) for f in self.files)

    def guard(self):
        """From now on, whatever touches one of the files ends this process."""
        if self.guarded:
            return
        self.guarded = True

        def hear(event, args):
            if event in STARTS:
                self.started = True
            elif (event == "open" or event in ONE or event in TWO) and not self.mending and any(self.holds(event, p) for p in paths(event, args)):
                LEAVE(CODE)
        sys.addaudithook(hear)

    def mend(self):
        """Puts back what a program may have changed that was started since the last time."""
        if self.started:
            self.mending = True
            put_back(self.store)
            self.started = self.mending = False

    def keep(self):
        """Copies the files, unless somebody has done so before."""
        if os.path.exists(self.store):
            return
        made = tempfile.mkdtemp(prefix="keeping-", dir=os.path.dirname(self.store))
        index, left = [], ALL
        for n, path in enumerate(sorted(self.files)):
            try:
                found = os.lstat(path)
                if stat.S_ISREG(found.st_mode) and found.st_size <= min(LARGEST, left):
                    shutil.copy2(path, os.path.join(made, str(n)))
                    left -= found.st_size
                    index.append([path, str(n), found.st_size, found.st_mtime_ns])
            except OSError:
                pass  # nobody can read it, so nobody needs it
        with open(os.path.join(made, "index"), "w", encoding="ascii") as f:
            json.dump(index, f)
        try:
            os.rename(made, self.store)
        except OSError:  # somebody was faster
            shutil.rmtree(made, ignore_errors=True)


def walk(root):
    """The files below root but for other people's code and what is hidden."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in FOREIGN and not f.startswith(".") and not os.path.exists(os.path.join(folder, f, "pyvenv.cfg"))]
        found.extend(os.path.join(folder, name) for name in names)
        if len(found) > MOST:
            break
    return found


def put_back(store):
    """Makes the kept files again what they were."""
    try:
        with open(os.path.join(store, "index"), encoding="ascii") as f:
            index = json.load(f)
    except OSError:
        return
    for path, name, size, when in index:
        try:
            found = os.lstat(path)
            if found.st_size == size and found.st_mtime_ns == when:
                continue
        except OSError:
            pass  # it is gone
        other = "%s.%d" % (path, os.getpid())
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copy2(os.path.join(store, name), other)
            os.replace(other, path)
        except OSError:
            pass  # the tests will say what they miss
