package complaint_test

import (
	"path"
	"strings"
	"testing"

	"fettle/internal/diag"
	"fettle/internal/fix/complaint"
)

// saying is a complaint in its tool's own words, about a source in which § stands where the tool points to, and what its likeliest remedy makes of it;
// the same source again where there is none.
type saying struct {
	path, tool, rule, message string
	source, want              string
	project                   project
}

var sayings = []saying{
	// TypeScript: imports, types, members and names that nobody uses.
	{"a.ts", "tsc", "TS6192", "All imports in import declaration are unused.", "§import { a, b } from './b';\n\nexport const x = 1;\n", "export const x = 1;\n", nil},
	{"a.ts", "tsc", "TS6133", "'A' is declared but its value is never read.", "import §A, { b } from './b';\n\nexport const x = b;\n", "import { b } from './b';\n\nexport const x = b;\n", nil},
	{"a.ts", "tsc", "TS6133", "'b' is declared but its value is never read.", "import A, { §b } from './b';\n\nexport const x = A;\n", "import A from './b';\n\nexport const x = A;\n", nil},
	{"a.ts", "tsc", "TS6196", "'Role' is declared but never used.", "import type { §Role, User } from './b';\n\nexport const x = (u: User) => u;\n", "import type { User } from './b';\n\nexport const x = (u: User) => u;\n", nil},
	{"a.ts", "tsc", "TS6196", "'Point' is declared but never used.", "// A place.\ninterface §Point {\n  x: number;\n}\n\nexport const x = 1;\n", "export const x = 1;\n", nil},
	{"a.ts", "tsc", "TS6196", "'Size' is declared but never used.", "export const x = 1;\n\ntype §Size = { w: number };\n", "export const x = 1;\n", nil},
	{"a.ts", "tsc", "TS6133", "'helper' is declared but its value is never read.", "function §helper(): number {\n  return 1;\n}\n\nexport const x = 1;\n", "export const x = 1;\n", nil},
	{"a.js", "eslint", "no-unused-vars", "'helper' is defined but never used.", "function §helper () {\n  return 1\n}\n", "function §helper () {\n  return 1\n}\n", nil},
	{"a.ts", "tsc", "TS6133", "'total' is declared but its value is never read.", "export class A {\n  private §total(): number {\n    return 1;\n  }\n\n  size = 1;\n}\n", "export class A {\n  size = 1;\n}\n", nil},
	{"a.ts", "tsc", "TS6133", "'n' is declared but its value is never read.", "export class A {\n  private §n = load();\n}\n", "export class A {\n  private §n = load();\n}\n", nil},
	{"a.ts", "tsc", "TS6133", "'id' is declared but its value is never read.", "export function f(user: User): string {\n  const { §id, name } = user;\n  return name;\n}\n", "export function f(user: User): string {\n  const { name } = user;\n  return name;\n}\n", nil},
	{"a.ts", "tsc", "TS6133", "'id' is declared but its value is never read.", "export function f(user: User): object {\n  const { §id, ...rest } = user;\n  return rest;\n}\n", "export function f(user: User): object {\n  const { §id, ...rest } = user;\n  return rest;\n}\n", nil},
	{"a.ts", "tsc", "TS6133", "'a' is declared but its value is never read.", "export function f(xs: number[]): number {\n  const [§a, b] = xs;\n  return b;\n}\n", "export function f(xs: number[]): number {\n  const [, b] = xs;\n  return b;\n}\n", nil},
	{"a.ts", "tsc", "TS6198", "All destructured elements are unused.", "export function f(user: User): number {\n  const §{ id, name } = user;\n  return 1;\n}\n", "export function f(user: User): number {\n  return 1;\n}\n", nil},
	{"a.ts", "tsc", "TS6133", "'i' is declared but its value is never read.", "export const f = [1].map((x, §i) => x);\n", "export const f = [1].map((x) => x);\n", nil},
	{"a.ts", "tsc", "TS6133", "'a' is declared but its value is never read.", "export function f(§a: number, b: number): number {\n  return b;\n}\n", "export function f(_a: number, b: number): number {\n  return b;\n}\n", nil},
	{"a.js", "eslint", "no-unused-vars", "'err' is defined but never used.", "try {\n  f()\n} catch (§err) {\n  g()\n}\n", "try {\n  f()\n} catch {\n  g()\n}\n", nil},
	{"a.py", "ruff", "B007", "Loop control variable `name` not used within loop body", "for §name, n in pairs:\n    print(n)\n", "for _name, n in pairs:\n    print(n)\n", nil},

	// What may be missing.
	{"a.ts", "tsc", "TS2722", "Cannot invoke an object which is possibly 'undefined'.", "export function f(g?: () => number) {\n  return §g();\n}\n", "export function f(g?: () => number) {\n  return g?.();\n}\n", nil},
	{"a.ts", "tsc", "TS18047", "'m' is possibly 'null'.", "export function f(m: string[] | null) {\n  return §m[0];\n}\n", "export function f(m: string[] | null) {\n  return m?.[0];\n}\n", nil},
	{"a.ts", "tsc", "TS18048", "'a' is possibly 'undefined'.", "export function f(a: number | undefined, b: number): number {\n  return §a + b;\n}\n", "export function f(a: number | undefined, b: number): number {\n  if (a === undefined) {\n    return 0;\n  }\n  return a + b;\n}\n", nil},
	{"a.ts", "tsc", "TS2488", "Type 'number[] | undefined' must have a '[Symbol.iterator]()' method that returns an iterator.", "export const f = (xs?: number[]) => [...§xs, 1];\n", "export const f = (xs?: number[]) => [...(xs ?? []), 1];\n", nil},
	{"a.ts", "tsc", "TS2345", "Argument of type 'User | undefined' is not assignable to parameter of type 'User'.", "export function f(user: User | undefined): string {\n  return show(§user);\n}\n", "export function f(user: User | undefined): string {\n  if (user === undefined) {\n    return \"\";\n  }\n  return show(user);\n}\n", nil},
	{"a.ts", "tsc", "TS18046", "'err' is of type 'unknown'.", "try {\n  f();\n} catch (err) {\n  console.log(§err.message);\n}\n", "try {\n  f();\n} catch (err) {\n  console.log(err instanceof Error ? err.message : String(err));\n}\n", nil},
	{"a.ts", "tsc", "TS18046", "'x' is of type 'unknown'.", "export const f = (x: unknown) => §x.message;\n", "export const f = (x: unknown) => §x.message;\n", nil},
	{"a.ts", "tsc", "TS2322", "Type 'null' is not assignable to type 'string'.", "export function f(): string {\n  §return null;\n}\n", "export function f(): string | null {\n  return null;\n}\n", nil},
	{"a.py", "mypy", "assignment", `Incompatible default for parameter "name" (default has type "None", parameter has type "str")`, "def f(name: str = §None) -> str:\n    return \"a\"\n", "def f(name: str | None = None) -> str:\n    return \"a\"\n", nil},
	{"a.py", "mypy", "assignment", `Incompatible default for parameter "n" (default has type "None", parameter has type "int")`, "from typing import Optional\n\n\ndef f(a: Optional[int], n: int = §None) -> int:\n    return 1\n", "from typing import Optional\n\n\ndef f(a: Optional[int], n: Optional[int] = None) -> int:\n    return 1\n", nil},
	{"a.py", "mypy", "assignment", `Incompatible default for parameter "n" (default has type "None", parameter has type "int")`, "def f(n: int = §None) -> int:\n    return 1\n", "from typing import Optional\n\ndef f(n: Optional[int] = None) -> int:\n    return 1\n", project{"b.py": "from typing import Optional\nx: Optional[int] = None\n"}},
	{"a.py", "mypy", "assignment", `Incompatible types in assignment (expression has type "None", variable has type "str")`, "class A:\n    name: str = §None\n", "class A:\n    name: str | None = None\n", nil},
	{"a.py", "pyright", "reportArgumentType", `Expression of type "None" cannot be assigned to parameter of type "list[int]"`, "def f(xs: list[int] = §None) -> int:\n    return 1\n", "def f(xs: list[int] | None = None) -> int:\n    return 1\n", nil},
	{"a.py", "pyright", "reportReturnType", `Type "None" is not assignable to return type "int"`, "def f(x: int) -> int:\n    return §None\n", "def f(x: int) -> int | None:\n    return None\n", nil},
	{"a.py", "pyright", "reportOptionalCall", `Object of type "None" cannot be called`, "def f(g: Callable[[], int] | None) -> int:\n    return §g()\n", "def f(g: Callable[[], int] | None) -> int:\n    if g is None:\n        return 0\n    return g()\n", nil},
	{"a.py", "mypy", "misc", `"None" not callable`, "def f(g: Callable[[], int] | None) -> int:\n    return §g()\n", "def f(g: Callable[[], int] | None) -> int:\n    if g is None:\n        return 0\n    return g()\n", nil},
	{"a.py", "pyright", "reportOptionalContextManager", `Object of type "None" cannot be used with "with"`, "def f(g: IO[str] | None) -> None:\n    with §g:\n        g.write(\"x\")\n", "def f(g: IO[str] | None) -> None:\n    if g is None:\n        return\n    with g:\n        g.write(\"x\")\n", nil},
	{"a.py", "pyright", "reportOptionalMemberAccess", `"group" is not a known attribute of "None"`, "def f(m: Match | None) -> str:\n    return m.§group()\n", "def f(m: Match | None) -> str:\n    if m is None:\n        return \"\"\n    return m.group()\n", nil},
	{"a.py", "pyright", "reportOptionalSubscript", `Object of type "None" is not subscriptable`, "def f(xs: list[int] | None) -> int:\n    return §xs[0]\n", "def f(xs: list[int] | None) -> int:\n    if xs is None:\n        return 0\n    return xs[0]\n", nil},
	{"a.py", "pyright", "reportOptionalOperand", `Operator "<" not supported for "None"`, "def f(n: int | None) -> bool:\n    return §n < 3\n", "def f(n: int | None) -> bool:\n    if n is None:\n        return False\n    return n < 3\n", nil},
	{"a.py", "mypy", "operator", `Unsupported operand types for > ("int" and "None")`, "def f(n: int | None) -> bool:\n    return §n < 3\n", "def f(n: int | None) -> bool:\n    if n is None:\n        return False\n    return n < 3\n", nil},

	// Promises.
	{"a.ts", "tsc", "TS1308", "'await' expressions are only allowed within async functions and at the top levels of modules.", "export function f(id: number): string {\n  const u = §await load(id);\n  return u.name;\n}\n", "export async function f(id: number): Promise<string> {\n  const u = await load(id);\n  return u.name;\n}\n", nil},
	{"a.ts", "tsc", "TS1308", "'await' expressions are only allowed within async functions and at the top levels of modules.", "export const f = (id: number) => {\n  return §await load(id);\n};\n", "export const f = async (id: number) => {\n  return await load(id);\n};\n", nil},
	{"a.ts", "tsc", "TS1064", "The return type of an async function or method must be the global Promise<T> type. Did you mean to write 'Promise<User>'?", "export async function f(id: number): §User {\n  return load(id);\n}\n", "export async function f(id: number): Promise<User> {\n  return load(id);\n}\n", nil},
	{"a.py", "mypy", "syntax", `"await" outside coroutine ("async def")`, "def f() -> int:\n    return §await g()\n", "async def f() -> int:\n    return await g()\n", nil},
	{"a.py", "pyright", "reportArgumentType", `Argument of type "CoroutineType[Any, Any, str]" cannot be assigned to parameter "obj" of type "Sized" in function "len"`, "async def f() -> int:\n    return len(§load())\n", "async def f() -> int:\n    return len(await load())\n", nil},
	{"a.ts", "eslint", "@typescript-eslint/await-thenable", "Unexpected `await` of a non-Promise (non-\"Thenable\") value.", "export async function f(n: number) {\n  return §await n;\n}\n", "export async function f(n: number) {\n  return n;\n}\n", nil},
	{"a.ts", "eslint", "@typescript-eslint/no-misused-promises", "Expected non-Promise value in a boolean conditional.", "export async function f() {\n  if (§load()) { return 1; }\n  return 2;\n}\n", "export async function f() {\n  if (await load()) { return 1; }\n  return 2;\n}\n", nil},
	{"a.ts", "tsc", "TS2588", "Cannot assign to 'y' because it is a constant.", "const y = 1;\n§y = 2;\n", "let y = 1;\ny = 2;\n", nil},

	// Java: javac and Checkstyle.
	{"A.java", "javac", "", "cannot find symbol: variable nam2", "class A {\n    String name;\n\n    String f() {\n        return this§.nam2;\n    }\n}\n", "class A {\n    String name;\n\n    String f() {\n        return this.name;\n    }\n}\n", nil},
	{"A.java", "javac", "", "cannot find symbol: method lengt()", "class A {\n    int f(String s) {\n        return s§.lengt();\n    }\n}\n", "class A {\n    int f(String s) {\n        return s.length();\n    }\n}\n", nil},
	{"A.java", "javac", "", "cannot find symbol: variable vlaue", "class A {\n    int f(B b) {\n        return b§.vlaue;\n    }\n}\n", "class A {\n    int f(B b) {\n        return b.value;\n    }\n}\n", project{"B.java": "class B {\n    int value = 1;\n}\n"}},
	{"A.java", "javac", "", "cannot find symbol: method totl()", "class A {\n    int total() {\n        return 1;\n    }\n\n    int f() {\n        return §totl();\n    }\n}\n", "class A {\n    int total() {\n        return 1;\n    }\n\n    int f() {\n        return total();\n    }\n}\n", nil},
	{"A.java", "javac", "", "cannot find symbol: variable length", "class A {\n    int f(int a, String s) {\n        return s§.length;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return s.length();\n    }\n}\n", nil},
	{"A.java", "javac", "", "cannot find symbol: class BufferedReader", "package p;\n\nclass A {\n    §BufferedReader r;\n}\n", "package p;\n\nimport java.io.BufferedReader;\n\nclass A {\n    BufferedReader r;\n}\n", nil},
	{"A.java", "javac", "", "method area in class A cannot be applied to given types;\n  required: int,int\n  found:    int,int,int\n  reason: actual and formal argument lists differ in length", "class A {\n    int f(int a, String s) {\n        return §area(a, a, 3);\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return area(a, a);\n    }\n}\n", nil},
	{"A.java", "javac", "", "cannot assign a value to final variable k", "class A {\n    int f(int a, String s) {\n        final int k = 1;\n        §k = a;\n        return k;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        int k = 1;\n        k = a;\n        return k;\n    }\n}\n", nil},
	{"A.java", "javac", "", "incompatible types: String cannot be converted to Optional<String>", "class A {\n    Optional<String> f(String s) {\n        return §s;\n    }\n}\n", "class A {\n    Optional<String> f(String s) {\n        return Optional.ofNullable(s);\n    }\n}\n", nil},
	{"A.java", "checkstyle", "RedundantImport", "Duplicate import to line 1 - java.util.List.", "import java.util.List;\n§import java.util.List;\n\nclass A { List l; }\n", "import java.util.List;\n\nclass A { List l; }\n", nil},
	{"A.java", "checkstyle", "AvoidStarImport", "Using the '.*' form of import should be avoided - java.util.*.", "package p;\n\nimport java.util§.*;\n\nclass A {\n    private final List<String> l = new ArrayList<>();\n    B b;\n\n    @Override\n    public String toString() {\n        return String.join(\",\", l) + Objects.hash(b);\n    }\n}\n", "package p;\n\nimport java.util.ArrayList;\nimport java.util.List;\nimport java.util.Objects;\n\nclass A {\n    private final List<String> l = new ArrayList<>();\n    B b;\n\n    @Override\n    public String toString() {\n        return String.join(\",\", l) + Objects.hash(b);\n    }\n}\n", project{"B.java": "package p;\nclass B {}\n"}},
	{"A.java", "checkstyle", "AvoidStarImport", "Using the '.*' form of import should be avoided - org.acme.*.", "import org.acme§.*;\n\nclass A {\n    Widget w;\n}\n", "import org.acme§.*;\n\nclass A {\n    Widget w;\n}\n", nil},
	{"A.java", "checkstyle", "MissingOverride", "Must include @java.lang.Override annotation when '@inheritDoc' Javadoc tag exists.", "class A {\n    /** {@inheritDoc} */\n    §public String toString() {\n        return \"a\";\n    }\n}\n", "class A {\n    /** {@inheritDoc} */\n    @Override\n    public String toString() {\n        return \"a\";\n    }\n}\n", nil},
	{"A.java", "checkstyle", "NeedBraces", "'if' construct must use '{}'s.", "class A {\n    int f(int a, String s) {\n        §if (a > 1) return 1;\n        return 2;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        if (a > 1) {\n            return 1;\n        }\n        return 2;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "NeedBraces", "'if' construct must use '{}'s.", "class A {\n    int f(int a, String s) {\n        §if (a > 1)\n            return 1;\n        else {\n            return 2;\n        }\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        if (a > 1) {\n            return 1;\n        } else {\n            return 2;\n        }\n    }\n}\n", nil},
	{"A.java", "checkstyle", "NeedBraces", "'else' construct must use '{}'s.", "class A {\n    int f(int a, String s) {\n        if (a > 1) {\n            return 1;\n        } §else\n            return 2;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        if (a > 1) {\n            return 1;\n        } else {\n            return 2;\n        }\n    }\n}\n", nil},
	{"A.java", "checkstyle", "NeedBraces", "'for' construct must use '{}'s.", "class A {\n    int f(int a, String s) {\n        §for (int i = 0; i < 3; i++)\n            a++;\n        return a;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        for (int i = 0; i < 3; i++) {\n            a++;\n        }\n        return a;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "UpperEll", "Should use uppercase 'L'.", "class A {\n    long n = §10l;\n}\n", "class A {\n    long n = 10L;\n}\n", nil},
	{"A.java", "checkstyle", "ArrayTypeStyle", "Array brackets at illegal position.", "class A {\n    void f(String args§[]) {\n    }\n}\n", "class A {\n    void f(String[] args) {\n    }\n}\n", nil},
	{"A.java", "checkstyle", "ModifierOrder", "'public' modifier out of order with the JLS suggestions.", "class A {\n    @Deprecated static §public final int N = 1;\n}\n", "class A {\n    @Deprecated public static final int N = 1;\n}\n", nil},
	{"A.java", "checkstyle", "RedundantModifier", "Redundant 'public' modifier.", "interface I {\n    §public void go();\n}\n", "interface I {\n    void go();\n}\n", nil},
	{"A.java", "checkstyle", "EmptyStatement", "Empty statement.", "class A {\n    int f(int a, String s) {\n        §;\n        return a;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return a;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "StringLiteralEquality", "Literal Strings should be compared using equals(), not '=='.", "class A {\n    int f(int a, String s) {\n        return s §!= \"x\" ? 1 : 2;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return !\"x\".equals(s) ? 1 : 2;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "EqualsAvoidNull", "String literal expressions should be on the left side of an equals comparison.", "class A {\n    int f(int a, String s) {\n        return s.equals§(\"x\") ? 1 : 2;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return \"x\".equals(s) ? 1 : 2;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "SimplifyBooleanReturn", "Conditional logic can be removed.", "class A {\n    boolean f(int n) {\n        §if (n > 1) {\n            return false;\n        } else {\n            return true;\n        }\n    }\n}\n", "class A {\n    boolean f(int n) {\n        return !(n > 1);\n    }\n}\n", nil},
	{"A.java", "checkstyle", "SimplifyBooleanExpression", "Expression can be simplified.", "class A {\n    boolean f(boolean b) {\n        return !(b §== false);\n    }\n}\n", "class A {\n    boolean f(boolean b) {\n        return b;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "MultipleVariableDeclarations", "Each variable declaration must be in its own statement.", "class A {\n    int f(int a, String s) {\n        §int x = 1, y = 2;\n        return x + y;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        int x = 1;\n        int y = 2;\n        return x + y;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "MultipleVariableDeclarations", "Only one variable definition per line allowed.", "class A {\n    int f(int a, String s) {\n        §int x = 1; int y = 2;\n        return x + y;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        int x = 1;\n        int y = 2;\n        return x + y;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "OneStatementPerLine", "Only one statement per line allowed.", "class A {\n    int f(int a, String s) {\n        a++; a--§;\n        return a;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        a++;\n        a--;\n        return a;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "HideUtilityClassConstructor", "Utility classes should not have a public or default constructor.", "§class A {\n    static int one() {\n        return 1;\n    }\n}\n", "final class A {\n    private A() {\n    }\n\n    static int one() {\n        return 1;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "FinalClass", "Class A should be declared as final.", "§public class A {\n    private A() {\n    }\n}\n", "public final class A {\n    private A() {\n    }\n}\n", nil},
	{"A.java", "checkstyle", "FinalLocalVariable", "Variable 'x' should be declared final.", "class A {\n    int f(int a, String s) {\n        int §x = 1;\n        return x;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        final int x = 1;\n        return x;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "FinalParameters", "Parameter s should be final.", "class A {\n    void f(int a, §String s) {\n    }\n}\n", "class A {\n    void f(int a, final String s) {\n    }\n}\n", nil},
	{"A.java", "checkstyle", "MissingSwitchDefault", "switch without \"default\" clause.", "class A {\n    int f(int a, String s) {\n        §switch (a) {\n            case 1:\n                a++;\n                break;\n        }\n        return a;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        switch (a) {\n            case 1:\n                a++;\n                break;\n            default:\n                break;\n        }\n        return a;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "ExplicitInitialization", "Variable 'n' explicitly initialized to '0' (default value for its type).", "class A {\n    private int §n = 0;\n}\n", "class A {\n    private int n;\n}\n", nil},
	{"A.java", "checkstyle", "UnnecessaryParentheses", "Unnecessary parentheses around return value.", "class A {\n    int f(int a, String s) {\n        return §(a + 1);\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return a + 1;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "RightCurly", "'}' at column 9 should be on the same line as the next part of a multi-block statement (one that directly contains multiple blocks: if/else-if/else, do/while or try/catch/finally).", "class A {\n    int f(int a, String s) {\n        if (a > 1) {\n            return 1;\n        §}\n        else {\n            return 2;\n        }\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        if (a > 1) {\n            return 1;\n        } else {\n            return 2;\n        }\n    }\n}\n", nil},
	{"A.java", "checkstyle", "EmptyLineSeparator", "'METHOD_DEF' should be separated from previous line.", "class A {\n    int n;\n    /** F. */\n    §void f() {\n    }\n}\n", "class A {\n    int n;\n\n    /** F. */\n    void f() {\n    }\n}\n", nil},
	{"A.java", "checkstyle", "NewlineAtEndOfFile", "File does not end with a newline.", "§class A {\n}", "class A {\n}\n", nil},
	{"A.java", "checkstyle", "RegexpSingleline", "Line has trailing spaces.", "§class A {  \n}\n", "class A {\n}\n", nil},
	{"A.java", "checkstyle", "Indentation", "'method def modifier' has incorrect indentation level 2, expected level should be 4.", "class A {\n  §void f() {\n    }\n}\n", "class A {\n    void f() {\n    }\n}\n", nil},
	{"A.java", "checkstyle", "OperatorWrap", "'+' should be on a new line.", "class A {\n    int f(int a, String s) {\n        return a §+\n            1;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return a\n            + 1;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "WhitespaceAround", "'+' is not followed by whitespace.", "class A {\n    int f(int a, String s) {\n        return a §+1;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return a + 1;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "WhitespaceAround", "'{' is not preceded with whitespace.", "class A {\n    void f()§{\n    }\n}\n", "class A {\n    void f() {\n    }\n}\n", nil},
	{"A.java", "checkstyle", "WhitespaceAfter", "',' is not followed by whitespace.", "class A {\n    int f(int a, String s) {\n        return f(a§,s);\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return f(a, s);\n    }\n}\n", nil},
	{"A.java", "checkstyle", "WhitespaceAfter", "'typecast' is not followed by whitespace.", "class A {\n    int f(int a, String s) {\n        return (int§)a;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return (int) a;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "ParenPad", "'(' is followed by whitespace.", "class A {\n    int f(int a, String s) {\n        return f§( a, s);\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return f(a, s);\n    }\n}\n", nil},
	{"A.java", "checkstyle", "NoWhitespaceBefore", "';' is preceded with whitespace.", "class A {\n    int f(int a, String s) {\n        return a §;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return a;\n    }\n}\n", nil},
	{"A.java", "checkstyle", "UnusedLocalVariable", "Unused local variable 'm'.", "class A {\n    int f(int a, String s) {\n        §Map<String, Integer> m = new HashMap<>();\n        return a;\n    }\n}\n", "class A {\n    int f(int a, String s) {\n        return a;\n    }\n}\n", nil},

	// Go's compiler.
	{"a.go", "go", "", "undefined: filepath", "package a\n\nimport \"fmt\"\n\nfunc f(s string) { fmt.Println(§filepath.Base(s)) }\n", "package a\n\nimport \"path/filepath\"\nimport \"fmt\"\n\nfunc f(s string) { fmt.Println(filepath.Base(s)) }\n", nil},
	{"a.go", "go", "", "undefined: json", "package a\n\nimport (\n\t\"fmt\"\n)\n\nfunc f(x any) { fmt.Println(§json.Marshal(x)) }\n", "package a\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n)\n\nfunc f(x any) { fmt.Println(json.Marshal(x)) }\n", nil},
	{"a.go", "go", "", "not enough return values\n\thave (int)\n\twant (int, error)", "package a\n\nfunc f(n int) (int, error) {\n\treturn §n\n}\n", "package a\n\nfunc f(n int) (int, error) {\n\treturn n, nil\n}\n", nil},
	{"a.go", "go", "", "not enough return values\n\thave (error)\n\twant (string, error)", "package a\n\nfunc f(err error) (string, error) {\n\treturn §err\n}\n", "package a\n\nfunc f(err error) (string, error) {\n\treturn \"\", err\n}\n", nil},
	{"a.go", "go", "", "too many return values\n\thave (int, nil)\n\twant (int)", "package a\n\nfunc f(n int) int {\n\treturn n, §nil\n}\n", "package a\n\nfunc f(n int) int {\n\treturn n\n}\n", nil},
	{"a.go", "go", "", "assignment mismatch: 1 variable but os.ReadFile returns 2 values", "package a\n\nimport \"os\"\n\nfunc f(s string) (int, error) {\n\tdata §:= os.ReadFile(s)\n\treturn len(data), nil\n}\n", "package a\n\nimport \"os\"\n\nfunc f(s string) (int, error) {\n\tdata, err := os.ReadFile(s)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn len(data), nil\n}\n", nil},
	{"a.go", "go", "", "assignment mismatch: 1 variable but os.ReadFile returns 2 values", "package a\n\nimport \"os\"\n\nfunc f(s string) []byte {\n\tdata §:= os.ReadFile(s)\n\treturn data\n}\n", "package a\n\nimport \"os\"\n\nfunc f(s string) []byte {\n\tdata §:= os.ReadFile(s)\n\treturn data\n}\n", nil},
	{"a.go", "go", "", "assignment mismatch: 2 variables but area returns 1 value", "package a\n\nfunc f() int {\n\tx, err §:= area(1, 2)\n\treturn x\n}\n", "package a\n\nfunc f() int {\n\tx := area(1, 2)\n\treturn x\n}\n", nil},
	{"a.go", "go", "", "declared and not used: err", "package a\n\nfunc f() (int, error) {\n\tn, §err := g()\n\treturn n, nil\n}\n", "package a\n\nfunc f() (int, error) {\n\tn, err := g()\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\treturn n, nil\n}\n", nil},
	{"a.go", "go", "", "declared and not used: err", "package a\n\nfunc f() (n int, err error) {\n\tif true {\n\t\tn, §err := g()\n\t\tprintln(n)\n\t}\n\treturn n, err\n}\n", "package a\n\nfunc f() (n int, err error) {\n\tif true {\n\t\tn, err = g()\n\t\tprintln(n)\n\t}\n\treturn n, err\n}\n", nil},
	{"a.go", "go", "", "no new variables on left side of :=", "package a\n\nfunc f(n int) int {\n\tn §:= 3\n\treturn n\n}\n", "package a\n\nfunc f(n int) int {\n\tn = 3\n\treturn n\n}\n", nil},
	{"a.go", "go", "", "undefined: y", "package a\n\nfunc f() {\n\t§y = 3\n\tprintln(y)\n}\n", "package a\n\nfunc f() {\n\ty := 3\n\tprintln(y)\n}\n", nil},
	{"a.go", "go", "", "invalid operation: a + b (mismatched types int64 and int)", "package a\n\nfunc f(a int64, b int) int64 {\n\treturn §a + b\n}\n", "package a\n\nfunc f(a int64, b int) int64 {\n\treturn a + int64(b)\n}\n", nil},
	{"a.go", "go", "", `invalid operation: "n: " + n (mismatched types untyped string and int)`, "package a\n\nimport \"strconv\"\n\nfunc f(n int) string { return §\"n: \" + n }\n", "package a\n\nimport \"strconv\"\n\nfunc f(n int) string { return \"n: \" + strconv.Itoa(n) }\n", nil},
	{"a.go", "go", "", "syntax error: unexpected newline in composite literal; possibly missing comma or }", "package a\n\nvar x = []int{\n\t1,\n\t2§ // two\n}\n", "package a\n\nvar x = []int{\n\t1,\n\t2, // two\n}\n", nil},
	{"a.go", "go", "", "cannot use T{…} (value of struct type T) as *T value in return statement", "package a\n\ntype T struct{ n int }\n\nfunc f() *T { return §T{n: 1} }\n", "package a\n\ntype T struct{ n int }\n\nfunc f() *T { return &T{n: 1} }\n", nil},
	{"a.go", "go", "", "cannot use impl{} (value of struct type impl) as S value in return statement: impl does not implement S (method Do has pointer receiver)", "package a\n\nfunc f() S { return §impl{} }\n", "package a\n\nfunc f() S { return &impl{} }\n", nil},
	{"a.py", "mypy", "operator", `Unsupported operand types for + ("str" and "int")`, "def f(n: int) -> str:\n    return §\"n: \" + n\n", "def f(n: int) -> str:\n    return \"n: \" + str(n)\n", nil},
	{"a.py", "mypy", "call-arg", `Unexpected keyword argument "hight" for "area"`, "def area(w: int, height: int) -> int:\n    return w * height\n\n\nx = §area(w=1, hight=2)\n", "def area(w: int, height: int) -> int:\n    return w * height\n\n\nx = area(w=1, height=2)\n", nil},
	{"b.py", "pyright", "reportCallIssue", `No parameter named "hight"`, "x = area(1, §hight=2)\n", "x = area(1, height=2)\n", project{"a.py": "def area(w: int, height: int = 3) -> int:\n    return w * height\n"}},
	{"a.py", "flake8", "F821", "undefined name 'datetime'", "def f():\n    return §datetime.now()\n", "from datetime import datetime\n\ndef f():\n    return datetime.now()\n", nil},
	{"lib/a.js", "eslint", "no-undef", "'axios' is not defined.", "import fs from 'node:fs';\n\nexport const f = () => §axios.get(fs);\n", "import axios from 'axios';\nimport fs from 'node:fs';\n\nexport const f = () => axios.get(fs);\n", project{"src/b.js": "import axios from 'axios';\n"}},
	{"a.ts", "tsc", "TS2552", "Cannot find name 'format'. Did you mean 'FormData'?", "import { x } from './other';\n\nexport const y = §format(x);\n", "import { format } from './lib';\nimport { x } from './other';\n\nexport const y = format(x);\n", project{"lib.ts": "export function format(s: string) { return s; }\n"}},

	// Go's linters.
	{"a.go", "golangci-lint", "unused", "func helper is unused", "package a\n\n// F is.\nfunc F() {}\n\n// helper helps.\nfunc §helper() {}\n", "package a\n\n// F is.\nfunc F() {}\n", nil},
	{"a.go", "golangci-lint", "unused", "const b is unused", "package a\n\nconst (\n\tA = 1\n\t§b = 2\n)\n", "package a\n\nconst (\n\tA = 1\n)\n", nil},
	{"a.go", "golangci-lint", "unused", "const a is unused", "package a\n\nconst (\n\t§a = iota\n\tB\n)\n", "package a\n\nconst (\n\t§a = iota\n\tB\n)\n", nil},
	{"a.go", "golangci-lint", "unused", "field n is unused", "package a\n\ntype T struct {\n\tA int\n\t§n int\n}\n", "package a\n\ntype T struct {\n\tA int\n}\n", nil},
	{"a.go", "golangci-lint", "ineffassign", "ineffectual assignment to err", "package a\n\nfunc f() (int, error) {\n\tn, §err := g()\n\tm, err := g()\n\treturn n + m, err\n}\n", "package a\n\nfunc f() (int, error) {\n\tn, err := g()\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\tm, err := g()\n\treturn n + m, err\n}\n", nil},
	{"a.go", "golangci-lint", "revive", "unused-parameter: parameter 'id' seems to be unused, consider removing or renaming it as _", "package a\n\nfunc F(url string, §id int) string { return url }\n", "package a\n\nfunc F(url string, _ int) string { return url }\n", nil},
	{"a.go", "vet", "", `fmt.Println call has possible Printf formatting directive %s`, "package a\n\nimport \"fmt\"\n\nfunc f(s string) {\n\t§fmt.Println(\"a: %s\", s)\n}\n", "package a\n\nimport \"fmt\"\n\nfunc f(s string) {\n\tfmt.Printf(\"a: %s\\n\", s)\n}\n", nil},
	{"a.go", "vet", "", `fmt.Println arg list ends with redundant newline`, "package a\n\nimport \"fmt\"\n\nfunc f() {\n\t§fmt.Println(\"a\\n\")\n}\n", "package a\n\nimport \"fmt\"\n\nfunc f() {\n\tfmt.Println(\"a\")\n}\n", nil},
	{"a.go", "vet", "", `fmt.Printf call needs 1 arg but has 2 args`, "package a\n\nimport \"fmt\"\n\nfunc f(s string, n int) {\n\t§fmt.Printf(\"%s\\n\", s, n)\n}\n", "package a\n\nimport \"fmt\"\n\nfunc f(s string, n int) {\n\tfmt.Printf(\"%s %v\\n\", s, n)\n}\n", nil},
	{"a.go", "vet", "", `fmt.Printf format %z has unknown verb z`, "package a\n\nimport \"fmt\"\n\nfunc f(s string) {\n\tfmt.Printf(§\"%z\\n\", s)\n}\n", "package a\n\nimport \"fmt\"\n\nfunc f(s string) {\n\tfmt.Printf(\"%v\\n\", s)\n}\n", nil},
	{"a.go", "vet", "", `non-constant format string in call to fmt.Printf`, "package a\n\nimport \"fmt\"\n\nfunc f(s string) {\n\tfmt.Printf(§s)\n}\n", "package a\n\nimport \"fmt\"\n\nfunc f(s string) {\n\tfmt.Print(s)\n}\n", nil},
	{"a.go", "vet", "", `unreachable code`, "package a\n\nfunc f() int {\n\treturn 1\n\t§println(2)\n\tprintln(3)\n}\n", "package a\n\nfunc f() int {\n\treturn 1\n}\n", nil},
	{"a.go", "vet", "", `the cancel function returned by context.WithCancel should be called, not discarded, to avoid a context leak`, "package a\n\nfunc f(ctx context.Context) error {\n\tctx, §_ = context.WithCancel(ctx)\n\t<-ctx.Done()\n\treturn nil\n}\n", "package a\n\nfunc f(ctx context.Context) error {\n\tctx, cancel := context.WithCancel(ctx)\n\tdefer cancel()\n\t<-ctx.Done()\n\treturn nil\n}\n", nil},
	{"a.go", "vet", "", `the cancel function returned by context.WithCancel should be called, not discarded, to avoid a context leak`, "package a\n\nfunc f(ctx context.Context) context.Context {\n\tctx, §_ = context.WithCancel(ctx)\n\treturn ctx\n}\n", "package a\n\nfunc f(ctx context.Context) context.Context {\n\tctx, §_ = context.WithCancel(ctx)\n\treturn ctx\n}\n", nil},
	{"a.go", "golangci-lint", "staticcheck", "ST1005: error strings should not be capitalized", "package a\n\nimport \"errors\"\n\nvar e = errors.New(§\"Nothing there\")\n", "package a\n\nimport \"errors\"\n\nvar e = errors.New(\"nothing there\")\n", nil},
	{"a.go", "golangci-lint", "revive", "error-strings: error strings should not be capitalized or end with punctuation or a newline", "package a\n\nimport \"errors\"\n\nvar e = errors.New(§\"HTTP failed.\")\n", "package a\n\nimport \"errors\"\n\nvar e = errors.New(\"HTTP failed\")\n", nil},
	{"a.go", "golangci-lint", "revive", "errorf: should replace errors.New(fmt.Sprintf(...)) with fmt.Errorf(...)", "package a\n\nfunc f() error {\n\treturn §errors.New(fmt.Sprintf(\"x %d\", 1))\n}\n", "package a\n\nfunc f() error {\n\treturn fmt.Errorf(\"x %d\", 1)\n}\n", nil},
	{"a.go", "golangci-lint", "revive", "range: should omit 2nd value from range; this loop is equivalent to `for i := range ...`", "package a\n\nfunc f(xs []int) {\n\tfor i, §_ := range xs {\n\t\tprintln(i)\n\t}\n}\n", "package a\n\nfunc f(xs []int) {\n\tfor i := range xs {\n\t\tprintln(i)\n\t}\n}\n", nil},
	{"a.go", "golangci-lint", "revive", "var-declaration: should drop = nil from declaration of var e; it is the zero value", "package a\n\nvar e error = §nil\n", "package a\n\nvar e error\n", nil},
	{"a.go", "golangci-lint", "revive", "indent-error-flow: if block ends with a return statement, so drop this else and outdent its block", "package a\n\nfunc f(b bool) int {\n\tif b {\n\t\treturn 7\n\t} else §{\n\t\tprintln(1)\n\t\treturn 8\n\t}\n}\n", "package a\n\nfunc f(b bool) int {\n\tif b {\n\t\treturn 7\n\t}\n\tprintln(1)\n\treturn 8\n}\n", nil},
	{"a.go", "golangci-lint", "unconvert", "unnecessary conversion", "package a\n\nfunc f(x, y int) int { return 2 * int§(x+y) }\n", "package a\n\nfunc f(x, y int) int { return 2 * (x+y) }\n", nil},

	// pycodestyle, pyflakes, ruff.
	{"a.py", "flake8", "E401", "multiple imports on one line", "import os§, sys\n\nprint(os, sys)\n", "import os\nimport sys\n\nprint(os, sys)\n", nil},
	{"a.py", "flake8", "E701", "multiple statements on one line (colon)", "if a§: b()\n", "if a:\n    b()\n", nil},
	{"a.py", "flake8", "E702", "multiple statements on one line (semicolon)", "a = 1§; b = 2\n", "a = 1\nb = 2\n", nil},
	{"a.py", "flake8", "E703", "statement ends with a semicolon", "a = 1§;\n", "a = 1\n", nil},
	{"a.py", "flake8", "E713", "test for membership should be 'not in'", "if not §x in xs:\n    pass\n", "if x not in xs:\n    pass\n", nil},
	{"a.py", "flake8", "E714", "test for object identity should be 'is not'", "if not §x is None:\n    pass\n", "if x is not None:\n    pass\n", nil},
	{"a.py", "flake8", "E721", "do not compare types, for exact checks use `is` / `is not`, for instance checks use `isinstance()`", "if §type(x) != int:\n    pass\n", "if type(x) is not int:\n    pass\n", nil},
	{"a.py", "flake8", "E722", "do not use bare 'except'", "try:\n    f()\n§except:\n    pass\n", "try:\n    f()\nexcept Exception:\n    pass\n", nil},
	{"a.py", "flake8", "E731", "do not assign a lambda expression, use a def", "§g = lambda x, y=1: x + y\n", "def g(x, y=1):\n    return x + y\n", nil},
	{"a.py", "flake8", "E731", "do not assign a lambda expression, use a def", "x = 1\n§g = lambda: x\ng()\n", "x = 1\n\n\ndef g():\n    return x\n\n\ng()\n", nil},
	{"a.py", "flake8", "E731", "do not assign a lambda expression, use a def", "def f(x):\n    y = x\n    §g = lambda: y\n    return g()\n", "def f(x):\n    y = x\n\n    def g():\n        return y\n    return g()\n", nil},
	{"a.py", "flake8", "E128", "continuation line under-indented for visual indent", "x = call(a,\n    §b)\n", "x = call(a,\n         b)\n", nil},
	{"a.py", "flake8", "F541", "f-string is missing placeholders", "x = §f\"plain\"\n", "x = \"plain\"\n", nil},
	{"a.py", "flake8", "F632", "use ==/!= to compare constant literals (str, bytes, int, float, tuple)", "x = §y is not 3\n", "x = y != 3\n", nil},
	{"a.py", "flake8", "F631", "assertion is always true, perhaps remove parentheses?", "§assert (x, \"no x\")\n", "assert x, \"no x\"\n", nil},
	{"a.py", "flake8", "F811", "redefinition of unused 'json' from line 1", "import json\nimport os\n\n\n§def json():\n    return os\n", "import os\n\n\ndef json():\n    return os\n", nil},
	{"a.py", "flake8", "F811", "redefinition of unused 'os' from line 1", "import os\nimport re\n§import os\n\nprint(os, re)\n", "import os\nimport re\n\nprint(os, re)\n", nil},
	{"a.py", "flake8", "F811", "redefinition of unused 'f' from line 1", "def f():\n    return 1\n\n\n§def f():\n    return 2\n", "def f():\n    return 1\n\n\n§def f():\n    return 2\n", nil},
	{"a.py", "flake8", "F901", "'raise NotImplemented' should be 'raise NotImplementedError'", "def f():\n    §raise NotImplemented\n", "def f():\n    raise NotImplementedError\n", nil},
	{"a.py", "flake8", "W605", `invalid escape sequence '\d'`, "x = '§\\d+'\n", "x = r'\\d+'\n", nil},
	{"a.py", "flake8", "W605", `invalid escape sequence '\d'`, "x = '§\\d\\n'\n", "x = '\\\\d\\n'\n", nil},
	{"a.py", "ruff", "B904", "Within an `except` clause, raise exceptions with `raise ... from err` or `raise ... from None` to distinguish them from errors in exception handling", "try:\n    f()\nexcept ValueError:\n    §raise RuntimeError(\"no\")\n", "try:\n    f()\nexcept ValueError as err:\n    raise RuntimeError(\"no\") from err\n", nil},
	{"a.py", "ruff", "B006", "Do not use mutable data structures for argument defaults", "def f(x: int, xs: list[int] = §[]) -> list[int]:\n    \"\"\"Add.\"\"\"\n    xs.append(x)\n    return xs\n", "def f(x: int, xs: list[int] | None = None) -> list[int]:\n    \"\"\"Add.\"\"\"\n    if xs is None:\n        xs = []\n    xs.append(x)\n    return xs\n", nil},
	{"a.py", "flake8", "F523", "'...'.format(...) has unused arguments at position(s): 1", "x = §\"{}\".format(a, b)\n", "x = \"{}\".format(a)\n", nil},
	{"a.py", "flake8", "F524", "'...'.format(...) is missing argument(s) for placeholder(s): 1", "def f(a, b):\n    return §\"{} {}\".format(a)\n", "def f(a, b):\n    return \"{} {}\".format(a, b)\n", nil},
	{"a.py", "flake8", "F507", "'...' % ... has 2 placeholder(s) but 1 substitution(s)", "def f(a, b):\n    return §\"%s %s\" % (a,)\n", "def f(a, b):\n    return \"%s %s\" % (a, b)\n", nil},
	{"a.py", "flake8", "F507", "'...' % ... has 1 placeholder(s) but 2 substitution(s)", "x = §\"%s\" % (a, b)\n", "x = \"%s\" % (a,)\n", nil},
	{"a.py", "mypy", "misc", `Method must have at least one argument. Did you forget the "self" argument?`, "class A:\n    §def size() -> int:\n        return 1\n", "class A:\n    def size(self) -> int:\n        return 1\n", nil},

	// eslint.
	{"a.js", "eslint", "no-useless-escape", `Unnecessary escape character: \-.`, "export const r = /a§\\-b/\n", "export const r = /a-b/\n", nil},
	{"a.js", "eslint", "no-prototype-builtins", "Do not access Object.prototype method 'hasOwnProperty' from target object.", "export const f = (o, k) => o.§hasOwnProperty(k)\n", "export const f = (o, k) => Object.prototype.hasOwnProperty.call(o, k)\n", nil},
	{"a.js", "eslint", "no-case-declarations", "Unexpected lexical declaration in case block.", "switch (k) {\n  case 1:\n    §let z = 2\n    f(z)\n    break\n}\n", "switch (k) {\n  case 1: {\n    let z = 2\n    f(z)\n    break\n  }\n}\n", nil},
	{"a.js", "eslint", "array-callback-return", "Array.prototype.map() expects a return value from arrow function.", "export const f = xs.map((x) =§> { x + 1 })\n", "export const f = xs.map((x) => { return x + 1 })\n", nil},
	{"a.js", "eslint", "use-isnan", "Use the isNaN function to compare with NaN.", "export const f = (x) => §x !== NaN\n", "export const f = (x) => !Number.isNaN(x)\n", nil},
	{"a.js", "eslint", "valid-typeof", "Invalid typeof comparison value.", "export const f = (x) => typeof x === §'strnig'\n", "export const f = (x) => typeof x === 'string'\n", nil},
	{"a.js", "eslint", "no-unsafe-negation", "Unexpected negating the left operand of 'in' operator.", "export const f = (o) => §!'k' in o\n", "export const f = (o) => !('k' in o)\n", nil},
	{"a.js", "eslint", "no-cond-assign", "Expected a conditional expression and instead saw an assignment.", "if (§x = 5) { f() }\n", "if (x === 5) { f() }\n", nil},
	{"a.js", "eslint", "no-cond-assign", "Expected a conditional expression and instead saw an assignment.", "while (§m = r.exec(s)) { f(m) }\n", "while ((m = r.exec(s))) { f(m) }\n", nil},
	{"a.js", "eslint", "no-unreachable", "Unreachable code.", "function f () {\n  return 1\n  §g()\n  function h () {}\n}\n", "function f () {\n  return 1\n  function h () {}\n}\n", nil},
	{"a.js", "eslint", "no-debugger", "Unexpected 'debugger' statement.", "f()\n§debugger\ng()\n", "f()\ng()\n", nil},
	{"a.js", "eslint", "radix", "Missing radix parameter.", "export const n = §parseInt(s)\n", "export const n = parseInt(s, 10)\n", nil},
	{"a.js", "eslint", "constructor-super", "Expected to call 'super()'.", "class A extends B {\n  §constructor () {\n    this.n = 1\n  }\n}\n", "class A extends B {\n  constructor () {\n    super();\n    this.n = 1\n  }\n}\n", nil},
	{"a.js", "eslint", "no-useless-catch", "Unnecessary try/catch wrapper.", "function f () {\n  §try {\n    g()\n    h()\n  } catch (e) {\n    throw e\n  }\n}\n", "function f () {\n  g()\n  h()\n}\n", nil},
	{"a.js", "eslint", "no-throw-literal", "Expected an error object to be thrown.", "§throw 'bad'\n", "throw new Error('bad')\n", nil},
	{"a.js", "eslint", "no-redeclare", "'v' is already defined.", "var v = 1\nvar §v = 2\n", "var v = 1\nv = 2\n", nil},
	{"a.ts", "eslint", "@typescript-eslint/prefer-nullish-coalescing", "Prefer using nullish coalescing operator (`??`) instead of a logical or (`||`), as it is a safer operator.", "export const f = (x?: string) => x §|| 'a';\n", "export const f = (x?: string) => x ?? 'a';\n", nil},
	{"a.js", "eslint", "no-compare-neg-zero", "Do not use the '===' operator to compare against -0.", "export const f = (x) => §x === -0\n", "export const f = (x) => x === 0\n", nil},
}

func TestSayings(t *testing.T) {
	for _, s := range sayings {
		t.Run(s.rule+" "+s.message, func(t *testing.T) { s.check(t) })
	}
}

// place is the source without the sign, and where that stands.
func (s saying) place() (source string, line, column int) {
	at := strings.Index(s.source, "§")
	source = strings.Replace(s.source, "§", "", 1)
	return source, 1 + strings.Count(source[:at], "\n"), at - strings.LastIndexByte(source[:at], '\n')
}

func (s saying) check(t *testing.T) {
	source, line, column := s.place()
	first, more, _ := strings.Cut(s.message, "\n")
	d := diag.Diagnostic{File: s.path, Tool: s.tool, Rule: s.rule, Message: first, Detail: more, Range: diag.Range{Start: diag.Position{Line: line, Column: column}}}
	c, ok := complaint.Read(d)
	if !ok {
		t.Fatal("not understood")
	}
	remedies := complaint.Remedies(read(t, s.path, source), c, s.project)
	if len(remedies) == 0 {
		if s.want != s.source {
			t.Fatalf("no remedy for %+v", c)
		}
		return
	}
	r := remedies[0]
	if got := applied(t, source, r); got != s.want {
		t.Fatalf("%s:\ngot  %q\nwant %q", r.Name, got, s.want)
	}
	if r.Why == "" || r.Precision <= 0 || r.Precision > 1 {
		t.Errorf("%s: %q, %v", r.Name, r.Why, r.Precision)
	}
}

// Wherever a tool says something, also of a source that is not whole, and whatever stands there: edits are in order and inside of it.
func TestSayingsElsewhere(t *testing.T) {
	const step = 11 // columns between the places that are tried
	for _, of := range sayings {
		source, _, _ := of.place()
		for _, text := range []string{source, source[:len(source)*2/3]} {
			f := read(t, of.path, text)
			for _, s := range sayings {
				if path.Ext(s.path) != path.Ext(of.path) {
					continue
				}
				first, more, _ := strings.Cut(s.message, "\n")
				for i, line := range strings.Split(text, "\n") {
					for column := 0; column <= len(line)+1; column += step {
						d := diag.Diagnostic{File: of.path, Tool: s.tool, Rule: s.rule, Message: first, Detail: more, Range: diag.Range{Start: diag.Position{Line: i + 1, Column: column}}}
						c, ok := complaint.Read(d)
						if !ok {
							t.Fatalf("not understood: %s", s.message)
						}
						for _, r := range complaint.Remedies(f, c, of.project) {
							inOrder(t, r, text)
						}
					}
				}
			}
		}
	}
}

func inOrder(t *testing.T, r complaint.Remedy, text string) {
	t.Helper()
	at := 0
	for _, e := range r.Edits {
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			t.Fatalf("%s, %s: edit %d–%d of %q, after %d", r.Name, r.Why, e.Start, e.End, text, at)
		}
		at = e.End
	}
}
