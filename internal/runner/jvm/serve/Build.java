package fettle_jvm;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * The machine that builds: it keeps a compiler warm. A line "build PLAN" names a file of tasks; each is compiled by itself, and its classes
 * go into the plan's bundle, or into a folder.
 */
public final class Build {
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final Wire wire = new Wire(System.in);
    private StandardJavaFileManager files;
    private String classPath;

    public static void main(String[] args) throws IOException {
        new Build().serve();
    }

    private void serve() throws IOException {
        if (compiler == null) {
            wire.send("unable", "this Java has no compiler: a JDK is needed, not a JRE");
            return;
        }
        wire.send("ready");
        for (String[] line = wire.read(); line != null; line = wire.read()) {
            if (line[0].equals("classes")) {
                for (int i = 1; i < line.length; i++) {
                    ClassFile.list(new File(line[i]), wire);
                }
            } else {
                plan(new File(line[1]));
            }
            wire.send("done");
        }
    }

    /** A source in memory. */
    private static final class Source extends SimpleJavaFileObject {
        final String path;
        final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path.replaceAll("[^A-Za-z0-9_$./-]", "_")), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        @Override public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        /** Names of classes may have letters that an address has not. */
        @Override public boolean isNameCompatible(String simpleName, Kind kind) {
            return kind == Kind.SOURCE && (path.equals(simpleName + ".java") || path.endsWith("/" + simpleName + ".java"));
        }
    }

    /** Keeps what is compiled in memory. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, byte[]> classes = new LinkedHashMap<>();

        Memory(JavaFileManager under) {
            super(under);
        }

        @Override public JavaFileObject getJavaFileForOutput(Location at, String name, JavaFileObject.Kind kind, FileObject near) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/').replaceAll("[^A-Za-z0-9_$./-]", "_")), kind) {
                @Override public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override public void close() {
                            classes.put(name, toByteArray());
                        }
                    };
                }
            };
        }
    }

    private void plan(File plan) throws IOException {
        Map<String, Map<String, byte[]>> made = new LinkedHashMap<>();
        List<String> options = new ArrayList<>();
        List<Source> sources = new ArrayList<>();
        String label = null;
        File bundle = null;
        File folder = null;
        try (BufferedReader in = new BufferedReader(new InputStreamReader(new FileInputStream(plan), StandardCharsets.UTF_8))) {
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                String[] f = Wire.fields(text);
                switch (f[0]) {
                    case "classpath": setClassPath(f[1]); break;
                    case "option": options.add(f[1]); break;
                    case "bundle": bundle = new File(f[1]); break;
                    case "folder": folder = new File(f[1]); break;
                    case "task": label = f[1]; break;
                    case "source": sources.add(new Source(f[1], f[2])); break;
                    default: // "end" of a task
                        made.put(label, compile(label, options, sources));
                        sources.clear();
                }
            }
        }
        if (bundle != null) {
            Bundle.write(bundle, made);
        }
        if (folder != null) {
            for (Map<String, byte[]> classes : made.values()) {
                write(folder, classes);
            }
        }
    }

    private static void write(File folder, Map<String, byte[]> classes) throws IOException {
        for (Map.Entry<String, byte[]> c : classes.entrySet()) {
            File to = new File(folder, c.getKey().replace('.', '/') + ".class");
            Files.createDirectories(to.getParentFile().toPath());
            Files.write(to.toPath(), c.getValue());
        }
    }

    /** The file manager remembers what is in each archive, so it is kept as long as the class path is the same. */
    private void setClassPath(String path) throws IOException {
        if (path.equals(classPath)) {
            return;
        }
        if (files != null) {
            files.close();
        }
        files = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
        List<File> entries = new ArrayList<>();
        for (String e : path.split(File.pathSeparator)) {
            if (!e.isEmpty()) {
                entries.add(new File(e));
            }
        }
        files.setLocation(StandardLocation.CLASS_PATH, entries);
        files.setLocation(StandardLocation.SOURCE_PATH, Collections.<File>emptyList()); // else sources on the class path are compiled too
        classPath = path;
    }

    private Map<String, byte[]> compile(String label, List<String> options, List<Source> sources) throws IOException {
        Memory memory = new Memory(files);
        List<Diagnostic<? extends JavaFileObject>> said = new ArrayList<>();
        boolean ok;
        try {
            ok = compiler.getTask(null, memory, said::add, options, null, sources).call();
        } catch (RuntimeException | StackOverflowError e) { // the compiler's own fault, or a processor's
            wire.send("error", label, "", "-1", String.valueOf(e));
            ok = false;
        }
        for (Diagnostic<? extends JavaFileObject> d : said) {
            if (d.getKind() == Diagnostic.Kind.ERROR) {
                Object of = d.getSource();
                String message = d.getMessage(Locale.ROOT);
                wire.send("error", label, of instanceof Source ? ((Source) of).path : "", Long.toString(d.getPosition()), message.split("\n", 2)[0]);
            }
        }
        wire.send("built", label, ok ? "yes" : "no");
        return ok ? memory.classes : Collections.<String, byte[]>emptyMap();
    }
}
