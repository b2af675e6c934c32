package fettle_jvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/** Tests of JUnit 4, and of JUnit 3 by its means. The key of a test is CLASS#METHOD, as JUnit calls them. */
final class Classic extends Tests {
    @Override void survey(ClassLoader loader, String[] classes, Sink sink) {
        for (String name : classes) {
            try {
                execute(Request.aClass(Class.forName(name, false, loader)).getRunner(), name, sink);
            } catch (ClassNotFoundException | LinkageError e) {
                sink.ended(name, new String[] {name}, e, false);
            }
        }
    }

    @Override void run(ClassLoader loader, String[] keys, Sink sink) throws ClassNotFoundException {
        Map<String, Set<String>> byClass = new LinkedHashMap<>();
        for (String key : keys) {
            byClass.computeIfAbsent(key.substring(0, key.indexOf('#')), k -> new HashSet<>()).add(key);
        }
        for (Map.Entry<String, Set<String>> e : byClass.entrySet()) {
            Set<String> wanted = e.getValue();
            execute(Request.aClass(Class.forName(e.getKey(), false, loader)).filterWith(new Filter() {
                @Override public boolean shouldRun(Description d) {
                    if (d.isTest()) {
                        return wanted.contains(key(d));
                    }
                    for (Description child : d.getChildren()) {
                        if (shouldRun(child)) {
                            return true;
                        }
                    }
                    return false;
                }

                @Override public String describe() {
                    return "what is asked for";
                }
            }).getRunner(), e.getKey(), sink);
        }
    }

    private static String key(Description d) {
        return d.getClassName() + "#" + d.getMethodName();
    }

    private static void execute(Runner runner, String className, Sink sink) {
        RunNotifier notifier = new RunNotifier();
        notifier.addListener(new Listener(className, sink));
        runner.run(notifier);
    }

    private static final class Listener extends RunListener {
        private final String className;
        private final Sink sink;
        private final Map<Description, Throwable> faults = new HashMap<>();
        private final List<Description> assumed = new ArrayList<>();

        Listener(String className, Sink sink) {
            this.className = className;
            this.sink = sink;
        }

        @Override public void testFailure(Failure f) {
            faults.put(f.getDescription(), f.getException());
            if (!f.getDescription().isTest() || f.getDescription().getMethodName() == null) {
                sink.ended(className, new String[] {className}, f.getException(), false);
            }
        }

        @Override public void testAssumptionFailure(Failure f) {
            assumed.add(f.getDescription());
        }

        @Override public void testFinished(Description d) {
            String[] names = {key(d), d.getClassName() + "#" + d.getDisplayName()};
            sink.ended(key(d), Arrays.copyOf(names, 2), faults.get(d), !assumed.contains(d));
        }
    }
}
