package complaint

import "fettle/internal/pattern"

// compilers are the programs whose errors say that a source cannot work as it is.
var compilers = []string{"go", "mypy", "pyright", "tsc", "javac"}

// say is a saying of a checker's; the rule, if there is one, stands before the message.
func say(kind Kind, form string) saying { return saying{kind: kind, form: pattern.New(form)} }

// by is a saying that is one program's alone.
func by(tool string, kind Kind, form string) saying { return saying{kind, pattern.New(form), tool} }

// sayings are what is understood of the checkers' words, of each the versions of 2026; the first that fits counts.
var sayings = []saying{
	// Python: pyflakes' words are flake8's and ruff's, but for quotes and capitals (https://docs.astral.sh/ruff/rules/).
	say(Undefined, "^F821 [Uu]ndefined name ['`](?P<name>\\w+)['`]"),
	say(Undefined, `^undefined name '(?P<name>\w+)'`),
	say(UnusedImport, "^(?:F401 )?['`](?P<name>[^'`]+)['`] imported but unused"),
	say(UnusedName, "^(?:F841 )?[Ll]ocal variable ['`](?P<name>\\w+)['`] is assigned to but never used"),
	say(Wordy, `^E71[12] `),
	say(Spacing, `^(?P<name>E2\d\d|E30\d|W291|W293|W391|W292) `),
	say(Unparsed, `SyntaxError: expected '(?P<hint>[:)\]}])'`),
	say(Unparsed, `^TS1005 '(?P<hint>[;:,)\]}])' expected`),
	by("javac", Unparsed, `^'(?P<hint>[;:,)\]}])' expected`),
	by("mypy", Undefined, `Name "(?P<name>\w+)" is not defined`),
	by("mypy", MaybeNull, `Item "None" of "[^"]*" has no attribute "(?P<name>\w+)"`),
	by("mypy", MaybeNull, `(?:Value of type|Unsupported target for indexed assignment \()\s*"(?:Optional\[.*|.* \| None)"(?: is not indexable|\))`),
	by("mypy", MaybeNull, `Unsupported (?:left )?operand types? for \S+ \((?:"None"|"[^"]*" and "None"\))|Unsupported left operand type for \S+ \("(?:Optional\[|.* \| None")`),
	by("mypy", MaybeNull, `Argument .* to .* has incompatible type "(?P<got>Optional\[[^"]*\]|[^"]* \| None|Union\[[^"]*, None\])"; expected "(?P<want>[^"]*)"`),
	say(MaybeNull, `"(?P<name>\w+)" is not a known attribute of "None"|Object of type "None" (?:is not subscriptable|cannot be used as iterable value)|Operator "[^"]*" not supported for (?:"None"|types "[^"]*" and "[^"]* \| None")`),
	say(MaybeNull, `Argument of type "(?P<got>[^"]* \| None)" cannot be assigned to parameter "[^"]*" of type "(?P<want>[^"]*)" in function`),
	by("mypy", NotAwaited, `"Coroutine\[.*" has no attribute|Maybe you forgot to use "await"|got "Coroutine\[|has type "Coroutine\[|Value of type "Coroutine\[|operand types? for \S+ \(.*"Coroutine\[`),
	by("mypy", NoMember, `(?:"[^"]*"|Module) has no attribute "(?P<name>\w+)"(?:; maybe "(?P<hint>\w+)")?`),
	by("mypy", NoMember, `Module "[^"]*" (?:has no attribute|does not explicitly export attribute) "(?P<name>\w+)"(?:; maybe "(?P<hint>\w+)")?`),
	by("mypy", NoReturn, `Missing return statement`),
	by("mypy", NoReturnType, `Function is missing a (?:return )?type annotation`),
	by("mypy", Mistyped, `Incompatible types in assignment \(expression has type "(?P<got>[^"]*)", (?:variable|target|base class "[^"]*" defined the type as) (?:has type )?"(?P<want>[^"]*)"`),
	by("mypy", Mistyped, `Incompatible return value type \(got "(?P<got>[^"]*)", expected "(?P<want>[^"]*)"`),
	by("mypy", Mistyped, `Argument .* to .* has incompatible type "(?P<got>[^"]*)"; expected "(?P<want>[^"]*)"`),
	by("mypy", Mistyped, `Returning Any from function declared to return "(?P<want>[^"]*)"`),
	by("mypy", Arguments, `Too (?:many|few) arguments|Missing positional argument|Unexpected keyword argument "(?P<name>\w+)"`),

	// Pyright: https://github.com/microsoft/pyright, packages/pyright-internal/src/localization/en.json; what is only a value has its type's name ([plainly]).
	by("pyright", Undefined, `^reportUndefinedVariable "(?P<name>\w+)" is not defined`),
	by("pyright", NotAwaited, `^reportUnusedCoroutine |for class "(?:CoroutineType|Coroutine)\[|not supported for types "(?:CoroutineType|Coroutine)\[`),
	by("pyright", NoMember, `Cannot access attribute "(?P<name>\w+)" for class "[^"]*"$`),
	by("pyright", NoMember, `"(?P<name>\w+)" is (?:not a known attribute of module|unknown import symbol)`),
	by("pyright", NoReturn, `Function with declared return type "[^"]*" must return value`),
	by("pyright", Arguments, `Expected \d+ positional arguments?|Arguments? missing for parameters? |No parameter named "(?P<name>\w+)"`),
	by("pyright", Mistyped, `Type "(?P<got>[^"]*)" is not assignable to (?:return|declared) type "(?P<want>[^"]*)"`),
	by("pyright", Mistyped, `(?:Argument|Expression) of type "(?P<got>[^"]*)" (?:cannot be assigned|is not assignable|is incompatible with|cannot be returned)[^"]*(?:"[^"]*" of type |type )"(?P<want>[^"]*)"`),
	by("pyright", UnusedImport, `Import "(?P<name>[\w.]+)" is not accessed`),
	by("pyright", UnusedName, `Variable "(?P<name>\w+)" is not accessed`),

	// Pylint: https://pylint.readthedocs.io/en/stable/user_guide/messages/messages_overview.html.
	by("pylint", Undefined, `^(?:undefined-variable|E0602) Undefined variable '(?P<name>\w+)'`),
	by("pylint", UnusedImport, `^(?:unused-import|W0611) Unused (?:import )?(?P<name>[\w.]+)`),
	by("pylint", UnusedName, `^(?:unused-variable|W0612) Unused variable '(?P<name>\w+)'`),
	by("pylint", NoMember, `^(?:no-member|E1101) .* has no '(?P<name>\w+)' member(?:; maybe (?:one of )?'(?P<hint>\w+)')?`),
	by("pylint", NoMember, `^(?:no-name-in-module|E0611) No name '(?P<name>\w+)' in module`),
	by("pylint", Arguments, `^(?:no-value-for-parameter|E1120|too-many-function-args|E1121|unexpected-keyword-arg|E1123) `),
	by("pylint", NoReturn, `^(?:inconsistent-return-statements|R1710) `),
	by("pylint", Wordy, `^(?:singleton-comparison|C0121) `),

	// Go (types2's errors, and vet's printf): https://pkg.go.dev/internal/types/errors, golang.org/x/tools/go/analysis/passes/printf.
	by("go", UnusedImport, `^"(?P<name>[^"]+)" imported (?:as \S+ )?and not used`),
	by("go", UnusedName, `^declared and not used: (?P<name>\w+)`),
	by("go", NoMember, `^undefined: \w+\.(?P<name>\w+)(?: \(but have (?P<hint>\w+)\))?`),
	by("go", NoMember, `^unknown field (?P<name>\w+) in struct literal of type \S+?(?:, but does have (?:unexported )?(?P<hint>\w+))?$`),
	by("go", Undefined, `^undefined: (?P<name>\w+)`),
	by("go", NoMember, `\.(?P<name>\w+) undefined \((?:type .* has no field or method \w+(?:, but does have (?:unexported )?(?:field |method )?(?P<hint>\w+))?|cannot refer)`),
	by("go", NoReturn, `^missing return`),
	by("go", Arguments, `^(?:not enough|too many) (?:arguments in call|return values)`),
	by("go", Mistyped, `^cannot use (?P<name>.+?) \(.*?(?:of|variable of|value of|constant of)? ?(?:(?:struct|interface|func) )?type (?P<got>[^)]+)\) as (?P<want>.+?) value in`),
	by("go", Mistyped, `^cannot use (?P<name>.+?) \(untyped (?P<got>\w+) constant.*\) as (?P<want>.+?) value in`),
	say(Verb, `format %(?P<name>\S+) has arg .* of wrong type (?P<got>.+)$`),
	say(VerbArguments, `format %(?P<name>\S+) reads arg #\d+, but call has`),
	say(Unchecked, "^(?:errcheck )?Error return value of [`'](?P<name>[^`']+)[`'] is not checked"),
	say(Shadowed, `declaration of "(?P<name>\w+)" shadows declaration at line`),

	// TypeScript's codes: https://github.com/microsoft/TypeScript, src/compiler/diagnosticMessages.json.
	say(Undefined, `^TS(?:2304|2552|2503) Cannot find (?:name|namespace) '(?P<name>\w+)'\.(?: Did you mean '(?P<hint>\w+)'\?)?`),
	say(NotAwaited, `^TS2339 .* on type 'Promise<`),
	say(NoMember, `^TS(?:2339|2551|2305|2724|2353|2561) .*?(?:Property|[Mm]ember(?: named)?|and|but) '(?P<name>\w+)'.*?(?:[Dd]id you mean (?:to write )?'(?P<hint>\w+)'\?)?$`),
	say(UnusedName, `^TS6133 '(?P<name>\w+)' is declared but its value is never read`),
	say(NoReturn, `^TS(?:2366|7030|2355) `),
	say(NotAwaited, `^TS(?:2801|2773|1062) |^TS2365 Operator .*'Promise<|Did you forget to use 'await'\?|^TS\d+ (?:Type|Argument of type) 'Promise<`),
	say(MaybeNull, `^TS(?:2531|2532|2533|1804[789]) (?:'(?P<name>[^']+)' is possibly)?`),
	say(Arguments, `^TS(?:2554|2555|2345 Expected) Expected [\d-]+ arguments?, but got`),
	say(Mistyped, `^TS(?:2322|2345|2740|2741) (?:Type|Argument of type) '(?P<got>.+?)' is not assignable to (?:type|parameter of type) '(?P<want>.+?)'`),
	say(Undefined, `^no-undef '(?P<name>\w+)' is not defined`),
	say(UnusedName, `^(?:@typescript-eslint/)?no-unused-vars '(?P<name>\w+)' is (?:assigned a value|defined) but never used`),
	say(NotAwaited, `^@typescript-eslint/no-floating-promises `),
	say(Loose, `^eqeqeq Expected '[!=]==' and instead saw`),
	say(Wordy, `^@typescript-eslint/no-unnecessary-boolean-literal-compare `),

	// Java: https://github.com/openjdk/jdk, com/sun/tools/javac/resources/compiler.properties; Checkstyle's and its rules.
	by("javac", Undefined, `^cannot find symbol: (?:variable|class) (?P<name>\w+)`),
	by("javac", NoMember, `^cannot find symbol: method (?P<name>\w+)`),
	by("javac", NoReturn, `^missing return statement`),
	by("javac", Undeclared, `^unreported exception (?P<name>[\w.]+); must be caught or declared to be thrown`),
	by("javac", Unset, `^variable (?P<name>\w+) might not have been initialized`),
	by("javac", Mistyped, `^incompatible types: (?:possible lossy conversion from )?(?P<got>.+?) (?:cannot be converted )?to (?P<want>.+)$`),
	by("javac", Arguments, `cannot be applied to given types`),
	say(UnusedImport, `^UnusedImports Unused import - (?P<name>[\w.]+?)\.?$`),
	say(Wordy, `^SimplifyBooleanExpression `),
}
