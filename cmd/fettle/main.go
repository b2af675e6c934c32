// Command fettle mends repositories: it runs their checks, tries changes in private, and applies what has evidence.
package main

import (
	"os"

	"fettle/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], cli.Stdio())) }
