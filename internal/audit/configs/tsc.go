package configs

import (
	"maps"
	"strconv"
	"strings"

	"fettle/internal/audit/trees"
)

// strictFamily are the switches of TypeScript's compiler that "strict" turns on where nothing else is said of them.
var strictFamily = []string{
	"noImplicitAny", "noImplicitThis", "alwaysStrict", "strictBindCallApply", "strictNullChecks", "strictFunctionTypes", "strictPropertyInitialization", "strictBuiltinIteratorReturn", "useUnknownInCatchVariables",
}

// tsconfig compares settings of TypeScript's compiler.
func tsconfig(was, is trees.Tree) Judgement {
	return judgeBy(impliedByStrict(was), impliedByStrict(is), tsconfigDemands)
}

var tsconfigDemands = []demand{
	towards(`compilerOptions/(strict\w*|noImplicit(Any|This|Override|Returns)|alwaysStrict|useUnknownInCatchVariables|noUnused(Locals|Parameters)|exactOptionalPropertyTypes|noFallthroughCasesInSwitch|`+
		`noUnchecked(IndexedAccess|SideEffectImports)|noPropertyAccessFromIndexSignature|forceConsistentCasingInFileNames|noEmitOnError|checkJs|noEmit)`, on),
	towards(`compilerOptions/(skip(Default)?LibCheck|allowUnreachableCode|allowUnusedLabels|noCheck|suppress\w+Errors|noStrictGenericChecks|keyofStringsOnly)`, off),
	towards(`compilerOptions/target`, laterTarget),
	towards(`\$schema|compilerOptions/(outDir|declaration|declarationMap|declarationDir|sourceMap|inlineSources|removeComments|incremental|tsBuildInfoFile|pretty|newLine)`, free),
	towards(`include|files`, growsToAll),
	towards(`exclude`, shrinks),
}

// impliedByStrict writes out what strictness stands for. Where settings build on others, those may say otherwise.
func impliedByStrict(t trees.Tree) trees.Tree {
	options := trees.Of(t["compilerOptions"])
	if t["extends"] != nil || trees.TruthOf(trees.Text(options["strict"])) != 2 {
		return t
	}
	options = maps.Clone(options)
	for _, name := range strictFamily {
		if options[name] == nil {
			options[name] = "true"
		}
	}
	t = maps.Clone(t)
	t["compilerOptions"] = options
	return t
}

// laterTarget is said of the edition of the language that is written for: an older one knows less.
func laterTarget(was, is any) Judgement {
	return ifSo(edition(trees.Text(is)) >= edition(trees.Text(was)) && edition(trees.Text(was)) > 0)
}

// edition is the year of one; 0, if it has none.
func edition(name string) int {
	name = strings.ToLower(name)
	if name == "esnext" {
		return 9999
	}
	year, err := strconv.Atoi(strings.TrimPrefix(name, "es"))
	if err != nil {
		return 0
	}
	if year < 100 {
		year += 2009 // ES6 is that of 2015
	}
	return year
}
