package silence

import "fettle/internal/pattern"

// Concern is what a rule of a tool is about, and so what is lost when a line of the source silences it.
type Concern int

// The concerns, from the one that may hide a fault to the one that hides none.
const (
	Faults Concern = iota // what may be wrong, and whatever is not known
	Types                 // what a checker of types says of a value; it hides nothing of what a program does when it runs
	Habits                // how an error is handed on or a value is made up: a bad habit of programs, nothing to a test that does it on purpose
	Form                  // how it is written: layout, order, names, size, which of two ways of saying the same is taken
)

// formatters are the tools that are about nothing but form.
var formatters = map[string]bool{"black/ruff format": true, "yapf": true, "prettier": true, "rustfmt": true, "google-java-format": true, "clang-format": true}

// concerns match, for each tool, the rules of each concern that is less than [Faults], as a whole. A rule of a family that may hide a fault, or an assertion that
// cannot fail, has to be left out by name.
var concerns = pattern.Table(func() map[string][]concern {
	golang := `lll|funlen|gocyclo|gocognit|cyclop|nestif|maintidx|dupl|goconst|godot|godox|gofmt|gofumpt|goimports|gci|whitespace|wsl(?:_v5)?|nlreturn|misspell|stylecheck|gochecknoglobals|gochecknoinits|mnd|gomnd|` +
		`paralleltest|testpackage|varnamelen|interfacebloat|ireturn|tagliatelle|tagalign|dogsled|decorder|exhaustruct|exhaustivestruct|nonamedreturns|nakedret|predeclared|prealloc|inamedparam|perfsprint|intrange|` +
		`funcorder|grouper|dupword|errname|usestdlibvars`
	return map[string][]concern{
		"ruff/flake8": {
			{Form, pattern.New(`^(?:E(?:1|2|3|5)\d+|E(?:701|702|703|704|731|741|742|743)|W[1-5]\d+|[NDIQ]\d+|(?:COM|ISC|C4|C9|ERA|TID|SLF|EM|INP|PTH|TD|FIX|CPY|DOC|TC|TCH|FURB|UP|ANN|FBT|PERF|ICN|FA|PYI|EXE|SIM|RET5|A0|PIE79)\d+|PLR(?:09\d+|2004|6301|17\d+|5501)|PLC0[1-4]\d+|PLW0108|TRY(?:003|300|301)|RUF(?:00[1235]|010|01[25]|02[23]|100))$`)},
			{Habits, pattern.New(`^(?:B00[3-9]|B904|S(?:10[3-8]|3\d+|6\d+)|PLW060[23]|PLW2901|TRY002|RUF012|RUF043|RUF059|ARG\d+|T20\d+|DTZ\d+)$`)},
		},
		"mypy": {
			{Types, pattern.New(`^(?:arg-type|call-arg|call-overload|assignment|attr-defined|union-attr|index|operator|list-item|dict-item|typeddict-(?:item|unknown-key)|return-value|return|override|type-(?:var|arg|abstract)|valid-type|var-annotated|abstract|misc|has-type|import-(?:untyped|not-found)|import|no-(?:untyped|any)-\w+(?:-\w+)*|no-any-return|untyped-decorator|method-assign|explicit-override|name-match|literal-required)$`)},
		},
		"ty":      {{Types, pattern.New(`^(?:invalid-argument-type|invalid-assignment|call-non-callable|missing-argument|unknown-argument|too-many-positional-arguments|no-matching-overload|unsupported-operator|unresolved-attribute|possibly-\w+-attribute|invalid-return-type|not-subscriptable)$`)}},
		"pyright": {{Types, pattern.New(`^report(?:ArgumentType|AssignmentType|AttributeAccessIssue|CallIssue|IndexIssue|OperatorIssue|Optional\w+|ReturnType|PrivateUsage|GeneralTypeIssues|Unknown\w+|Missing\w+|Incompatible\w+|TypedDict\w+|AbstractUsage)$`)}},
		"pylint": {
			{Form, pattern.New(`^(?:line-too-long|invalid-name|too-(?:many|few)-[\w-]+|missing-[\w-]*docstring|protected-access|import-outside-toplevel|wrong-import-\w+|ungrouped-imports|redefined-builtin|consider-using-[\w-]+|fixme|superfluous-parens|multiple-\w+|trailing-\w+|no-else-\w+|C0[1-4]\d\d|R09\d\d)$`)},
		},
		"isort":         {{Form, pattern.New(`^$`)}},
		"bandit":        {{Habits, pattern.New(`^B(?:10[5-8]|3\d\d|40\d|60[3467])$`)}},
		"golangci-lint": {{Form, pattern.New(`^(?:` + golang + `)$`)}, {Habits, pattern.New(`^(?:gosec|err113|goerr113|noctx|containedctx|forcetypeassert|unparam|depguard|forbidigo)$`)}},
		"gosec":         {{Habits, pattern.New(`^G\d+$`)}},
		"staticcheck":   {{Form, pattern.New(`^(?:ST1|QF1)\d+$`)}, {Habits, pattern.New(`^SA1019$`)}},
		"revive": {{Form, pattern.New(`^(?:dot-imports|blank-imports|exported|package-comments|var-naming|line-length-limit|function-length|cyclomatic|cognitive-complexity|max-public-structs|argument-limit|function-result-limit|add-constant|` +
			`flag-parameter|receiver-naming|indent-error-flow|import-shadowing|unexported-return|increment-decrement|var-declaration|error-naming|error-strings)$`)}},
		"eslint": {
			{Form, pattern.New(`^(?:max-[\w-]+|complexity|camelcase|new-cap|no-(?:underscore-dangle|plusplus|continue|bitwise|nested-ternary|ternary|param-reassign|console|multi-[\w-]+|trailing-spaces|mixed-operators|await-in-loop|control-regex|` +
				`template-curly-in-string|shadow|use-before-define|else-return|lonely-if|magic-numbers|undefined|negated-condition|warning-comments|inline-comments|void|tabs|useless-(?:escape|constructor|rename|concat)|empty-pattern)|` +
				`class-methods-use-this|consistent-return|default-case|dot-notation|object-[\w-]+|one-var|spaced-comment|arrow-[\w-]+|func-(?:names|style)|id-[\w-]+|sort-[\w-]+|quotes|quote-props|indent|semi|capitalized-comments|vars-on-top|` +
				`lines-[\w-]+|padding-[\w-]+|prefer-(?:const|template|destructuring|spread|rest-params|arrow-callback|object-spread|named-capture-group|regex-literals|exponentiation-operator|numeric-literals|object-has-own)|` +
				`import(?:-x)?/(?:order|first|newline-after-import|no-default-export|prefer-default-export|extensions|no-anonymous-default-export|group-exports|exports-last)|` +
				`@stylistic/[\w/-]+|prettier/prettier|simple-import-sort/\w+|jsdoc/[\w-]+|tsdoc/\w+|perfectionist/[\w-]+|regexp/(?:no-control-character|sort-[\w-]+|prefer-[\w-]+)|unicorn/(?:prefer-[\w-]+|consistent-[\w-]+|filename-case|prevent-abbreviations|` +
				`no-(?:null|array-[\w-]+|nested-ternary|top-level-side-effects|break-in-nested-loop|useless-undefined|await-expression-member|keyword-prefix|for-loop|negated-condition|hex-escape|process-exit|zero-fractions|static-only-class)|numeric-separators-style|` +
				`number-literal-case|import-style|explicit-length-check|switch-case-braces|template-indent|no-nonstandard-builtin-properties)|n/prefer-[\w/-]+|promise/prefer-[\w-]+|` +
				`@typescript-eslint/(?:naming-convention|member-ordering|unified-signatures|consistent-(?:type-[\w-]+|indexed-object-style|generic-constructors)|no-(?:namespace|this-alias|shadow|use-before-define|inferrable-types|empty-interface|empty-object-type|magic-numbers|extraneous-class)|` +
				`array-type|adjacent-overload-signatures|class-methods-use-this|max-params|prefer-(?:function-type|for-of|readonly|namespace-keyword|literal-enum-member|enum-initializers|optional-chain|nullish-coalescing)))$`)},
			{Types, pattern.New(`^@typescript-eslint/(?:no-explicit-any|no-unsafe-(?:argument|assignment|call|member-access|return|function-type)|no-non-null-assertion|ban-types|ban-ts-comment|no-unnecessary-type-\w+)$`)},
			{Habits, pattern.New(`^(?:unicorn/no-global-object-property-assignment|no-extend-native|no-use-extend-native/no-use-extend-native|no-global-assign|no-proto|no-new|no-new-wrappers|no-throw-literal|prefer-promise-reject-errors|@typescript-eslint/(?:only-throw-error|no-require-imports|no-var-requires)|global-require)$`)},
		},
		"javac": {
			{Form, pattern.New(`^(?:serial|IdentifierName|MemberName|EffectivelyPrivate|MultipleStringLiterals|InconsistentOverloads|SpellCheckingInspection|ClassCanBeStatic|FieldMayBeFinal|JavadocReference)$`)},
			{Types, pattern.New(`^(?:unchecked|rawtypes|cast|varargs)$`)},
			{Habits, pattern.New(`^(?:deprecation|removal|unused|static-access|synthetic-access|FieldCanBeLocal|ReferenceEquality|TypeParameterUnusedInFormals|JdkObsolete|StringOperationCanBeSimplified|BoxedPrimitiveConstructor|CanIgnoreReturnValueSuggester|UnusedVariable|UnusedMethod|UnusedNestedClass)$`)},
		},
	}
})

type concern struct {
	is    Concern
	rules *pattern.Pattern
}

// About is what a rule of a tool is about. Without a rule, it is what all of the tool is about.
func About(tool, rule string) Concern {
	if formatters[tool] {
		return Form
	}
	for _, c := range concerns()[tool] {
		if c.rules.MatchString(rule) {
			return c.is
		}
	}
	return Faults
}

// wide matches marks that hold for more than the line or the declaration that they stand at: for a file, or until something takes them back.
var wide = pattern.New(`(?i)(?:ruff|flake8)\s*[:=]\s*noqa|ruff:\s*(?:disable|file-ignore)|mypy:|pyright:\s*(?:basic|report)|pylint:\s*(?:disable(?:-msg)?\s*=|skip-file)|fmt:\s*off|isort:\s*(?:skip_file|off)|lint:file-ignore|` +
	`revive:disable(?:[^-]|$)|eslint-disable(?:[^-]|$)|/\*\s*eslint\s|@ts-nocheck|biome-ignore-(?:all|start)|oxlint-disable(?:[^-]|$)|lint-ignore-file|tslint:disable(?:[^-]|$)|(?:istanbul|c8|v8)\s+ignore\s+file|node:coverage\s+disable|` +
	`CHECKSTYLE[:.]?\s*(?:OFF|DISABLE)|spotless:off|@formatter:off|@file:|#!\[|NOLINTBEGIN|clang-format\s+off|diagnostic\s+ignored|phpcs:disable|warning\s+disable|rubocop:(?:disable|todo)|disable-file|stylelint-disable(?:[^-]|$)`)

// whole matches marks by which a tool says nothing at all of a whole file.
var whole = pattern.New(`(?i)^(?:#\s*(?:ruff|flake8)\s*[:=]\s*noqa\b|#\s*mypy:\s*ignore-errors|#\s*pylint:\s*skip-file|/[/*]\s*@ts-nocheck|/\*\s*eslint-disable$|//\s*deno-lint-ignore-file|/[/*]\s*(?:tslint:disable|oxlint-disable)$|#\s*(?:pyright:\s*basic))`)

// Wide reports whether the mark holds for more than what it stands at.
func (m Mark) Wide() bool { return wide.MatchString(m.Text) }

// Whole reports whether the tool says nothing any more of the whole file.
func (m Mark) Whole() bool {
	return (len(m.Rules) == 0 || m.Rules[0] == "ignore-errors") && whole.MatchString(m.Text)
}
