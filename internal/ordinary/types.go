package ordinary

import (
	"bytes"
	"encoding/json"
	"slices"
)

// strictness are the options of TypeScript's compiler that make it complain of more when they are true.
var strictness = []string{"strict", "noImplicitAny", "strictNullChecks", "strictFunctionTypes", "strictBindCallApply", "strictPropertyInitialization", "strictBuiltinIteratorReturn", "noImplicitThis", "useUnknownInCatchVariables",
	"alwaysStrict", "noUnusedLocals", "noUnusedParameters", "exactOptionalPropertyTypes", "noImplicitReturns", "noFallthroughCasesInSwitch", "noUncheckedIndexedAccess", "noImplicitOverride",
	"noPropertyAccessFromIndexSignature", "checkJs", "isolatedModules", "isolatedDeclarations", "verbatimModuleSyntax", "forceConsistentCasingInFileNames", "noUncheckedSideEffectImports", "erasableSyntaxOnly", "noEmitOnError"}

// unchecked are the options that say what is made, and where things are found: none of them makes the compiler complain of less.
var unchecked = []string{"target", "module", "moduleResolution", "lib", "jsx", "jsxFactory", "jsxFragmentFactory", "jsxImportSource", "baseUrl", "paths", "rootDir", "rootDirs", "outDir", "outFile", "declaration", "declarationDir",
	"declarationMap", "sourceMap", "inlineSourceMap", "inlineSources", "sourceRoot", "mapRoot", "removeComments", "importHelpers", "downlevelIteration", "esModuleInterop", "allowSyntheticDefaultImports", "resolveJsonModule",
	"moduleDetection", "allowImportingTsExtensions", "experimentalDecorators", "emitDecoratorMetadata", "useDefineForClassFields", "incremental", "composite", "tsBuildInfoFile", "newLine", "preserveConstEnums", "typeRoots", "types",
	"allowJs", "noEmit", "pretty", "preserveSymlinks", "resolvePackageJsonExports", "resolvePackageJsonImports", "customConditions", "emitDeclarationOnly"}

// sameTypes reports two texts of a tsconfig.json of which the second has the compiler complain of no less: options of strictness are only turned on, and what is checked is
// the same.
func sameTypes(before, after string) bool {
	if before == "" {
		before = "{}"
	}
	was, ok := members(string(JSON([]byte(before))))
	is, also := members(string(JSON([]byte(after))))
	if !ok || !also {
		return false
	}
	if !stricter(was["compilerOptions"], is["compilerOptions"]) {
		return false
	}
	for _, all := range []map[string]json.RawMessage{was, is} {
		for _, key := range []string{"compilerOptions", "$schema", "display", "watchOptions", "compileOnSave"} {
			delete(all, key)
		}
	}
	if len(before) <= len("{}") { // what a new one is about weakens none that was there
		return is["extends"] == nil
	}
	return len(was) == len(is) && sameIn(was, is)
}

// sameIn reports that each value of one object is that of another.
func sameIn(was, is map[string]json.RawMessage) bool {
	for key, v := range was {
		if !bytes.Equal(compact(v), compact(is[key])) {
			return false
		}
	}
	return true
}

// stricter reports compiler options that differ in nothing but those, and in strictness that is turned on.
func stricter(before, after json.RawMessage) bool {
	was, is := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if len(before) > 0 && json.Unmarshal(before, &was) != nil || len(after) > 0 && json.Unmarshal(after, &is) != nil {
		return false
	}
	for key := range was {
		if _, still := is[key]; !still && !slices.Contains(unchecked, key) {
			return false
		}
	}
	for key, v := range is {
		if bytes.Equal(compact(v), compact(was[key])) || slices.Contains(unchecked, key) || slices.Contains(strictness, key) && string(v) == "true" || len(before) == 0 && key == "skipLibCheck" {
			continue
		}
		return false
	}
	return true
}
