"""Counts steps in the standard library, and in texts that are hard to count in: nothing may stop compiling or mean something else."""

import ast
import asyncio
import email
import json
import os
import sys
import unittest
import warnings

from fettle_runner import fuel, source

warnings.simplefilter("ignore")

# What each text leaves in `out`, and how many steps it takes at least.
TEXTS = [
    ("out = [x for x in range(5)if(x)>1]", [2, 3, 4], 5),
    ("out = []\nfor x in 1, 2:\n    if(x)>1: out.append(x)", [2], 2),
    ("def f(n):\n    'text'\n    return(lambda:n)()\nout = f(3)", 3, 2),
    ("def f(n):\n    if(n):\n        return f(n - 1)\n    return 'end'\nout = f(9)", "end", 10),
    ("def f():\n    for x in(1, 2):\n        yield x\nout = list(f())", [1, 2], 3),
    ("n = 0\nwhile n < 5:\n    try:\n        n += 1\n    except:\n        pass\nout = n", 5, 5),
    ("def f():\n    global g; g = 1; return 2\nout = f()", 2, 1),
    ("def f():\n    def g():\n        return 4\n    return g()\nout = f()", 4, 2),
    ("out = {k: v for k in 'ab' for v in [1] if not v > 1}", {"a": 1, "b": 1}, 2),
    ("def f(x):\n    with(open(x)) as g: return g.read()\nout = f('%s')" % os.devnull, "", 1),
    ("s = 'ü'; out = [c for c in s if(c)]", ["ü"], 1),
    ("out = ''.join(f'{x}{[y for y in x]}' for x in 'ab')", "a['a']b['b']", 2),
]


def check_texts():
    for text, want, least in TEXTS:
        names, tank = {}, fuel.Tank(1000)
        exec(compile(source.counted(text.encode()), "text", "exec"), names)
        if names["out"] != want or tank.used() < least:
            print(repr(text), names["out"], tank.used())


def check_library():
    for package in (asyncio, email, json, unittest):
        folder = os.path.dirname(package.__file__)
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".py"):
                continue
            with open(os.path.join(folder, name), "rb") as f:
                text = f.read()
            counted = source.counted(text)
            try:
                compile(counted, name, "exec", dont_inherit=True)
            except SyntaxError as e:
                print(name, e)
            if counted.count(b"\n") != text.count(b"\n"):
                print(name, "has other lines")
            for f in source.functions(text, ast.parse(text)):
                if not text[f.start:f.end].lstrip(b"async ").startswith(b"def"):
                    print(name, f.name, "is not where it should be")


check_texts()
check_library()
print("done on", sys.version.split()[0])
