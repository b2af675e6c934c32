"""Forked children that do jobs, their limits, and what to say when one dies.

A child writes one line for each job. A job whose child dies is told so, and a new child goes on with the next one.
"""

import errno
import faulthandler
import json
import os
import select
import signal
import sys
import time
import traceback
import warnings

from . import kept

try:
    import resource
except ImportError:  # not on every system
    resource = None

LATE = "it did not end in time"
BYE = b"bye\n"       # a child that ends by its own will says so: an exit in the code under test does not
MEMORY = 768 << 20   # bytes of address space beyond what the process has when it begins
OUTPUT = 64 << 20    # bytes that a file may grow to
FORKS = 64           # processes that a job may make by forking, all in all
GROWTH = 128 << 20   # bytes of memory beyond what a child began with at which it does no other job: what took them may hold on to them


LEAVE = os._exit  # for us: see stay
EXITS = []        # the codes with which the code under test has asked for an end


class Exited(BaseException):
    """The code under test has called os._exit."""


class Job:
    """Something to do in a child: a function of no arguments, which returns what to tell and whether the child is still as it was."""

    def __init__(self, do, cpu, wall):
        self.do = do
        self.cpu = cpu    # seconds of CPU time, user and system, after which it is ended
        self.wall = wall  # seconds


def fork():
    """Like os.fork, without the warning about threads, which some projects make an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return os.fork()


def die_with_parent():
    """Makes sure, on Linux, that this process does not outlive the one that forked it."""
    if _prctl is not None:
        _prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _find_prctl():
    try:
        import ctypes
        return ctypes.CDLL(None).prctl
    except Exception:
        return None


_prctl = _find_prctl()


def silence():
    """Takes the standard streams away from the code under test."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


def stay():
    """From now on os._exit ends a test and not this process, so that it is seen what such a test ran, and so that it costs no more than others."""
    me = os.getpid()

    def _exit(status):
        if os.getpid() != me:
            LEAVE(status)
        EXITS.append(status)
        raise Exited("exit code %s" % status)
    os._exit = _exit


class Forks:
    """How many processes may still be made by forking: each new one takes an eighth of that along, so that a loop that forks makes so many and not twice
    as many each time."""

    def __init__(self, fork):
        self.fork, self.left = fork, FORKS

    def __call__(self):
        if self.left < 2:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        share = max(1, self.left // 8)
        pid = self.fork()
        self.left = share if pid == 0 else self.left - share
        return pid


def limit_memory():
    if resource is None:
        return
    try:
        with open("/proc/self/statm") as f:
            used = int(f.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return
    _lower(resource.RLIMIT_AS, used + MEMORY)
    _lower(resource.RLIMIT_FSIZE, OUTPUT)
    _lower(resource.RLIMIT_CORE, 0)


def height():
    """The most memory that this process has had, in bytes; zero where that is not known."""
    if resource is None:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10


def _lower(what, value):
    soft, hard = resource.getrlimit(what)
    if soft == resource.RLIM_INFINITY or value < soft:
        try:
            resource.setrlimit(what, (value, hard))
        except (ValueError, OSError):
            pass


def run(jobs, hangup):
    """Does the jobs, in order, in as few children as it can, and yields what each of them tells: a dict, or text that says how its child died.

    hangup is a descriptor: when its other end is gone, so is the reason for all this.
    """
    done = 0
    while done < len(jobs):
        left = jobs[done:]
        with _Child(lambda writer, jobs=left: _work(jobs, writer), [job.wall for job in left], hangup) as c:
            for reply in c.replies():
                done += 1
                yield reply


class Branched(BaseException):
    """This is a new process, which goes on by itself, and tells what it finds by calling `tell`."""

    def __init__(self, writer):
        super().__init__()
        self.writer = writer

    def tell(self, reply):
        _tell(self.writer, reply)
        os.write(self.writer, BYE)
        LEAVE(0)


def branch(cpu, wall, hangup):
    """What a new process tells, or how it died. In the new process it raises Branched."""
    def work(writer):
        _enter()
        signal.setitimer(signal.ITIMER_PROF, cpu)
        raise Branched(writer)

    with _Child(work, [wall], hangup) as c:
        return next(c.replies(), "it ended without a word")


class _Child:
    """A forked process that works for us. walls are the seconds that it may take for each reply."""

    def __init__(self, work, walls, hangup):
        self.walls, self.hangup = walls, hangup
        self.reader, writer = os.pipe()
        self.pid = fork()
        if self.pid == 0:
            os.close(self.reader)
            work(writer)  # does not return
        os.close(writer)
        self.reaped = False

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        os.close(self.reader)
        if not self.reaped:
            self.kill()

    def kill(self):
        """Ends the child and what it has started."""
        for send in (os.killpg, os.kill):
            try:
                send(self.pid, signal.SIGKILL)
            except OSError:
                pass
        self.wait()

    def wait(self):
        self.reaped = True
        status = os.waitpid(self.pid, 0)[1]
        try:
            os.killpg(self.pid, signal.SIGKILL)  # whatever it has left behind
        except OSError:
            pass
        return status

    def replies(self):
        rest, told = b"", 0
        poll = select.poll()
        poll.register(self.reader, select.POLLIN)
        poll.register(self.hangup, 0)
        deadline = time.monotonic() + self.walls[0]
        while True:
            ready = dict(poll.poll(max(0, deadline - time.monotonic()) * 1000 + 1))
            if self.hangup in ready:
                self.kill()
                LEAVE(0)
            if self.reader not in ready:
                self.kill()
                yield LATE
                return
            data = os.read(self.reader, 1 << 16)
            if not data:
                yield how_it_died(self.wait())
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if line + b"\n" == BYE:
                    self.wait()
                    return
                yield json.loads(line)
                told += 1
                if told < len(self.walls):
                    deadline = time.monotonic() + self.walls[told]


def how_it_died(status):
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number in (signal.SIGPROF, signal.SIGXCPU):
            return LATE
        try:
            return "it crashed: " + signal.Signals(number).name
        except ValueError:
            return "it crashed: signal %d" % number
    if os.WEXITSTATUS(status) == kept.CODE:
        return "it removes or changes files of the repository that the tests leave alone"
    return "it ended the process, with exit code %d" % os.WEXITSTATUS(status)


def told(error):
    """Where an exception was raised, in one line."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    return "%s in %s, line %d of %s: %s" % (type(error).__name__, at.name, at.lineno, os.path.basename(at.filename), error)


def _enter():
    """What every child does first."""
    os.setpgid(0, 0)
    die_with_parent()
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    faulthandler.disable()
    silence()
    limit_memory()
    stay()
    os.fork = Forks(os.fork)


def _tell(writer, reply):
    os.write(writer, json.dumps(reply, separators=(",", ":")).encode("ascii") + b"\n")


def _work(jobs, writer):
    """The life of a child that does jobs."""
    code = 1
    try:
        _enter()
        me, low = os.getpid(), height()
        for job in jobs:
            signal.setitimer(signal.ITIMER_PROF, job.cpu)
            os.fork.left = FORKS
            reply, clean = job.do()
            if os.getpid() != me:  # the code under test has forked, and this is not who was asked
                LEAVE(0)
            signal.setitimer(signal.ITIMER_PROF, 0)
            _tell(writer, reply)
            if not clean or height() - low > GROWTH:
                break
        os.write(writer, BYE)
        code = 0
    except BaseException as e:  # ours: what a test raises does not come here
        _tell(writer, {"internal": told(e)})
        os.write(writer, BYE)
    finally:
        LEAVE(code)
