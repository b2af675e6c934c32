"""Has aider apply replies, one of JSON a line on standard input, and says of each what became of the file.

A line in:  {"format": "diff" | "udiff" | "whole", "path": "a.py", "base": "…", "reply": "…"}
A line out: {"text": the file afterwards, "other": other files changed or made, "refused": whether aider asks its model again}
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from aider.coders import Coder
from aider.io import InputOutput
from aider.models import Model


class Quiet(InputOutput):
    """Nobody is there: nothing is shown, and what aider would ask is answered with no, so no command is run and no file is added."""

    def __init__(self):
        super().__init__(pretty=False, yes=False, fancy_input=False)

    def tool_output(self, *messages, **_):
        pass

    def tool_error(self, *messages, **_):
        pass

    tool_warning = tool_error


def main():
    out, sys.stdout = sys.stdout, sys.stderr  # the libraries print what they like
    model = Model("gpt-4o")  # never asked
    top = Path(tempfile.mkdtemp()).resolve()
    os.chdir(top)
    coders = {}
    try:
        for n, line in enumerate(sys.stdin):
            row = json.loads(line)
            root = top / str(n)
            file = root / row["path"]
            file.parent.mkdir(parents=True)
            with open(file, "w", encoding="utf-8", newline="") as f:
                f.write(row["base"])
            os.chdir(root)
            if row["format"] not in coders:
                coders[row["format"]] = Coder.create(model, row["format"], io=Quiet(), fnames=[], use_git=False, map_tokens=0, stream=False)
            coder = coders[row["format"]]
            coder.root = str(root)
            coder.abs_root_path_cache = {}
            coder.abs_fnames = {str(file)}
            coder.reflected_message = None
            coder.shell_commands = []
            coder.choose_fence()
            coder.partial_response_content = row["reply"]
            coder.partial_response_function_call = {}
            crashed = False
            try:
                coder.apply_updates()
            except Exception as err:  # the person sees an error, and the file as it is
                print(repr(err), file=sys.stderr)
                crashed = True
            others = sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file() and p != file)
            with open(file, encoding="utf-8", newline="") as f:
                text = f.read()
            print(json.dumps({"text": text, "other": others, "refused": bool(coder.reflected_message) or crashed}), file=out, flush=True)
            os.chdir(top)
            shutil.rmtree(root)
    finally:
        os.chdir("/")
        shutil.rmtree(top, ignore_errors=True)


main()
