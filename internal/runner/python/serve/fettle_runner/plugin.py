"""pytest's hooks.

The user's own command line and configuration hold, but for what only reports, what chooses other tests, and what runs them in other processes.
"""

import os

import pytest

from . import boss, kept, plain, warm
from .items import REPORTS
from .settings import Settings
from .wire import Wire

SETTINGS = Settings.take()
SERVES = SETTINGS.mode == "serve"
WIRE = Wire.of_standard_streams() if SERVES else None

# What is taken back, by the name that the option has after parsing.
IDLE = {
    "xmlpath": None, "htmlpath": None, "report_log": None, "json_report_file": None, "json_report": False, "md_report": False, "pastebin": None,
    "numprocesses": None, "dist": "no", "tx": [], "distload": False, "looponfail": False, "forked": False,
    "lf": False, "failedfirst": False, "newfirst": False, "stepwise": False, "stepwise_skip": False,
    "maxfail": 0, "usepdb": False, "trace": False, "setupshow": False, "setuponly": False, "reruns": 0, "count": 1, "picked": None, "testmon": False,
    "durations": None, "cacheclear": False,
}
COVERAGE = {"cov_source": [], "no_cov": True}


def idle(options, which):
    for name, value in which.items():
        if hasattr(options, name):
            setattr(options, name, value)


def pytest_addoption(parser, pluginmanager):
    """A project may go without pytest's cache; that we say where to put it is no reason to complain then."""
    if pluginmanager.is_blocked("cacheprovider"):
        try:
            parser.addini("cache_dir", "where pytest keeps what it remembers", default=".pytest_cache")
        except ValueError:
            pass  # it was known before it was turned off


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config):
    """Nothing of the repository has been imported yet."""
    idle(early_config.known_args_namespace, COVERAGE)
    kept.put_back(SETTINGS.kept)
    if SERVES:
        boss.serve(SETTINGS, WIRE)  # comes back in the forked process only
    else:
        plain.prepare(SETTINGS)
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    idle(config.option, IDLE)
    SETTINGS.python_files = list(config.getini("python_files"))
    config.args = files(SETTINGS) or config.args
    if SERVES:
        config.pluginmanager.register(REPORTS, "fettle-reports")
    else:
        config.pluginmanager.register(plain.Reporter(SETTINGS), "fettle-plain")


MANY = 64  # files by name: pytest looks for each of them among all that lies beside it, so many take longer than collecting everything


def files(settings):
    """The files of the wanted tests, in the order in which pytest meets them. None at all where there are many, or one of them is no file: then
    everything has to be collected."""
    names = sorted({ident.partition("::")[0] for ident in settings.ids})
    if len(names) > MANY:
        return []
    paths = [os.path.join(settings.root, name) for name in names]
    return paths if all(os.path.isfile(p) for p in paths) else []


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    known = warm.identify(SETTINGS, items)
    wanted = warm.wanted(SETTINGS, known)
    items[:] = [item for item in items if item in wanted]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    if not SERVES:
        return None
    boss.collected(session)  # does not return


def pytest_collectreport(report):
    if report.failed and SERVES:
        boss.ERRORS.append("%s: %s" % (report.nodeid, str(report.longrepr).strip().split("\n")[-1]))
