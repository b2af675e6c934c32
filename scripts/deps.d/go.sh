# Go modules that projects of the tests need: testify, and what it needs itself. The tests find them in the module cache.
go_modules="github.com/stretchr/testify@v1.11.1 github.com/stretchr/objx@v0.5.2 github.com/davecgh/go-spew@v1.1.1 github.com/pmezard/go-difflib@v1.0.0 gopkg.in/yaml.v3@v3.0.1 gopkg.in/check.v1@v0.0.0-20161208181325-20d25e280405"
go_stamp="$tools/.go-modules-$(printf '%s' "$go_modules$(go env GOMODCACHE)" | cksum | cut -d' ' -f1)"
if [ ! -e "$go_stamp" ]; then
  say "Go modules: $go_modules"
  # shellcheck disable=SC2086
  (cd / && go mod download $go_modules)
  touch "$go_stamp"
fi
