// Package pin keeps go.mod whole while the rooms are being built.
package pin

import (
	_ "github.com/aymanbagabas/go-udiff"
	_ "github.com/bluekeyes/go-gitdiff/gitdiff"
	_ "github.com/gofrs/flock"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/jsonschema-go/jsonschema"
	_ "github.com/google/renameio/v2"
	_ "github.com/reviewdog/errorformat"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "go.uber.org/goleak"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/term"
	_ "golang.org/x/text/unicode/norm"
	_ "golang.org/x/tools/cover"
	_ "golang.org/x/tools/go/packages"
	_ "gotest.tools/v3/golden"
	_ "modernc.org/sqlite"
	_ "mvdan.cc/sh/v3/shell"
	_ "pgregory.net/rapid"
)
