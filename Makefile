# Two commands do everything on a fresh Debian or Ubuntu with Go: make demo, make test.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# The tools that the tests and the demo use are installed by scripts/deps.sh below .tools, and found there first.
export PATH := $(CURDIR)/.tools/bin:$(CURDIR)/.tools/py/bin:$(CURDIR)/.tools/node/node_modules/.bin:$(PATH)
# A checkout may belong to somebody else (a container's volume): the version stamp is no reason to fail.
export GOFLAGS := -buildvcs=false
# What is measured and shown here is what fettle does without a model, whatever keys the environment holds.
export FETTLE_MODELS := off

.PHONY: help
help: ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 18

.PHONY: build
build: ## the program, bin/fettle, with the guard's hook in it
	scripts/hook.sh internal/guard/setup/fettle-guard
	go build -trimpath -tags embedguard -o bin/fettle ./cmd/fettle

.PHONY: demo
demo: ## mend two really broken sample repositories, offline, and show the reports
	@scripts/deps.sh demo
	@$(MAKE) --no-print-directory build
	@scripts/demo.sh

.PHONY: deps
deps: ## install what the tests need
	@scripts/deps.sh

.PHONY: test
test: deps ## every test, with the race detector where things happen side by side; a missing tool is a failure
	@# Side by side: tests wait for tools now and then. Vetting is make lint's.
	@# The same choices each time: a gate gives the same answer for the same tree. go test draws anew, and make soak and make fuzz look for what is rare.
	@# Two at a time: whichever of the first two is done makes room for the third.
	@FETTLE_CI=1 RAPID_SEED=1 FETTLE_SOAK_SEED=1 $(MAKE) --no-print-directory -j2 test-race test-plain test-rest

# What is C made into Go (SQLite), whose memory is not Go's, so that the race detector would not look at it anyway, and what makes machine code of
# the grammars, each in one goroutine: watched, they take longer than all the rest of a test that opens the store. What calls them is watched. No package
# belongs here that makes instances of the standard library's generic types: the linker keeps one of each, and if that is not watched, nobody's is.
unwatched := modernc.org/sqlite/lib modernc.org/libc/... $(addprefix github.com/tetratelabs/wazero/internal/engine/wazevo/,backend/... frontend/... ssa/...)

# How tests are watched. Every process with the race detector would wait for a second at its end, and the tests start hundreds. Nobody looks at these programs
# with a debugger, and what one would read is a tenth of the compiling; where a race is stands elsewhere.
watch := GORACE=atexit_sleep_ms=0 go test -race -gcflags=all=-dwarf=false $(unwatched:%=-gcflags='%=-race=false -dwarf=false') -vet=off -timeout 40m

# The rooms that only compute: nothing happens side by side in them, and what is read by regular expressions takes twenty times as long under the detector. What calls
# them from many sides is watched, and so are the hook's own tests that do so (sideways).
computing := ./internal/audit/... ./internal/check/parse ./internal/fix/complaint ./internal/fix/reply ./internal/guard/hook ./internal/policy/secret ./internal/policy/shell
sideways := TestWaiting|TestOtherSessions

# Tests of single things that take many times as long under the detector: they are carried out without it. Of the searches, those are watched that have
# a project in each language, and those that remember, ask the whole check, or are told in another order.
unhurried := TestNoSecretLeaves|TestRealFiles|FuzzReach|TestCompilesAlone|TestDisguised|TestTurnedOff|TestTooMuchElsewhere|TestHeal|TestLargeFiles

# The limit of time is for what hangs: on a busy machine the stories alone have taken 20 minutes.
.PHONY: test-race
test-race:
	$(watch) -skip '^($(unhurried))$$' $$(go list ./... | grep -v /cmd/ | grep -vxF "$$(go list $(computing))")
	$(watch) -run '^($(sideways))$$' ./internal/guard/hook

.PHONY: test-plain
test-plain: # what starts the programs as users get them
	go test -vet=off -timeout 40m ./cmd/...
	go test -vet=off -timeout 40m -run 'TestScripts|TestNoSecretLeaves' ./internal/cli

.PHONY: test-rest
test-rest: # what only computes, what the race detector's own memory would drown, and what is tried so often that it would take too long under it
	go test -vet=off -p 1 -timeout 40m $(computing)
	go test -vet=off -p 1 -timeout 40m ./internal/edit/... ./internal/journal
	go test -vet=off -p 1 -timeout 40m ./scripts/benchoracle
	go test -vet=off -p 1 -timeout 40m -run 'TestTakingBack|TestRaces|TestOutOfMemory|^($(unhurried))$$' ./internal/workspace ./internal/syntax ./internal/fix/search ./internal/runner/golang

.PHONY: lint
lint: deps ## vet, golangci-lint, formatting, and the same for other systems
	go vet ./...
	GOOS=darwin go vet ./...
	GOOS=darwin GOARCH=arm64 go build -o /dev/null ./cmd/fettle
	@# Every test for macOS is built; they run there. Here true stands in for each: rooms may have the same last name, which one folder of programs would not bear.
	GOOS=darwin GOARCH=arm64 go test -vet=off -count=1 -exec true ./... > /dev/null
	golangci-lint run ./...
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "not formatted:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	bash -n scripts/*.sh

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (default 10s)
	@scripts/fuzz.sh $(or $(FUZZTIME),10s)

.PHONY: soak
soak: deps ## kill fettle at 500 random moments of its work (SOAK=N for another number), stop each runner at 40 of its own, cut the power at 2000, let each write to the disk fail, race its writes 10,000 times, take back 6000 histories of changes, heal a repository of 100,000 files, and put a million commands (COMMANDS=N) into wrappers
	FETTLE_CI=1 FETTLE_SOAK=1 go test -count=1 ./internal/workspace -run TestRaces -timeout 30m -v
	FETTLE_CI=1 FETTLE_SOAK=1 go test -count=1 -p 1 ./internal/runner/... -run '^TestStops' -timeout 30m -v
	FETTLE_CI=1 FETTLE_SOAK=$(or $(COMMANDS),1000000) go test -count=1 ./internal/policy/shell -run TestMetamorphic -timeout 120m -v
	FETTLE_CI=1 go test -count=1 ./internal/workspace -run TestTakingBack -timeout 60m -v -rapid.checks=$(or $(HISTORIES),6000)
	FETTLE_CI=1 FETTLE_SOAK=$(or $(SOAK),500) go test -count=1 ./cmd/fettle -run 'TestKilledAnywhere|TestHugeRepository' -timeout 90m -v
	FETTLE_CI=1 FETTLE_POWER=$(or $(POWER),2000) go test -count=1 ./cmd/fettle -run TestPowerLoss -timeout 90m -v
	FETTLE_CI=1 FETTLE_FAILS=$(or $(FAILS),1000) go test -count=1 ./cmd/fettle -run TestDiskFails -timeout 180m -v

.PHONY: bench
bench: deps build ## the figures in docs/benchmarks.md
	@scripts/bench.sh

.PHONY: bench-repair
bench-repair: deps build ## what the search heals of small real bugs, docs/repair.md (REPAIR="-lang go -row ID -v": only some)
	@go run ./scripts/benchrepair $(REPAIR) bin/fettle

.PHONY: local-model
local-model: ## serve a small real model on this machine until you interrupt it, and say how fettle is told of it, docs/models.md; fetches 1.2 GB the first time (LOCAL="-context 16384 -port 8080")
	@go run ./scripts/localmodel $(LOCAL)

.PHONY: bench-local-model
bench-local-model: deps build ## what fettle heals with that model alone, docs/local-model.md; takes hours, and is gone on with (CORPUS=FOLDER: other rows; LOCAL="-time 1h -row ID -v"; FORCE=1: measure again)
	@go run ./scripts/benchlocal $(if $(CORPUS),-corpus $(CORPUS)) $(if $(FORCE),-force) $(LOCAL) bin/fettle

.PHONY: bench-planted
bench-planted: deps build ## what fettle heals of single edits planted in real projects, docs/planted.md (PLANTED="python mux": only these; FAULTS=5; FORCE=1: measure again)
	@go run ./scripts/benchplanted -faults $(or $(FAULTS),20) $(if $(FORCE),-force) bin/fettle $(PLANTED)

.PHONY: bench-ideas
bench-ideas: ## which small changes in the histories of real projects the search would try, and what each of its ideas is good for, docs/ideas.md (CLONES=DIR: clones of the projects; FORCE=1: look again)
	@go run ./scripts/benchideas $(if $(CLONES),-clones $(CLONES)) $(if $(FORCE),-force)

.PHONY: bench-locate
bench-locate: deps build ## where fettle locate sees the faults of real fixes, docs/locate.md (CLONE=DIR: a clone of the project; PLACES=1: without fettle fix; FORCE=1: measure again)
	@go run ./scripts/benchlocate $(if $(CLONE),-clone $(CLONE)) $(if $(PLACES),-places) $(if $(FORCE),-force) bin/fettle

.PHONY: bench-oracle
bench-oracle: deps build ## whether a model's right answer gets through and a wrong one does not, docs/models.md (CORPUS=DIR: rows from there; ORACLE="-lang go -part 1/4 -wrongs 2 -v": some, or more)
	@go run ./scripts/benchoracle $(if $(CORPUS),-corpus $(CORPUS)) $(ORACLE) bin/fettle

.PHONY: bench-replies
bench-replies: ## fettle's reader of models' replies beside aider's on the same replies, docs/prompts.md: installs aider into .tools (700 MB)
	@test -x .tools/aider/bin/aider || { python3 -m venv .tools/aider && .tools/aider/bin/pip -q install aider-chat==0.86.2; }
	go run ./scripts/benchreplies -aider .tools/aider/bin/python $(REPLIES)

.PHONY: bench-honesty
bench-honesty: ## which of eight ways to cheat get past the audit, docs/audit.md (HONESTY=-v: name them)
	go run ./scripts/benchhonesty $(HONESTY)

.PHONY: bench-danger
bench-danger: ## how much of what is dangerous in labelled patches the audit sees, and how often it is wrong, docs/audit.md (DANGER="-v FILE": name them; other rows)
	go run ./scripts/benchdanger $(DANGER) internal/policy/code/testdata/code_hand.jsonl

.PHONY: bench-secrets
bench-secrets: ## how many of the secrets in labelled texts are found, how much of ordinary text is altered, and how fast, docs/guard-figures.md (SECRETS="-v FILE|FOLDER …": other texts)
	go run ./scripts/benchsecrets $(SECRETS)
	go test ./internal/policy/secret -run '^$$' -bench Redact/

.PHONY: bench-guards
bench-guards: deps ## what other guards say of labelled commands, side by side, docs/guard-figures.md (GUARDS="-sample 100 -build-dcg -dcg PROGRAM -dippy CHECKOUT FILE|FOLDER …")
	@go run ./scripts/benchguards $(GUARDS)

.PHONY: bench-paths
bench-paths: ## the attacks by path, and 10,000 writes while a program swaps their file or folder for a link at least 100,000 times, docs/guarantees.md
	go test -count=1 ./internal/policy/path ./internal/audit -run 'TestCorpus|TestPathAttacks' -v | grep -cE '^ *--- PASS.*path-'
	FETTLE_SOAK=1 go test -count=1 ./internal/workspace -run '^TestRaces$$' -timeout 30m -v

.PHONY: bench-real
bench-real: deps build ## what fettle does for real projects, docs/real-projects.md (REAL="mux itoa": only these; FORCE=1: measure again)
	@go run ./scripts/benchreal $(if $(FORCE),-force) bin/fettle $(REAL)

.PHONY: generate
generate: ## what is generated and checked in
	go generate ./...

.PHONY: clean
clean: ## remove what was built and installed here
	rm -rf bin .tools
