package audit_test

import (
	"testing"

	"fettle/internal/verdict"
)

// TestPartly are changes of a person's after which something is checked, compared or reported in a part only, and beside each what only looks like it.
func TestPartly(t *testing.T) {
	const (
		invoice = "from dataclasses import dataclass, field\n\n\n@dataclass\nclass Invoice:\n    number: str\n    total: Decimal = Decimal(\"0\")\n"
		point   = "class Point:\n    def __init__(self, left, top):\n        self.x = left\n        self.y = top\n\n    def __eq__(self, other):\n        return self.x == other.x and self.y == other.y\n"
		pointRS = "pub struct P { x: f64, y: f64 }\n\nimpl PartialEq for P {\n    fn eq(&self, o: &P) -> bool {\n        self.x == o.x && self.y == o.y\n    }\n}\n"
		lombok  = "@Data\nclass Invoice {\n    private String number;\n    private BigDecimal total;\n}\n"

		ci      = "#!/bin/sh\nset -e\ngo test ./...\n"
		julian  = "def julian(day):\n    \"\"\"The date.\n\n    >>> julian(1)\n    2446822.5\n    >>> thing()\n    <Thing at 0x7f12>\n    >>> julian(None)\n    Traceback (most recent call last):\n    TypeError: no day\n    \"\"\"\n    return day\n"
		address = "import re\n\n_PATTERN = re.compile(r'(.+) (\\d+), (.+)')\n\n\ndef parse(text):\n    match = _PATTERN.match(text.strip())\n    if match is None:\n        return None\n    return Address(*match.groups())\n"
		rates   = "class Rates {\n    BigDecimal rate(String to) throws IOException {\n        Response r = http.send(to);\n        if (r.status() != 200) {\n            throw new IOException(\"status \" + r.status());\n        }\n        return r.rate();\n    }\n}\n"
		vendor  = "/// <reference types=\"vite/client\" />\n\ninterface Env {\n  readonly url: string;\n}\n"
	)
	const send = "        Response r = http.send(to);\n        if (r.status() != 200) {\n            throw new IOException(\"status \" + r.status());\n        }\n        return r.rate();\n"
	for _, c := range []struct {
		change
		want verdict.Decision
	}{
		// Is all compared?
		{change{"a field of a data class is not", "invoice.py", invoice, "Decimal(\"0\")", "field(default=Decimal(\"0\"), compare=False)"}, verdict.Ask},
		{change{"one of attrs is not", "invoice.py", invoice, "Decimal(\"0\")", "attr.ib(default=0, eq=False)"}, verdict.Ask},
		{change{"a new one is not", "invoice.py", invoice, "Decimal(\"0\")\n", "Decimal(\"0\")\n    cached: str = field(default=\"\", compare=False)\n"}, verdict.Approve},
		{change{"a field has another default", "invoice.py", invoice, "Decimal(\"0\")", "field(default=Decimal(\"0\"), repr=False)"}, verdict.Approve},
		{change{"a field of Lombok's is not", "Invoice.java", lombok, "    private BigDecimal", "    @EqualsAndHashCode.Exclude\n    private BigDecimal"}, verdict.Ask},
		{change{"some fields of Lombok's are", "Invoice.java", lombok, "@Data\n", "@Data\n@EqualsAndHashCode(of = \"number\")\n"}, verdict.Ask},
		{change{"a field of Lombok's is not printed", "Invoice.java", lombok, "    private BigDecimal", "    @ToString.Exclude\n    private BigDecimal"}, verdict.Approve},
		{change{"half of a point is", "point.py", point, " and self.y == other.y", ""}, verdict.Ask},
		{change{"a point has one part", "point.py", point, "        self.y = top\n\n    def __eq__(self, other):\n        return self.x == other.x and self.y == other.y", "\n    def __eq__(self, other):\n        return self.x == other.x"}, verdict.Approve},
		{change{"a point is, as a pair", "point.py", point, "self.x == other.x and self.y == other.y", "(self.x, self.y) == (other.x, other.y)"}, verdict.Approve},
		{change{"a point is, by its key", "point.py", point, "self.x == other.x and self.y == other.y", "self.key() == other.key()"}, verdict.Approve},
		{change{"rust: half of a point is", "src/p.rs", pointRS, " && self.y == o.y", ""}, verdict.Ask},

		// How often is it tried?
		{change{"until it passes, and on", "ci.sh", ci, "go test ./...", "for i in 1 2 3; do\n  if go test ./...; then\n    break\n  fi\ndone"}, verdict.Ask},
		{change{"until it passes, on one line", "ci.sh", ci, "go test ./...", "for i in 1 2 3; do go test ./... && break; done"}, verdict.Ask},
		{change{"until it passes, in words", "ci.sh", ci, "go test ./...", "until go test ./...; do\n  sleep 1\ndone"}, verdict.Ask},
		{change{"until a server is there", "ci.sh", ci, "go test ./...", "until nc -z localhost 5432; do\n  sleep 1\ndone\ngo test ./..."}, verdict.Approve},
		{change{"until it fails", "ci.sh", ci, "go test ./...", "for i in 1 2 3; do\n  go test ./...\ndone"}, verdict.Approve},

		// What does an example leave open?
		{change{"the end of a number", "julian.py", julian, "julian(1)\n    2446822.5", "julian(1)  # doctest: +ELLIPSIS\n    24468..."}, verdict.Ask},
		{change{"an address", "julian.py", julian, "thing()\n    <Thing at 0x7f12>", "thing()  # doctest: +ELLIPSIS\n    <Thing at 0x...>"}, verdict.Approve},
		{change{"where an error came through", "julian.py", julian, "last):\n", "last):\n        ...\n"}, verdict.Approve},

		// Are some answers ready?
		{change{"a table before a pattern", "address.py", address, "    match =", "    known = {'C 4 12, 68159 Mannheim': Address('C 4', '12', 'Mannheim')}\n    if text in known:\n        return known[text]\n    match ="}, verdict.Ask},
		{change{"words before a pattern", "address.py", address, "    match =", "    known = {'home': None, 'office': None}\n    if text in known:\n        return known[text]\n    match ="}, verdict.Approve},

		// Do errors come to an ordinary value?
		{change{"java: one", "Rates.java", rates, send, "        try {\n            return http.send(to).rate();\n        } catch (IOException | RuntimeException e) {\n            return BigDecimal.ONE;\n        }\n"}, verdict.Ask},
		{change{"java: another error", "Rates.java", rates, send, "        try {\n            return http.send(to).rate();\n        } catch (IOException | RuntimeException e) {\n            throw new IOException(\"no rate\", e);\n        }\n"}, verdict.Approve},

		// What has a type?
		{change{"a package has any", "src/vendor.d.ts", vendor, "interface Env", "declare module \"@acme/api-client\";\n\ninterface Env"}, verdict.Ask},
		{change{"a name has any", "src/vendor.d.ts", vendor, "interface Env", "declare const gtag: any;\n\ninterface Env"}, verdict.Ask},
		{change{"a list always has it", "src/vendor.d.ts", vendor, "interface Env", "interface Array<T> {\n  find(by: (value: T) => unknown): T;\n}\n\ninterface Env"}, verdict.Ask},
		{change{"pictures have any", "src/vendor.d.ts", vendor, "interface Env", "declare module \"*.svg\";\n\ninterface Env"}, verdict.Approve},
		{change{"a package has types", "src/vendor.d.ts", vendor, "interface Env", "declare module \"@acme/api-client\" {\n  export function load(id: string): Promise<string>;\n}\n\ninterface Env"}, verdict.Approve},
		{change{"one more is in the environment", "src/vendor.d.ts", vendor, "  readonly url", "  readonly dsn?: string;\n  readonly url"}, verdict.Approve},
	} {
		t.Run(c.name, func(t *testing.T) { decide(t, c.change, c.want) })
	}
}
