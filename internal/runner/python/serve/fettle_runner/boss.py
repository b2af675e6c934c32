"""The process that stands before the first file of the repository has been imported, and what it forks.

It reads the requests. The warm process, which goes on from here and collects the tests, does the work; a candidate that it cannot do, because modules
would have to be imported again, is done in a process of its own that is forked from here and collects the tests with the change in force.
"""

import os
import signal

from . import child, fuel, warm
from .loader import Loader
from .reload import Reloader
from .wire import Wire

ERRORS = []  # what could not be collected
ROLE = None  # what this process does when the tests have been collected
LOADER = None


def serve(settings, wire):
    """Serves until nobody asks any more. Only forked processes return, to go on as pytest."""
    global LOADER
    fuel.unbounded()
    LOADER = Loader(settings.counted, settings.cache)
    LOADER.install()
    down, control = os.pipe(), os.pipe()
    pid = child.fork()
    if pid == 0:
        child.die_with_parent()
        become(warm.Warm(settings, wire, Wire(down[0], control[1]), LOADER))
        os.close(down[1])
        os.close(control[0])
        return
    os.close(down[0])
    os.close(control[1])
    mine = Wire(control[0], down[1])
    try:
        answer(settings, wire, mine)
    except child.Branched:
        return  # with its role
    except OSError:
        pass  # nobody listens any more
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os._exit(0)


def become(role):
    global ROLE
    ROLE = role


def answer(settings, wire, mine):
    """Hands requests on and does what comes back."""
    while True:
        said = mine.receive()
        if said is None:
            wire.send({"fatal": "the process that holds the tests has ended"})
            return
        if "plan" in said:
            reloader.begin(said["plan"])
        for candidate in said.get("reload", ()):
            wire.send(reloader.judge(*candidate))
        if "hello" in said:
            wire.send({"hello": said["hello"]})
            reloader = Reloader(settings, LOADER, said["modules"], said["collect"], wire.reader, become)
        elif said.get("done"):
            wire.send({"done": True})
        request = wire.receive_line()
        if request is None:
            return
        mine.send_line(request + b"\n")


def collected(session):
    """The tests have been collected in this process."""
    ROLE.collected(session, ERRORS)
    child.LEAVE(0)
