"""Running one test as often as is wanted, in the leanest way that is still the test's own.

Three ways, from the leanest:

    call      the test's function is called. For tests without fixtures.
    fixtures  pytest sets up the test's fixtures and takes them down again, without the hooks around that.
    protocol  all of pytest's protocol for running a test.

Which of them may be used follows from the test (`ways`); that one of them gives the same outcome as the protocol is tried before it is used.
"""

import difflib
import inspect
import pprint
import unittest

import pytest
from _pytest import runner
from _pytest.outcomes import OutcomeException, Skipped
from _pytest.python import Function
from _pytest.unittest import TestCaseFunction

from .fuel import OutOfFuel

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"

RUN_HOOKS = ("pytest_runtest_protocol", "pytest_runtest_setup", "pytest_runtest_call", "pytest_runtest_teardown", "pytest_pyfunc_call",
             "pytest_fixture_setup", "pytest_runtest_makereport")
OWN_MARKS = ("xfail", "skip", "skipif", "filterwarnings", "usefixtures")
HOOKED_FIXTURES = ("caplog", "tmp_path", "tmpdir", "record_property", "record_xml_attribute", "record_testsuite_property", "recwarn")


class Case:
    """A test that was collected."""

    def __init__(self, item, ident):
        self.item, self.id = item, ident
        self.way = "protocol"
        self.steps = self.more = self.long = 0  # that it may take; that with candidates that have healed something; and with those that run dry at once
        self.seconds = 0.0  # of CPU time that it took
        self.cpu = {}       # that it may take with a candidate, by the amount of fuel; empty: any
        self.behind = []    # those that it has to run behind, to come out as it does in its file
        self.error = None   # what it raised the last time, where no hook of pytest's came before

    def run(self, following=None):
        """How it comes out. Only what ends the process gets past it."""
        for case, then in zip(self.behind, self.behind[1:] + [self]):
            case.alone(then)
        return self.alone(following)

    def alone(self, following=None):
        try:
            return WAYS[self.way](self.item, following and following.item)
        except Skipped:
            return SKIPPED
        except unittest.SkipTest:
            return SKIPPED
        except BaseException as e:  # exits, interrupts and all that a test can raise
            self.error = e
            return FAILED

    def told(self):
        """What it raised and where, to be compared."""
        error = self.error or REPORTS.excinfo and REPORTS.excinfo.value
        if error is None or isinstance(error, OutOfFuel):
            return type(error).__name__
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        return type(error).__name__, at and (at.tb_frame.f_code.co_filename, at.tb_lineno)


def foreign_hooks(config):
    """Whether something that is no part of pytest has a word in how tests are run."""
    for name in RUN_HOOKS:
        for impl in getattr(config.hook, name).get_hookimpls():
            module = getattr(impl.function, "__module__", "") or ""
            if module.split(".")[0] not in ("_pytest", "pytest", "fettle_runner"):
                return True
    return False


def ways(item, foreign):
    """The ways in which the test may be run, leanest first."""
    found = ["protocol"]
    if foreign or any(item.get_closest_marker(m) for m in OWN_MARKS):
        return found
    if type(item) is TestCaseFunction:
        if _plain_unittest(item):
            found.insert(0, "call")
        return found
    if type(item) is not Function or not hasattr(runner.SetupState, "setup"):
        return found
    names = set(item.fixturenames)
    if inspect.iscoroutinefunction(item.obj) or inspect.isasyncgenfunction(item.obj) or names.intersection(HOOKED_FIXTURES):
        return found
    found.insert(0, "fixtures")
    spec = getattr(item, "callspec", None)
    if names <= set(_direct_params(item, spec)):
        found.insert(0, "call")
    return found


def _direct_params(item, spec):
    """The parameters that go to the test's function as they are, without a fixture."""
    if spec is None:
        return {}
    defs = item._fixtureinfo.name2fixturedefs
    direct = dict(getattr(spec, "funcargs", None) or {})
    for name, value in spec.params.items():
        known = defs.get(name)
        if known is None or type(known[-1]).__name__ == "DirectParamFixtureDef" or known[-1].func.__name__ == "get_direct_param_fixture_func":
            direct[name] = value
    return direct


def _plain_unittest(item):
    case, module = item.cls, inspect.getmodule(item.cls)
    lifted = all(getattr(case, name).__func__ is getattr(unittest.TestCase, name).__func__ for name in ("setUpClass", "tearDownClass"))
    xunit = [name for name in item.fixturenames if name != "request" and not name.startswith(("_unittest_", "unittest_"))]
    hooks = [name for name in ("setUpModule", "tearDownModule", "setup_module", "teardown_module", "setup_method", "teardown_method") if
             hasattr(module, name) or hasattr(case, name)]
    return lifted and not xunit and not hooks and hasattr(case, "debug")


def _call(item, following):
    if type(item) is TestCaseFunction:
        item.cls(item.name).debug()
        return PASSED
    spec = getattr(item, "callspec", None)
    args = {name: value for name, value in _direct_params(item, spec).items() if name in item._fixtureinfo.argnames}
    function = item.obj
    if item.cls is not None:
        function = getattr(item.cls(), item.originalname)
    function(**args)
    return PASSED


def _fixtures(item, following):
    if not item._request:
        item._initrequest()
    state = item.session._setupstate
    try:
        state.setup(item)
        item.runtest()
    finally:
        try:
            state.teardown_exact(following)
        finally:
            item._request = False
            item.funcargs = None
    return PASSED


class Reports:
    """A plug-in that hears how tests come out, and saves pytest the long texts about failures."""

    def __init__(self):
        self.heard = []
        self.excinfo = None  # of the last failure

    def pytest_runtest_makereport(self, item, call):
        excinfo, outcome = call.excinfo, PASSED
        if excinfo is not None:
            outcome = SKIPPED if isinstance(excinfo.value, Skipped) else FAILED
            if outcome is FAILED:
                self.excinfo = excinfo
        return pytest.TestReport(item.nodeid, item.location, {name: 1 for name in item.keywords}, outcome, "" if excinfo else None, call.when)

    def pytest_runtest_logreport(self, report):
        self.heard.append(report)

    def take(self):
        heard, self.heard = self.heard, []
        return heard


REPORTS = Reports()


class Instead:
    """A module, in which a function gives nothing."""

    def __init__(self, module, name, nothing):
        self.__dict__.update(vars(module))
        setattr(self, name, lambda *args, **options: nothing)


def terse():
    """Saves unittest the long texts about what is not equal: to draw the difference of two lists costs more than most tests."""
    case = unittest.case
    case.difflib, case.pprint = Instead(difflib, "ndiff", ()), Instead(pprint, "pformat", "")


def _protocol(item, following):
    REPORTS.take()
    try:
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
    except (KeyboardInterrupt, SystemExit, OutcomeException):
        force_teardown(item.session)
        return FAILED
    outcome = SKIPPED
    for report in REPORTS.take():
        if report.outcome == FAILED:
            return FAILED
        if report.when == "call" and report.outcome == PASSED:
            outcome = PASSED
    return outcome


def force_teardown(session):
    """Takes down whatever is still set up."""
    try:
        session._setupstate.teardown_exact(None)
    except TypeError:  # before pytest 6.3 it asked for the test, too
        session._setupstate.teardown_all()
    except (Exception, OutcomeException, OutOfFuel):
        pass


WAYS = {"call": _call, "fixtures": _fixtures, "protocol": _protocol}
