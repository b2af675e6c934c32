package jvm_test

import (
	"testing"

	"fettle/internal/runner/jvm"
	"fettle/internal/runner/runnertest"
)

func TestKeeps(t *testing.T) {
	needJava(t)
	runnertest.Keeps(t, jvm.New(), runnertest.Kept{
		Files: `
-- Solution.java --
import java.io.File;
import java.io.FileWriter;
import java.util.*;

class Solution {
    static void wipe(String name) {
        File f = new File(name);
        for (String in : f.list() == null ? new String[0] : f.list()) wipe(name + "/" + in);
        f.delete();
    }

    static void write(String name) {
        try (FileWriter w = new FileWriter(name)) {
            w.write("broken");
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<String> clean(List<String> names) {
        wipe("nothing");
        List<String> out = new ArrayList<>();
        for (String n : names) {
            if (!n.equals("b")) out.add(n);
        }
        return out;
    }
}
-- data/names.txt --
a b
-- Main.java --
import java.nio.file.*;
import java.util.*;

public class Main {
    public static void main(String[] args) throws Exception {
        String text = new String(Files.readAllBytes(Paths.get("data/names.txt"))).trim();
        if (!Solution.clean(Arrays.asList(text.split(" "))).equals(Arrays.asList("b"))) {
            throw new AssertionError("wrong");
        }
    }
}
`,
		Check: programCheck,
		File:  "Solution.java",
		Does:  `wipe("nothing")`,
		Wrong: []string{`wipe("data")`, `write("data/names.txt")`, `write("Solution.java")`, `wipe("Main.java")`},
		Fault: `!n.equals("b")`, Rights: []string{`n.equals("b")`, `"b".equals(n)`, `n.compareTo("a") > 0`, `!n.equals("a")`},
	})
}
