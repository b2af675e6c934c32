package parse_test

import "testing"

func FuzzBiome(f *testing.F) {
	fuzz(f, "biome", "::error title=a%2Cb,file=../x,line=-1,col=99999999999999999999::y%0Az\n::error ::\n")
}
func FuzzESLint(f *testing.F) {
	fuzz(f, "eslint", `[null,{},{"filePath":"/repo/a.js","messages":[{}]}]`, `[{"messages":{}}]`)
}
func FuzzJest(f *testing.F) {
	fuzz(f, "jest", `{"testResults":[{"status":"failed","message":"● \n\n    Details:\n"},{"assertionResults":[{"status":"failed"}]}]}`)
}
func FuzzVitest(f *testing.F) {
	fuzz(f, "vitest", `{"testResults":[{"assertionResults":[{"status":"failed","failureMessages":["Error: STACK_TRACE_ERROR\n    at eval at x (/repo/a.js:1:2), <anonymous>:1:1"]}]}]}`)
}
func FuzzMocha(f *testing.F) {
	fuzz(f, "mocha", `{"passes":[{"title":"a","fullTitle":"b a"}],"failures":[{"title":"\"before all\" hook","err":{}}]}`)
}
func FuzzPrettier(f *testing.F) {
	fuzz(f, "prettier", "[error] a.js: SyntaxError: x (1:2)\n[error] y\n[warn] ../b.js\na.ts\n")
}
func FuzzTAP(f *testing.F) {
	fuzz(f, "tap", "        not ok\n    not ok 1 - # todo\n  ---\n    at:\n      file: a.js\n      line: 3\n  ...\nnot ok - /repo/x.js\nBail out!\n")
}
func FuzzTsc(f *testing.F) {
	fuzz(f, "tsc", "a.ts(0,0): error TS1: x\n  more\nerror TS5: y\nb.ts:1:2 - warning TS1002: z\n")
}
