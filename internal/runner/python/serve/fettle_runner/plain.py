"""Running tests as the user would: nothing is counted or exchanged but the texts of files."""

import json

from . import warm
from .loader import Loader


def prepare(settings):
    loader = Loader(counts=lambda path: False)
    loader.lay(settings.root, settings.texts)
    loader.install()


class Reporter:
    """Writes a line for each test that was run: its id, and whether it passed."""

    def __init__(self, settings):
        self.settings, self.ids, self.failed = settings, {}, set()
        self.out = open(settings.report, "w", encoding="ascii")

    def pytest_collection_finish(self, session):
        for item, ident in warm.wanted(self.settings, warm.identify(self.settings, session.items)).items():
            self.ids[item.nodeid] = ident

    def pytest_runtest_logreport(self, report):
        ident = self.ids.get(report.nodeid)
        if ident is None:
            return
        if report.when == "call" or report.outcome != "passed":
            self.write(ident, report.outcome)

    def pytest_sessionfinish(self):
        self.write("", "end")

    def write(self, ident, outcome):
        self.out.write(json.dumps([ident, outcome]) + "\n")
        self.out.flush()
