package fettle_jvm;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Properties;
import java.util.TimeZone;
import java.util.concurrent.Callable;

/** Where a candidate works: a thread of its own, bounded in steps and in time, whose doings are undone as far as a machine can undo them. */
final class Workshop {
    /** How many threads of candidates may be left waiting before the machine is given up. */
    private static final int MAX_LEFT = 64;

    private static final long GRACE_MILLIS = 200;

    private Properties properties;
    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final PrintStream quiet = new PrintStream(new Nowhere(), false);
    private final InputStream nothing = new ByteArrayInputStream(new byte[0]);

    /** The machine cannot be used any more: something of a candidate goes on in it. */
    boolean spoiled;

    /** Classes may have been left half made: the next candidate needs them anew. */
    boolean dirty;

    private static final class Nowhere extends OutputStream {
        @Override public void write(int b) {}

        @Override public void write(byte[] b, int from, int n) {}
    }

    /** How some work ended. */
    static final class End {
        String how; // ok, fuel, time, exit, memory, stack
        long fuel;
        long micros;
        Throwable thrown;
    }

    private static final class Group extends ThreadGroup {
        Group() {
            super("main");
        }

        @Override public void uncaughtException(Thread t, Throwable e) {}
    }

    /** What the system properties are from now on. */
    void takeOver() {
        properties = (Properties) System.getProperties().clone();
        restore();
    }

    End run(ClassLoader loader, long fuel, long millis, Callable<Void> work) throws InterruptedException {
        restore();
        Throwable[] thrown = new Throwable[1];
        Group group = new Group();
        Thread thread = new Thread(group, () -> {
            try {
                work.call();
            } catch (Throwable t) {
                thrown[0] = t;
            }
        }, "main");
        thread.setContextClassLoader(loader);
        F.exited = null;
        F.left = fuel;
        long began = System.nanoTime();
        thread.start();
        await(thread, group, millis);
        End end = new End();
        end.micros = (System.nanoTime() - began) / 1000;
        end.fuel = fuel - Math.max(F.left, -1);
        end.how = thread.isAlive() ? "time" : F.exited != null ? "exit" : F.left < 0 ? "fuel" : memory(thrown[0]) ? "memory" : "ok";
        end.thrown = thrown[0];
        F.left = -1; // whatever still runs ends at its next step
        sweep(group);
        dirty |= !end.how.equals("ok");
        spoiled |= end.how.equals("memory");
        restore();
        return end;
    }

    private static final long FIRST_LOOK_MILLIS = 20;
    private static final long LOOK_MILLIS = 100;
    private static final int WALL_FACTOR = 20;

    /**
     * Waits for the end, or for the end of the time. What counts is not the clock, which depends on what else the machine does, but how much
     * work was done, or for how long there was none to do.
     */
    private static void await(Thread thread, ThreadGroup group, long millis) throws InterruptedException {
        thread.join(Math.min(FIRST_LOOK_MILLIS, millis));
        long began = System.nanoTime();
        long worked = Clock.worked();
        long idle = 0;
        for (long last = began; thread.isAlive();) {
            thread.join(LOOK_MILLIS);
            long now = System.nanoTime();
            idle = busy(group) ? 0 : idle + now - last;
            last = now;
            long limit = millis * 1_000_000;
            if (idle > limit || Clock.worked() - worked > limit || now - began > WALL_FACTOR * limit) {
                return;
            }
        }
    }

    private static boolean busy(ThreadGroup group) {
        Thread[] all = new Thread[MAX_LEFT];
        for (int n = group.enumerate(all); n > 0; n--) {
            if (all[n - 1].getState() == Thread.State.RUNNABLE) {
                return true;
            }
        }
        return false;
    }

    private static boolean memory(Throwable t) {
        for (int depth = 0; t != null && depth < 20; depth++, t = t.getCause()) {
            if (t instanceof OutOfMemoryError) {
                return true;
            }
        }
        return false;
    }

    /** Ends what is left of a candidate's threads, or gives the machine up. */
    private void sweep(ThreadGroup group) throws InterruptedException {
        Thread[] left = new Thread[MAX_LEFT + 1];
        int n = group.enumerate(left);
        if (n == 0) {
            return;
        }
        boolean[] busy = new boolean[n];
        for (int i = 0; i < n; i++) {
            busy[i] = !idle(left[i]);
            if (busy[i]) {
                left[i].interrupt();
            }
        }
        long until = System.nanoTime() + GRACE_MILLIS * 1_000_000;
        for (int i = 0; i < n; i++) {
            long wait = (until - System.nanoTime()) / 1_000_000;
            if (busy[i] && wait > 0) {
                left[i].join(Math.min(wait, GRACE_MILLIS / 4));
            }
        }
        for (int i = 0; i < n; i++) { // once all were interrupted: one may have handed its work to another
            spoiled |= left[i].isAlive() && !idle(left[i]) && (!left[i].isDaemon() || left[i].getState() == Thread.State.RUNNABLE);
        }
        dirty = true;
        spoiled |= n > MAX_LEFT || Thread.activeCount() > MAX_LEFT;
    }

    /** Whether a thread does nothing any more, as those of a pool that nobody has shut down: it waits for work, and whoever could hand it any has ended. */
    private static boolean idle(Thread thread) {
        Thread.State state = thread.getState();
        boolean timed = state == Thread.State.TIMED_WAITING;
        if (state != Thread.State.WAITING && !timed) {
            return false;
        }
        boolean pool = false;
        for (StackTraceElement frame : thread.getStackTrace()) {
            String name = frame.getClassName();
            if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) {
                return false;
            }
            if (timed && name.startsWith("java.util.concurrent.ScheduledThreadPoolExecutor")) {
                return false; // it wakes by itself
            }
            pool |= name.equals("java.util.concurrent.ThreadPoolExecutor") && frame.getMethodName().equals("getTask");
            pool |= !timed && name.equals("java.util.TimerThread");
        }
        return pool;
    }

    /** Waits for the threads that keep a program alive after its main function. */
    static void awaitOthers() throws InterruptedException {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread[] all = new Thread[MAX_LEFT];
        for (boolean again = true; again;) {
            again = false;
            int n = group.enumerate(all);
            for (int i = 0; i < n; i++) {
                if (all[i] != Thread.currentThread() && !all[i].isDaemon()) {
                    all[i].join();
                    again = true;
                }
            }
        }
    }

    void restore() {
        System.setOut(quiet);
        System.setErr(quiet);
        System.setIn(nothing);
        if (!System.getProperties().equals(properties)) {
            System.setProperties((Properties) properties.clone());
        }
        if (Locale.getDefault() != locale) {
            Locale.setDefault(locale);
        }
        if (!TimeZone.getDefault().equals(zone)) {
            TimeZone.setDefault(zone);
        }
    }
}
