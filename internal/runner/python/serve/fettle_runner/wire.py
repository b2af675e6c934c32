"""Lines of JSON over the standard streams, which are then taken away from everybody else."""

import json
import os


class Wire:
    """Requests come in as lines, replies go out as lines. No reply is longer than what one write takes, or nobody else writes meanwhile."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.rest = b""

    @classmethod
    def of_standard_streams(cls):
        """Takes over stdin and stdout: from now on there is nothing to read, and what is printed goes to stderr."""
        wire = cls(os.dup(0), os.dup(1))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return wire

    def send(self, message):
        self.send_line(json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n")

    def send_line(self, line):
        view = memoryview(line)
        while view:
            view = view[os.write(self.writer, view):]

    def receive(self):
        """The next request, or None when there will be none."""
        line = self.receive_line()
        return None if line is None else json.loads(line)

    def receive_line(self):
        parts = [self.rest]
        while b"\n" not in parts[-1]:
            data = os.read(self.reader, 1 << 20)
            if not data:
                return None
            parts.append(data)
        line, _, self.rest = b"".join(parts).partition(b"\n")
        return line
