//go:build embedguard

package setup

import _ "embed"

//go:embed fettle-guard
var program []byte

func init() { embedded = program }
