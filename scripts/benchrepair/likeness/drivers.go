package likeness

import (
	"fmt"
	"path"
	"strings"

	"fettle/scripts/benchrepair/rows"
)

// driver is how a language runs calls and shows their answers, a line each: #number, tab, answer. Each call has a second.
type driver struct {
	run     []string
	without map[string]bool // files that stand in its way
	text    func(row rows.Row, source string, calls []string) (name, text string)
}

var drivers = map[string]driver{
	"python":     {run: []string{"python3", "driver.py"}, text: pythonDriver},
	"javascript": {run: []string{"node", "driver.js"}, text: nodeDriver},
	"go":         {run: []string{"go", "test", "-vet=off", "-run", "TestDriver", "."}, without: map[string]bool{"solution_test.go": true}, text: goDriver},
	"java":       {run: []string{"sh", "-c", "mkdir -p out && javac -nowarn -d out *.java >&2; java -cp out Driver"}, without: map[string]bool{"Main.java": true}, text: javaDriver},
}

func pythonDriver(row rows.Row, _ string, calls []string) (string, string) {
	var b strings.Builder
	b.WriteString("import sys, signal, types, itertools\nsys.path[:0] = ['.', 'python_programs']\n")
	fmt.Fprintf(&b, "from %s import *\n", strings.ReplaceAll(strings.TrimSuffix(row.Source, ".py"), "/", "."))
	fmt.Fprintf(&b, `import importlib
globals().update({k: v for k, v in vars(importlib.import_module(%q)).items() if not k.startswith("__")})
def list_or_value(x):
    return list(itertools.islice(x, 10000)) if isinstance(x, types.GeneratorType) else x
def late(*_): raise TimeoutError
signal.signal(signal.SIGALRM, late)
def show(i, f):
    signal.setitimer(signal.ITIMER_REAL, 1)
    try: text = repr(list_or_value(f()))
    except TimeoutError: text = "!late"
    except BaseException as e: text = "!" + type(e).__name__
    finally: signal.setitimer(signal.ITIMER_REAL, 0)
    print("#%%d\t%%s" %% (i, text.replace("\n", " ")), file=out, flush=True)
out, sys.stdout = sys.stdout, sys.stderr
`, strings.ReplaceAll(strings.TrimSuffix(row.Source, ".py"), "/", "."))
	for i, c := range calls {
		fmt.Fprintf(&b, "show(%d, lambda: eval(%q))\n", i, c)
	}
	return "driver.py", b.String()
}

func nodeDriver(row rows.Row, _ string, calls []string) (string, string) {
	var b strings.Builder
	fmt.Fprintf(&b, `const vm = require('vm'), util = require('util');
const box = vm.createContext({...globalThis, ...require('./%s'), console: {log() {}}});
function show(i, text) {
  let answer;
  try { const v = vm.runInContext('(' + text + ')', box, {timeout: 1000}); answer = JSON.stringify(v) + ' ' + util.inspect(v, {depth: 6, breakLength: Infinity}).slice(0, 2000); } catch (e) { answer = e.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? '!late' : '!' + e.name; }
  process.stdout.write('#' + i + '\t' + answer.replace(/\n/g, ' ') + '\n');
}
`, path.Base(row.Source))
	for i, c := range calls {
		fmt.Fprintf(&b, "show(%d, %s);\n", i, jsQuote(c))
	}
	return "driver.js", b.String()
}

// jsQuote quotes by Go's rules, which are JavaScript's too for what calls hold.
func jsQuote(s string) string { return fmt.Sprintf("%q", s) }

func goDriver(_ rows.Row, source string, calls []string) (string, string) {
	pkg := "main"
	for line := range strings.Lines(source) {
		if name, ok := strings.CutPrefix(line, "package "); ok {
			pkg = strings.TrimSpace(name)
			break
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `package %s

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func show(i int, f func() any) {
	answer := make(chan string, 1)
	go func() {
		defer func() {
			if recover() != nil {
				answer <- "!panic"
			}
		}()
		answer <- strings.ReplaceAll(fmt.Sprintf("%%#v", f()), "\n", " ")
	}()
	select {
	case a := <-answer:
		fmt.Fprintf(os.Stdout, "#%%d\t%%s\n", i, a)
	case <-time.After(time.Second):
		fmt.Fprintf(os.Stdout, "#%%d\t!late\n", i)
	}
}

func TestDriver(t *testing.T) {
`, pkg)
	for i, c := range calls {
		fmt.Fprintf(&b, "\tshow(%d, func() any { return %s })\n", i, c)
	}
	b.WriteString("\tos.Exit(0)\n}\n")
	return "driver_test.go", b.String()
}

func javaDriver(_ rows.Row, _ string, calls []string) (string, string) {
	var b strings.Builder
	b.WriteString(`import java.util.*;
import java.util.concurrent.*;

public class Driver {
    static final ExecutorService pool = Executors.newCachedThreadPool(r -> { Thread t = new Thread(r); t.setDaemon(true); return t; });

    static void show(int i, Callable<Object> f) {
        String answer;
        Future<Object> later = pool.submit(f);
        try {
            Object v = later.get(1, TimeUnit.SECONDS);
            answer = v instanceof int[] a ? Arrays.toString(a) : v instanceof double[] d ? Arrays.toString(d) : v instanceof Object[] o ? Arrays.deepToString(o) : String.valueOf(v);
        } catch (TimeoutException e) {
            answer = "!late";
        } catch (Throwable e) {
            answer = "!" + e.getClass().getSimpleName();
        }
        System.out.println("#" + i + "\t" + answer.replace("\n", " "));
    }

`)
	const chunk = 50 // a method may not be too long
	for i, c := range calls {
		if i%chunk == 0 {
			if i > 0 {
				b.WriteString("    }\n")
			}
			fmt.Fprintf(&b, "    static void part%d() {\n", i/chunk)
		}
		fmt.Fprintf(&b, "        show(%d, () -> { Solution s = new Solution(); return %s; });\n", i, c)
	}
	b.WriteString("    }\n\n    public static void main(String[] args) {\n")
	for i := 0; i*chunk < len(calls); i++ {
		fmt.Fprintf(&b, "        part%d();\n", i)
	}
	b.WriteString("        System.exit(0);\n    }\n}\n")
	return "Driver.java", b.String()
}
