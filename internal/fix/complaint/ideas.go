package complaint

// Ideas that others know by their names.
const (
	NearName    = "near-name"    // a name was misspelt
	GiveBack    = "give-back"    // a function was to give back what it has worked out
	GiveNothing = "give-nothing" // … or what stands for none of its type
)

// Precision is how many of an idea's remedies are right of those that the checker is content with; false: there is no such idea.
func Precision(name string) (float64, bool) {
	for _, of := range ideas {
		for _, i := range of {
			if i.name == name {
				return i.precision, true
			}
		}
	}
	return 0, false
}

// ideas are what may mend each kind of complaint. Their numbers are the author's guesses, to be moved by what people keep; but for that of [GiveNothing], which
// was right in a quarter of the functions where nothing else was accepted (docs/search.md).
var ideas = map[Kind][]idea{
	Results:      {{"return-all", 1, 0.85, returnAll}, {"take-error", 1, 0.85, takeError}},
	NothingNew:   {{"known-already", 1, 0.85, knownAlready}},
	Operands:     {{"one-type", 1, 0.85, oneType}},
	Overwritten:  {{"hand-on-stored", 1, 0.80, handOnStored}, {"drop-assignment", 0.90, 0.80, dropAssignment}},
	Undefined:    {{NearName, 0.95, 0.85, nearName}, {"missing-import", 1, 0.90, missingImport}, {"declare-here", 0.90, 0.85, declareHere}},
	NoMember:     {{"near-member", 0.95, 0.85, nearMember}},
	UnusedImport: {{"drop-import", 1, 0.98, dropImport}},
	UnusedName: {
		{"assign-outer", 0.95, 0.80, assignOuter}, {"hand-on-stored", 0.93, 0.85, handOnStored}, {"drop-variable", 0.90, 0.85, dropVariable}, {"drop-import", 1, 0.98, dropImport}, {"drop-declaration", 0.95, 0.85, dropDeclaration},
		{"drop-parameter", 0.90, 0.80, dropParameter}, {"drop-binding", 0.95, 0.90, dropBinding},
	},
	NoReturn:      {{GiveBack, 0.90, 0.65, giveBack}, {GiveNothing, 0.90, 0.25, giveNothing}},
	NoReturnType:  {{"annotate-result", 0.90, 0.80, annotateResult}},
	Mistyped:      {{"may-be-missing", 0.90, 0.75, mayBeMissing}, {"guard-null", 0.70, 0.60, guardNull}, {"await", 0.95, 0.85, awaitPromise}, {"declared-type", 0.80, 0.75, declaredType}, {"convert", 0.75, 0.70, convert}, {"ask-member", 0.60, 0.65, askMember}},
	MaybeNull:     {{"optional-chain", 0.80, 0.75, optionalChain}, {"guard-null", 0.70, 0.60, guardNull}, {"or-empty", 0.75, 0.75, orEmpty}},
	UnknownError:  {{"is-error", 1, 0.85, isError}},
	NotAsync:      {{"make-async", 1, 0.85, makeAsync}},
	NoPromise:     {{"promised-type", 1, 0.95, promisedType}},
	NeedlessAwait: {{"drop-await", 1, 0.90, dropAwait}},
	Constant:      {{"variable-again", 1, 0.75, variableAgain}},
	NotAwaited:    {{"await", 1, 0.90, awaitPromise}},
	Unchecked:     {{"hand-on-error", 0.90, 0.80, handOnError}},
	Shadowed:      {{"assign-outer", 0.90, 0.80, assignOuter}},
	Verb:          {{"fitting-verbs", 1, 0.85, fittingVerbs}, {"fitting-verb", 1, 0.90, fittingVerb}, {"exchanged-verbs", 0.60, 0.65, exchangedVerbs}},
	Arguments:     {{"near-parameter", 0.95, 0.85, nearParameter}, {"fewer-arguments", 0.80, 0.65, fewerArguments}, {"more-arguments", 0.80, 0.60, moreArguments}},
	VerbArguments: {{"missing-argument", 0.90, 0.75, missingArgument}},
	Undeclared:    {{"declare-thrown", 1, 0.75, declareThrown}},
	Unset:         {{"count-from-zero", 1, 0.85, countFromZero}, {"first-value", 0.90, 0.55, firstValue}},
	Wordy:         {{"plain-truth", 1, 0.95, plainTruth}},
	Loose:         {{"strict-comparison", 1, 0.90, strictComparison}},
	Unparsed:      {{"missing-sign", 1, 0.85, missingSign}},
	Ruled:         {{"by-the-rule", 1, 0.90, byRule}},
	Spacing:       {{"spacing", 1, 0.98, spacing}},
}
