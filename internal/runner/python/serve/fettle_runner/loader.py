"""What is imported: texts laid over files, and sources of the repository with their steps counted.

Every way of importing a source file ends in SourceFileLoader, so that is where the texts are exchanged, and not at the finders.
"""

import hashlib
import marshal
import os
from importlib.machinery import SourceFileLoader

from . import source

_plain = {name: getattr(SourceFileLoader, name) for name in ("get_data", "path_stats", "source_to_code")}


class Loader:
    """Changes SourceFileLoader for this process. Nothing that it changes is read from or written to bytecode files of Python's."""

    def __init__(self, counts, cache="", limit=2 << 20):
        self.counts = counts  # tells whether steps of a file are counted
        self.cache = cache    # a folder for compiled sources; empty: none
        self.limit = limit    # bytes of source whose steps are counted; what is imported after it goes uncounted
        self.texts = {}       # laid over files, by real path

    def lay(self, root, texts):
        """Lays texts over files, which are given by their paths from a root."""
        self.texts = {os.path.realpath(os.path.join(root, path)): text.encode("utf-8") for path, text in texts.items()}

    def install(self):
        loader = self

        def get_data(self, path):
            text = loader.texts.get(os.path.realpath(path)) if loader.texts else None
            return _plain["get_data"](self, path) if text is None else text

        def path_stats(self, path):
            real = os.path.realpath(path)
            if real in loader.texts or loader.counts(real):
                raise OSError("compiled afresh")
            return _plain["path_stats"](self, path)

        def source_to_code(self, data, path, **options):
            if isinstance(path, str) and loader.counts(os.path.realpath(path)):
                code = loader.counted(bytes(data), path, options)
                if code is not None:
                    return code
            return _plain["source_to_code"](self, data, path, **options)

        for method in (get_data, path_stats, source_to_code):
            setattr(SourceFileLoader, method.__name__, method)
        self.remember_rewritten()

    def remember_rewritten(self):
        """Has pytest take the tests whose asserts it has rewritten before out of the cache: no bytecode files are written, so each process would rewrite
        them once more."""
        if not self.cache:
            return
        try:
            from _pytest.assertion import rewrite
            plain = rewrite._rewrite_test
        except (ImportError, AttributeError):
            return  # another pytest: each process rewrites them

        def _rewrite_test(fn, *args):
            status = os.stat(fn)
            with open(fn, "rb") as f:
                name = self.name(b"rewritten", os.fspath(fn), f.read())
            code = self.kept(name)
            if code is None:
                status, code = plain(fn, *args)
                self.keep(name, code)
            return status, code
        rewrite._rewrite_test = _rewrite_test

    def counted(self, text, path, options):
        """The code with its steps counted, or None where that cannot be had."""
        if len(text) > self.limit:
            return None
        self.limit -= len(text)
        name = self.name(b"counted", path, text)
        code = self.kept(name)
        if code is not None:
            return code
        try:
            code = compile(source.counted(text), path, "exec", dont_inherit=True, optimize=options.get("_optimize", -1))
        except (SyntaxError, ValueError, RecursionError):
            return None
        self.keep(name, code)
        return code

    def name(self, what, path, text):
        """Where code made of a text is kept."""
        return os.path.join(self.cache, hashlib.sha256(b"\0".join([what, path.encode("utf-8", "surrogateescape"), text])).hexdigest())

    def kept(self, name):
        """The code that some process has kept, or None."""
        if not self.cache:
            return None
        try:
            with open(name, "rb") as f:
                return marshal.load(f)
        except (OSError, EOFError, ValueError, TypeError):
            return None

    def keep(self, name, code):
        if not self.cache:
            return
        draft = "%s.%d" % (name, os.getpid())
        try:
            with open(draft, "wb") as f:
                marshal.dump(code, f)
            os.replace(draft, name)
        except OSError:
            pass  # it is compiled again the next time
