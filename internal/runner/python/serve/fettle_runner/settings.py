"""What this process is to do, as Go has written it down, and which files are the repository's own."""

import fnmatch
import json
import os
import sys

VARIABLE = "FETTLE_RUNNER"

# Folders of the root that hold other people's code.
FOREIGN = ("site-packages", "dist-packages", "node_modules", "__pycache__")


class Settings:
    def __init__(self, given):
        self.mode = given["mode"]                      # "serve" or "plain"
        self.root = os.path.realpath(given["root"])
        self.dir = os.path.realpath(given["dir"])      # where the user's command runs
        self.ids = given["ids"] or []                  # of the tests that are wanted
        self.files = {os.path.realpath(os.path.join(self.root, f)) for f in given.get("files") or ()}  # that failing ones stand in
        self.most = given.get("most", 0)               # so many of all tests are wanted, where nobody knows which
        self.cache = given.get("cache", "")            # a folder for compiled sources
        self.texts = given.get("texts", {})            # laid over files, by path from the root
        self.report = given.get("report", "")          # plain: where outcomes are written
        self.scratch = given["scratch"]                # a folder for the tests' own temporary files
        self.kept = os.path.join(os.path.dirname(self.scratch), "kept")  # the repository's files before any candidate
        self.python_files = ["test_*.py", "*_test.py"]  # pytest's, once that is known
        self.dotted = given.get("dotted", False)       # ids are as unittest has them
        self.known = {}

    @classmethod
    def take(cls):
        """Reads the settings, and hides from the tests how this plugin got here."""
        with open(os.environ.pop(VARIABLE), encoding="utf-8") as f:
            settings = cls(json.load(f))
        here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        sys.path[:] = [p for p in sys.path if p != here]
        kept = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p != here]
        os.environ.pop("PYTHONPATH", None)
        if kept:
            os.environ["PYTHONPATH"] = os.pathsep.join(kept)
        return settings

    def relative(self, path):
        """The path from the root, with slashes, or None outside of the root and in other people's code. The path is a real one."""
        if not path.startswith(self.root + os.sep):
            return None
        rel = path[len(self.root) + 1:]
        folders = rel.split(os.sep)[:-1]
        if any(f in FOREIGN or f.startswith(".") for f in folders) or self.in_environment(folders):
            return None
        return rel.replace(os.sep, "/")

    def in_environment(self, folders):
        """Whether one of the folders is a virtual environment."""
        at = self.root
        for f in folders:
            at = os.path.join(at, f)
            if at not in self.known:
                self.known[at] = os.path.exists(os.path.join(at, "pyvenv.cfg"))
            if self.known[at]:
                return True
        return False

    def owned(self, path):
        """Whether a file, by its real path, is source of the repository's own and no test."""
        if path not in self.known:
            name = os.path.basename(path)
            self.known[path] = (
                name.endswith(".py") and name != "conftest.py" and self.relative(path) is not None
                and not any(fnmatch.fnmatch(name, p) or "/" in p and fnmatch.fnmatch(path, "*/" + p) for p in self.python_files))
        return self.known[path]

    def counted(self, path):
        """Whether the steps of a file, by its real path, are counted: a test, too, may go round and round in what a source has made."""
        return path in self.files or self.owned(path)
