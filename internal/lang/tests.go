package lang

// testMaterial is what belongs to no language in particular: data that tests compare with. A change to it can make a
// test pass as well as a change to the test can.
var testMaterial = rules{
	names:   []string{"*.snap", "*.golden", "*.approved.*"},
	folders: []string{"testdata", "test_data", "test-data", "testcases", "test_cases", "*_testcases", "fixtures", "__fixtures__", "snapshots", "__snapshots__", "__mocks__"},
}

// tests is where each language keeps its tests, by its own tools' rules:
//
//   - go: files that go test builds
//   - python: pytest's default python_files, conftest.py, unittest's test*.py, and the usual folders
//   - javascript, typescript: Jest's testMatch and Vitest's include, Cypress and Playwright folders
//   - java, kotlin, scala: Maven's and Gradle's src/test, src/*Test; Surefire's default includes
//   - rust: the integration tests of Cargo, and modules of tests in files of their own (mod tests;); other unit tests stand
//     inside source files and are for the syntax to find
//   - others: their most used runner's default
//
// It is no map, which would be built whenever a program starts.
var tests = []struct {
	language Language
	rules
}{
	{Go, rules{names: []string{"*_test.go"}}},
	{Python, rules{names: []string{"test_*.py", "*_test.py", "tests.py", "test.py", "conftest.py", "test_*.pyi"}, folders: testFolders}},
	{JavaScript, javascriptTests},
	{TypeScript, javascriptTests},
	{Java, rules{names: []string{"Test*.java", "*Test.java", "*Tests.java", "*TestCase.java", "*IT.java", "IT*.java", "*ITCase.java"}, under: jvmTests}},
	{Kotlin, rules{names: []string{"*Test.kt", "*Tests.kt", "*Spec.kt"}, under: jvmTests}},
	{Scala, rules{names: []string{"*Test.scala", "*Spec.scala", "*Suite.scala"}, under: jvmTests}},
	{Rust, rules{names: []string{"tests.rs", "test.rs", "*_test.rs", "*_tests.rs"}, folders: []string{"tests"}}},
	{C, rules{names: []string{"test_*.c", "*_test.c", "*_unittest.c"}, folders: testFolders}},
	{CPP, rules{names: []string{"test_*.cc", "*_test.cc", "test_*.cpp", "*_test.cpp", "*_unittest.cc"}, folders: testFolders}},
	{CSharp, rules{names: []string{"*Test.cs", "*Tests.cs"}, folders: []string{"tests", "test", "*.Tests", "*.Test"}}},
	{Ruby, rules{names: []string{"*_spec.rb", "*_test.rb", "test_*.rb", "spec_helper.rb", "test_helper.rb"}, folders: []string{"spec", "test"}}},
	{PHP, rules{names: []string{"*Test.php"}, folders: []string{"tests", "Tests"}}},
	{Swift, rules{names: []string{"*Tests.swift"}, folders: []string{"Tests"}}},
	{Lua, rules{names: []string{"*_spec.lua", "test_*.lua"}, folders: []string{"spec", "tests"}}},
	{Shell, rules{names: []string{"*.bats", "test_*.sh", "*_test.sh"}, folders: testFolders}},
}

// testsOf is where a language keeps its tests.
func testsOf(l Language) rules {
	for i := range tests {
		if tests[i].language == l {
			return tests[i].rules
		}
	}
	return rules{}
}

var (
	testFolders = []string{"tests", "test"}
	jvmTests    = []string{"src/test/", "src/it/", "src/integrationTest/", "src/androidTest/", "src/commonTest/", "src/jvmTest/", "src/testFixtures/",
		"src/functionalTest/", "src/iosTest/", "src/jsTest/", "src/nativeTest/"}
	javascriptTests = rules{
		names: []string{
			"*.test.*", "*.spec.*", "*.test-d.*", "*.cy.*", "*.e2e.*", "*.bench.*", "test.js", "test.ts", "test.mjs", "test.cjs", "test.mts", "test.cts", "test.jsx", "test.tsx",
			"*_test.js", "*_test.ts", "*_test.mjs", "*_test.cjs", "*-test.js", "*-test.ts", "*-test.mjs", "*-test.cjs", "test-*.js", "test-*.mjs", "test-*.cjs", "test-*.ts",
			"jest.setup.*", "vitest.setup.*", "setupTests.*", // run before every test
		},
		folders: []string{"__tests__", "tests", "test", "e2e", "cypress"},
	}
)

// dataInTests are the folders whose every file is test material, code or not: tests/data.json, src/test/resources.
var dataInTests = rules{folders: []string{"tests", "__tests__"}, under: jvmTests}

// IsTest reports whether the file is a test, or material that tests stand on: helpers such as conftest.py, fixtures, golden
// files, snapshots.
func IsTest(file string) bool {
	return testMaterial.match(file) || dataInTests.match(file) || testsOf(Of(file)).match(file)
}
