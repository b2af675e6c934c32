"""Lays changed texts over files in every Python that a test starts: the interpreter imports this module before anything else.

The sitecustomize that would have been imported instead is imported as well.
"""

import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [p for p in sys.path if p != here]


def lay():
    import json
    sys.path.insert(0, os.path.dirname(here))
    try:
        from fettle_runner.loader import Loader
    finally:
        del sys.path[0]
    with open(os.environ["FETTLE_TEXTS"], encoding="utf-8") as f:
        given = json.load(f)
    loader = Loader(counts=lambda path: False)
    loader.lay(given["root"], given["texts"])
    loader.install()


def run_the_other():
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec
    spec = PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None:
        module = sys.modules["sitecustomize"] = module_from_spec(spec)
        spec.loader.exec_module(module)


lay()
run_the_other()
