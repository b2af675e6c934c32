package fettle_jvm;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The machine that runs tests, on the project as it is and on one candidate after the other. */
public final class Run {
    private static final Map<String, byte[]> NOTHING = Collections.emptyMap();

    private final Wire wire = new Wire(System.in);
    private final Workshop workshop = new Workshop();
    private final List<Stage> stages = new ArrayList<>();
    private Tests tests;
    private Loader.Space space;
    private Map<String, Map<String, byte[]>> bundle = new HashMap<>();
    private boolean fresh;
    private Loader shared;
    private int served; // candidates of the shared loader
    private final List<Question> questions = new ArrayList<>();

    /** After so many candidates the classes are loaded anew in any case. */
    private static final int MOST_SERVED = 256;

    /** Tests that are run together, and what they may cost. */
    private static final class Stage {
        long fuel;
        long millis;
        String[] keys;
        Map<String, Integer> index = new HashMap<>();
    }

    public static void main(String[] args) throws Exception {
        Run run = new Run();
        try {
            run.serve();
        } catch (Throwable e) { // a fault of ours: whoever started this machine is to hear of it
            run.wire.send("broken", e + " at " + Arrays.toString(e.getStackTrace()));
        }
        System.exit(0); // threads that tests left behind do not hold it up
    }

    private void serve() throws Exception {
        wire.send("ready");
        List<URL> roots = new ArrayList<>();
        for (String[] line = wire.read(); line != null; line = wire.read()) {
            switch (line[0]) {
                case "tests": tests = Tests.of(line[1]); break;
                case "arguments": Program.arguments = rest(line, 1); break;
                case "judges": Program.judges.addAll(Arrays.asList(rest(line, 1))); break;
                case "root": roots.add(new File(line[1]).toURI().toURL()); break;
                case "property": System.setProperty(line[1], line[2]); break;
                case "open": open(roots, line); break;
                case "survey": survey(Long.parseLong(line[1]), Long.parseLong(line[2]), rest(line, 3)); break;
                case "statics": statics(); break;
                case "stage": stages.add(stage(line)); break;
                case "restage": stages.clear(); break;
                case "fresh": fresh = line[1].equals("yes"); break;
                case "bundle": load(line[1]); break;
                case "try": attempt(Integer.parseInt(line[1]), line[2], rest(line, 3)); break;
                case "trace": trace(line); break;
                case "listen": listen(Integer.parseInt(line[1]), line[2], rest(line, 3)); break;
                case "call": questions.add(new Question(rest(line, 1))); break;
                case "answer": answer(line); break;
                case "there": wire.send("there"); break;
                default: throw new IOException("what is " + line[0] + "?");
            }
        }
    }

    private static String[] rest(String[] line, int from) {
        return Arrays.copyOfRange(line, from, line.length);
    }

    /** The project's classes are known now; those in the bundle were woven. */
    private void open(List<URL> roots, String[] line) throws IOException {
        workshop.takeOver();
        space = new Loader.Space(roots);
        if (line.length > 1) {
            space.woven.putAll(Bundle.read(new File(line[1])).getOrDefault("woven", NOTHING));
        }
    }

    private static Stage stage(String[] line) {
        Stage s = new Stage();
        s.fuel = Long.parseLong(line[1]);
        s.millis = Long.parseLong(line[2]);
        s.keys = rest(line, 3);
        for (int i = 0; i < s.keys.length; i++) {
            s.index.put(s.keys[i], i);
        }
        return s;
    }

    /** Runs whole classes and tells of every test in them. */
    private void survey(long fuel, long millis, String[] classes) throws IOException, InterruptedException {
        if (shared == null || workshop.dirty) {
            shared = new Loader(space, NOTHING, -1);
            workshop.dirty = false;
        }
        List<String[]> said = Collections.synchronizedList(new ArrayList<>());
        Workshop.End end = workshop.run(shared, fuel, millis, () -> {
            call(() -> tests.survey(shared, classes, (key, names, fault, ran) -> {
                List<String> words = new ArrayList<>(Arrays.asList("test", key, !ran ? "none" : fault == null ? "pass" : "fail"));
                words.addAll(Arrays.asList(names));
                said.add(words.toArray(new String[0]));
            }));
            return null;
        });
        synchronized (said) {
            for (String[] words : said) {
                wire.send(words);
            }
        }
        wire.send("surveyed", end.how, Long.toString(end.fuel), Long.toString(end.micros), String.valueOf(end.thrown));
        over();
    }

    private interface Work {
        void call() throws Throwable;
    }

    private static void call(Work work) throws Exception {
        try {
            work.call();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new Exception(e);
        }
    }

    private void load(String file) throws IOException {
        bundle = Bundle.read(new File(file));
        shared = null;
        space.forget();
    }

    /** Tries a candidate: the classes of a task, and which copies go on in them. */
    private void attempt(int id, String task, String[] functions) throws IOException, InterruptedException {
        Map<String, byte[]> classes = bundle.getOrDefault(task, NOTHING);
        boolean schema = functions.length > 0;
        Loader loader;
        if (fresh || !schema) {
            loader = new Loader(space, classes, schema ? id : -1);
        } else {
            if (shared == null || workshop.dirty || ++served > MOST_SERVED) {
                shared = new Loader(space, classes, -1);
                served = 0;
                workshop.dirty = false;
            }
            loader = shared;
        }
        choose(functions, id);
        List<String> words = new ArrayList<>(Arrays.asList("tried", Integer.toString(id)));
        try {
            for (Stage s : stages) {
                boolean[] passed = new boolean[s.keys.length];
                Workshop.End end = workshop.run(loader, s.fuel, s.millis, () -> {
                    call(() -> tests.run(loader, s.keys, (key, names, fault, ran) -> {
                        Integer i = s.index.get(key);
                        if (i != null) {
                            passed[i] = fault == null && ran;
                        }
                        workshop.dirty |= fault instanceof LinkageError; // a class that could not be made stays so
                    }));
                    return null;
                });
                words.addAll(Arrays.asList(end.how, Long.toString(end.fuel), Long.toString(end.micros), bits(passed)));
                if (!end.how.equals("ok") || !any(passed)) {
                    break;
                }
            }
        } finally {
            choose(functions, 0);
        }
        wire.send(words.toArray(new String[0]));
        over();
    }

    /** Which copy of functions goes on in their place; zero: none. */
    private static void choose(String[] functions, int id) {
        for (String f : functions) {
            F.on[Integer.parseInt(f)] = id;
        }
    }

    /** Runs the tests with a candidate, and tells what the functions are called with that can be asked. */
    private void listen(int id, String task, String[] functions) throws IOException, InterruptedException {
        Loader loader = new Loader(space, bundle.getOrDefault(task, NOTHING), id);
        Calls calls = new Calls();
        choose(functions, id);
        Calls.listen(calls);
        try {
            for (Stage s : stages) {
                workshop.run(loader, s.fuel, s.millis, () -> {
                    call(() -> tests.run(loader, s.keys, (key, names, fault, ran) -> { }));
                    return null;
                });
            }
        } finally {
            Calls.listen(null);
            choose(functions, 0);
        }
        for (String[] c : calls.all()) {
            List<String> words = new ArrayList<>(Arrays.asList("call"));
            words.addAll(Arrays.asList(c));
            wire.send(words.toArray(new String[0]));
        }
        wire.send("listened");
        over();
    }

    /** Has a candidate answer all questions, the last one first if that is wanted. */
    private void answer(String[] line) throws IOException, InterruptedException {
        int id = Integer.parseInt(line[1]);
        long fuel = Long.parseLong(line[3]);
        boolean back = line[5].equals("back");
        String[] functions = rest(line, 6);
        Loader loader = new Loader(space, bundle.getOrDefault(line[2], NOTHING), id);
        String[][] said = new String[questions.size()][];
        long worked = Clock.worked();
        choose(functions, id);
        Workshop.End end;
        try {
            end = workshop.run(loader, fuel, Long.parseLong(line[4]), () -> {
                for (int i = 0; i < said.length; i++) {
                    int k = back ? said.length - 1 - i : i;
                    said[k] = questions.get(k).answer(loader, fuel);
                }
                F.left = fuel;
                return null;
            });
        } finally {
            choose(functions, 0);
        }
        worked = Clock.worked() - worked;
        boolean whole = end.how.equals("ok");
        for (int k = 0; whole && k < said.length; k++) {
            wire.send("answer", said[k][0], said[k][1], said[k][2]);
        }
        wire.send("answered", Long.toString(worked / 1000));
        over();
    }

    private static String bits(boolean[] b) {
        char[] c = new char[b.length];
        for (int i = 0; i < b.length; i++) {
            c[i] = b[i] ? '1' : '0';
        }
        return new String(c);
    }

    private static boolean any(boolean[] b) {
        for (boolean x : b) {
            if (x) {
                return true;
            }
        }
        return false;
    }

    /** A machine in which something of a candidate goes on is given up. */
    private void over() throws IOException {
        if (workshop.spoiled) {
            wire.send("over");
            Runtime.getRuntime().halt(0);
        }
    }

    /** Runs one test and tells which places it reached, and where it failed. */
    private void trace(String[] line) throws IOException, InterruptedException {
        boolean[] reached = new boolean[Integer.parseInt(line[1])];
        String[] keys = rest(line, 4);
        Loader loader = new Loader(space, NOTHING, -1);
        Set<String> passed = Collections.synchronizedSet(new HashSet<>());
        List<Throwable> faults = Collections.synchronizedList(new ArrayList<>());
        F.reached = reached;
        Workshop.End end = workshop.run(loader, Long.parseLong(line[2]), Long.parseLong(line[3]), () -> {
            call(() -> tests.run(loader, keys, (key, names, fault, ran) -> {
                if (fault != null) {
                    faults.add(fault);
                } else if (ran) {
                    passed.add(key);
                }
            }));
            return null;
        });
        F.reached = null;
        if (end.thrown != null) {
            faults.add(end.thrown);
        }
        synchronized (faults) {
            for (Throwable fault : faults) {
                frames(fault, 0);
            }
        }
        boolean all = end.how.equals("ok") && passed.containsAll(Arrays.asList(keys));
        if (end.how.equals("exit")) {
            all = passed.containsAll(Arrays.asList(keys));
        }
        wire.send("traced", end.how, all ? "pass" : "fail", Long.toString(end.fuel), Long.toString(end.micros), bits(reached));
        over();
    }

    private static final int MOST_FRAMES = 200;

    /** The cause first: that is where it began. */
    private void frames(Throwable fault, int depth) throws IOException {
        if (fault.getCause() != null && depth < 20) {
            frames(fault.getCause(), depth + 1);
        }
        StackTraceElement[] all = fault.getStackTrace();
        for (int i = 0; i < all.length && i < MOST_FRAMES; i++) {
            StackTraceElement f = all[i];
            if (f.getFileName() != null && f.getLineNumber() > 0) {
                wire.send("frame", f.getClassName(), f.getMethodName(), f.getFileName(), Integer.toString(f.getLineNumber()));
            }
        }
    }

    private static final Set<Class<?>> CONSTANT = new HashSet<>(Arrays.<Class<?>>asList(String.class, Boolean.class, Character.class, Byte.class,
        Short.class, Integer.class, Long.class, Float.class, Double.class, Class.class, java.util.regex.Pattern.class, java.math.BigInteger.class,
        java.math.BigDecimal.class, java.util.UUID.class, java.time.Duration.class, java.time.LocalDate.class, java.nio.charset.Charset.class));

    /** Tells a static variable of the project that one candidate could leave changed for the next, if there is any. */
    private void statics() throws IOException {
        String found = shared == null ? "?" : "";
        for (Class<?> c : shared == null ? Collections.<Class<?>>emptyList() : shared.defined()) {
            for (Field f : fields(c)) {
                if (Modifier.isStatic(f.getModifiers()) && !f.isSynthetic() && !constant(f, 0)) {
                    found = f.getDeclaringClass().getName() + "." + f.getName();
                }
            }
        }
        wire.send("static", found);
    }

    private static Field[] fields(Class<?> c) {
        try {
            return c.getDeclaredFields();
        } catch (LinkageError e) { // of a type that is not there
            return new Field[0];
        }
    }

    /** Whether a variable never changes, nor what it refers to. */
    private boolean constant(Field f, int depth) {
        Class<?> type = f.getType();
        if (!Modifier.isFinal(f.getModifiers())) {
            return false;
        }
        if (type.isPrimitive() || CONSTANT.contains(type)) {
            return true;
        }
        if (type.isArray() || type.isInterface() || depth > 3 || type.getClassLoader() != shared || !Modifier.isFinal(type.getModifiers()) && !type.isEnum()) {
            return false;
        }
        for (Field g : fields(type)) {
            if (!Modifier.isStatic(g.getModifiers()) && !constant(g, depth + 1)) {
                return false;
            }
        }
        return type.getSuperclass() == Object.class || type.getSuperclass() == Enum.class;
    }
}
