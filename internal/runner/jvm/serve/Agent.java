package fettle_jvm;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells how a machine that ran tests was set up: its class path, options, properties, environment, working folder, and where its classes
 * came from. It is handed to every machine that a build starts, and writes one file for each when it ends: that is right for every build
 * tool, whatever its configuration says. A machine that never ends is killed, which leaves no time to write: so it writes on the way, too.
 * Since it runs in machines of the user's choosing it needs no more than Java 8.
 */
public final class Agent {
    private Agent() {}

    /** Machines of tools themselves, which run no tests. */
    private static final String[] TOOLS = {
        "jdk.compiler/", "com.sun.tools.javac", "org.codehaus.plexus.classworlds", "org.apache.maven.cling", "org.gradle.launcher", "org.gradle.wrapper",
        "org.apache.maven.wrapper", "jdk.javadoc/", "jdk.jartool/",
    };

    public static void premain(String folder, Instrumentation machine) {
        String command = System.getProperty("sun.java.command", "");
        for (String tool : TOOLS) {
            if (command.startsWith(tool)) {
                return;
            }
        }
        File part;
        try {
            part = File.createTempFile("machine-", ".part", new File(folder));
        } catch (IOException e) {
            System.err.println("fettle: this machine could not be described: " + e);
            return;
        }
        Thread onTheWay = new Thread(() -> {
            try {
                for (long pause = FIRST_MILLIS; ; pause *= 2) {
                    Thread.sleep(pause);
                    tell(part, machine);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        onTheWay.setDaemon(true);
        onTheWay.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> tell(part, machine)));
    }

    /** After this it is written for the first time, and then less and less often. */
    private static final long FIRST_MILLIS = 1000;

    private static synchronized void tell(File part, Instrumentation machine) {
        try {
            try (Writer out = new OutputStreamWriter(new FileOutputStream(part), StandardCharsets.UTF_8)) {
                for (String name : System.getProperties().stringPropertyNames()) {
                    word(out, "property", name, System.getProperty(name));
                }
                for (Map.Entry<String, String> e : System.getenv().entrySet()) {
                    word(out, "environment", e.getKey(), e.getValue());
                }
                for (String option : options()) {
                    word(out, "option", option);
                }
                Set<String> origins = new TreeSet<>();
                for (Class<?> c : machine.getAllLoadedClasses()) {
                    String origin = origin(c);
                    if (origin != null) {
                        origins.add(origin);
                        if (origin.endsWith("/")) {
                            word(out, "class", c.getName());
                        }
                    }
                }
                for (String origin : origins) {
                    word(out, "origin", origin);
                }
            }
            if (!part.renameTo(new File(part.getPath().replace(".part", ".txt")))) {
                throw new IOException("cannot rename " + part);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            System.err.println("fettle: this machine could not be described: " + e);
        }
    }

    private static Iterable<String> options() {
        try {
            return ManagementFactory.getRuntimeMXBean().getInputArguments();
        } catch (LinkageError e) { // an image without the module java.management
            return new TreeSet<>();
        }
    }

    private static String origin(Class<?> c) {
        try {
            if (c.isArray() || c.getClassLoader() == null) {
                return null;
            }
            CodeSource source = c.getProtectionDomain().getCodeSource();
            return source == null || source.getLocation() == null || !"file".equals(source.getLocation().getProtocol())
                ? null : source.getLocation().toURI().getPath();
        } catch (Exception | LinkageError e) {
            return null;
        }
    }

    private static void word(Writer out, String... fields) throws IOException {
        out.write(Wire.line(fields) + "\n");
    }
}
