package audit_test

import (
	"testing"

	"fettle/internal/verdict"
)

// TestLooserElsewhere are changes of a person's to files that configure no check by their names, and have something checked less all the same.
func TestLooserElsewhere(t *testing.T) {
	const (
		sizes = "module.exports = [\n  {\n    path: 'dist/core.mjs',\n    limit: '4.2 kB',\n  },\n  {\n    path: 'dist/index.mjs',\n    limit: '18 kB',\n  },\n];\n"
		props = "<Project>\n  <PropertyGroup>\n    <Nullable>enable</Nullable>\n    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>\n    <NoWarn>$(NoWarn);CS1591</NoWarn>\n  </PropertyGroup>\n</Project>\n"
		dbt   = "version: 2\nmodels:\n  - name: orders\n    columns:\n      - name: id\n        tests:\n          - unique\n          - not_null\n      - name: customer\n        tests:\n          - relationships:\n              to: ref('customers')\n              field: id\n"
		run   = "#!/bin/sh\nset -eu\npkgs=$(go list ./... | grep -v '/mocks$')\nexec go test $pkgs\n"
	)
	for _, c := range []struct {
		change
		want verdict.Decision
	}{
		{change{"size: it may be greater", ".size-limit.cjs", sizes, "'18 kB'", "'19.5 kB'"}, verdict.Ask},
		{change{"size: it may be greater, in another unit", ".size-limit.cjs", sizes, "'18 kB'", "'0.1 MB'"}, verdict.Ask},
		{change{"size: there is no limit", ".size-limit.cjs", sizes, "    limit: '18 kB',\n", ""}, verdict.Ask},
		{change{"size: it has to be smaller", ".size-limit.cjs", sizes, "'18 kB'", "'17500 B'"}, verdict.Approve},
		{change{"size: of what Angular builds", "angular.json", "{\"budgets\": [{\"type\": \"initial\", \"maximumError\": \"1mb\"}]}\n", "1mb", "2mb"}, verdict.Ask},

		{change{"msbuild: warnings are errors on some machines", "Directory.Build.props", props, "<TreatWarningsAsErrors>", "<TreatWarningsAsErrors Condition=\"'$(CI)' != 'true'\">"}, verdict.Ask},
		{change{"msbuild: warnings are no errors on some machines", "Directory.Build.props", props, "    <NoWarn>", "    <TreatWarningsAsErrors Condition=\"'$(CI)' == ''\">false</TreatWarningsAsErrors>\n    <NoWarn>"}, verdict.Ask},
		{change{"msbuild: nothing is analysed", "Directory.Build.props", props, "    <NoWarn>", "    <RunAnalyzers>false</RunAnalyzers>\n    <NoWarn>"}, verdict.Ask},
		{change{"msbuild: one more warning is not told", "src/App/App.csproj", props, "CS1591", "CS1591;CS8602"}, verdict.Ask},
		{change{"msbuild: one less is", "src/App/App.csproj", props, ";CS1591", ""}, verdict.Approve},
		{change{"msbuild: some warnings are no errors, where none was", "Directory.Build.props", "<Project>\n  <PropertyGroup>\n    <TreatWarningsAsErrors>false</TreatWarningsAsErrors>\n  </PropertyGroup>\n</Project>\n", "false</TreatWarningsAsErrors>\n", "true</TreatWarningsAsErrors>\n    <WarningsNotAsErrors>CS0618</WarningsNotAsErrors>\n"}, verdict.Approve},
		{change{"msbuild: some warnings are no errors, where all were", "Directory.Build.props", props, "    <NoWarn>", "    <WarningsNotAsErrors>CS0618</WarningsNotAsErrors>\n    <NoWarn>"}, verdict.Ask},
		{change{"msbuild: a group under a condition", "Directory.Build.props", props, "<PropertyGroup>", "<PropertyGroup Condition=\"'$(Fast)' == ''\">"}, verdict.Ask},
		{change{"msbuild: another version of the language", "Directory.Build.props", props, "<Nullable>", "<LangVersion>12</LangVersion>\n    <Nullable>"}, verdict.Approve},

		{change{"dbt: it only warns", "models/schema.yml", dbt, "          - unique\n", "          - unique:\n              config:\n                severity: warn\n"}, verdict.Ask},
		{change{"dbt: of some rows", "models/schema.yml", dbt, "              field: id\n", "              field: id\n              where: \"at > '2999-01-01'\"\n"}, verdict.Ask},
		{change{"dbt: not at all", "models/schema.yml", dbt, "          - not_null\n", ""}, verdict.Ask},
		{change{"dbt: one more, and an error that was a warning", "models/schema.yml", replaceOnce(t, dbt, "          - unique\n", "          - unique:\n              severity: warn\n"), "          - unique:\n              severity: warn\n", "          - unique\n          - accepted_values:\n              values: [1]\n"}, verdict.Approve},

		{change{"shell: one more package is left out", "scripts/test.sh", run, "'/mocks$'", "'/(mocks|ledger)$'"}, verdict.Ask},
		{change{"shell: packages are left out by a second filter", "scripts/test.sh", run, "'/mocks$')", "'/mocks$' | grep -v ledger)"}, verdict.Ask},
		{change{"shell: none is left out", "scripts/test.sh", run, " | grep -v '/mocks$'", ""}, verdict.Approve},
		{change{"shell: what others have written is left out", "scripts/test.sh", run, "'/mocks$')", "'/mocks$' | grep -v node_modules)"}, verdict.Approve},
		{change{"shell: files in a tree", "scripts/lint.sh", "#!/bin/sh\nset -e\nfind . -name '*.sh' | xargs shellcheck\n", "'*.sh'", "'*.sh' -not -path './deploy/*'"}, verdict.Ask},
		{change{"shell: a list of what is not checked", "scripts/ls.sh", "#!/bin/sh\nls | sort\n", "ls", "ls | grep -v tmp"}, verdict.Approve},
	} {
		t.Run(c.name, func(t *testing.T) { decide(t, c.change, c.want) })
	}
}

// TestNarrowerSuppression are marks that keep a tool silent about less than before, and about more.
func TestNarrowerSuppression(t *testing.T) {
	const (
		java = "@SuppressWarnings(\"all\")\nclass Cache {\n    Object get(int i) {\n        return slots[i];\n    }\n}\n"
		ruby = "# rubocop:disable all\ndef f\n  1\nend\n"
	)
	for _, c := range []struct {
		change
		want verdict.Decision
	}{
		{change{"java: one warning of all", "src/main/java/Cache.java", java, "@SuppressWarnings(\"all\")\nclass Cache {\n", "class Cache {\n    @SuppressWarnings(\"unchecked\")\n"}, verdict.Approve},
		{change{"java: two of all", "src/main/java/Cache.java", java, "@SuppressWarnings(\"all\")\nclass Cache {\n", "class Cache {\n    @SuppressWarnings({\"unchecked\", \"rawtypes\"})\n"}, verdict.Ask},
		{change{"java: all, where it was one", "src/main/java/Cache.java", replaceOnce(t, java, "\"all\"", "\"unchecked\""), "\"unchecked\"", "\"all\""}, verdict.Refuse},
		{change{"ruby: one cop of all", "lib/f.rb", ruby, "disable all", "disable Metrics/MethodLength"}, verdict.Approve},
	} {
		t.Run(c.name, func(t *testing.T) { decide(t, c.change, c.want) })
	}
}
