package fettle_jvm;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests of the JUnit platform: JUnit 5 and later, and whatever else has an engine on the class path. Keys are its unique ids. */
final class Platform extends Tests {
    private final Launcher launcher = launcher();

    /** One session serves all requests where there are sessions (since 1.8): to open one means to look for services. */
    private static Launcher launcher() {
        try {
            Object session = LauncherFactory.class.getMethod("openSession").invoke(null);
            return (Launcher) Class.forName("org.junit.platform.launcher.LauncherSession").getMethod("getLauncher").invoke(session);
        } catch (ReflectiveOperationException e) {
            return LauncherFactory.create();
        }
    }

    @Override void survey(ClassLoader loader, String[] classes, Sink sink) {
        List<DiscoverySelector> wanted = new ArrayList<>();
        for (String name : classes) {
            try {
                wanted.add(DiscoverySelectors.selectClass(Class.forName(name, false, loader)));
            } catch (ClassNotFoundException | LinkageError e) {
                sink.ended(name, new String[] {name}, e, false);
            }
        }
        execute(wanted, sink);
    }

    @Override void run(ClassLoader loader, String[] keys, Sink sink) {
        List<DiscoverySelector> wanted = new ArrayList<>();
        for (String key : keys) {
            wanted.add(DiscoverySelectors.selectUniqueId(key));
        }
        execute(wanted, sink);
    }

    private void execute(List<DiscoverySelector> wanted, Sink sink) {
        if (!wanted.isEmpty()) {
            launcher.execute(LauncherDiscoveryRequestBuilder.request().selectors(wanted).build(), new Listener(sink));
        }
    }

    private static final class Listener implements TestExecutionListener {
        private final Sink sink;
        private TestPlan plan;

        Listener(Sink sink) {
            this.sink = sink;
        }

        @Override public void testPlanExecutionStarted(TestPlan started) {
            plan = started;
        }

        @Override public void executionSkipped(TestIdentifier test, String reason) {
            if (test.isTest()) {
                sink.ended(test.getUniqueId(), names(test), null, false);
            }
        }

        @Override public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            Throwable fault = null;
            if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                fault = result.getThrowable().orElseGet(() -> new Error(String.valueOf(result.getStatus())));
            }
            boolean aborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
            if (test.isTest() || fault != null) {
                sink.ended(test.getUniqueId(), names(test), fault, test.isTest() && !aborted);
            }
        }

        private String[] names(TestIdentifier test) {
            String type = null;
            String method = null;
            for (Optional<TestIdentifier> at = Optional.of(test); at.isPresent() && type == null; at = plan.getParent(at.get())) {
                TestSource source = at.get().getSource().orElse(null);
                if (source instanceof MethodSource) {
                    type = ((MethodSource) source).getClassName();
                    method = ((MethodSource) source).getMethodName();
                } else if (source instanceof ClassSource) {
                    type = ((ClassSource) source).getClassName();
                }
            }
            Set<String> names = new LinkedHashSet<>();
            if (type != null) {
                for (String n : new String[] {test.getLegacyReportingName(), test.getDisplayName(), method}) {
                    if (n != null) {
                        names.add(type + "#" + (n.endsWith("()") ? n.substring(0, n.length() - 2) : n));
                    }
                }
            }
            return names.toArray(new String[0]);
        }
    }
}
