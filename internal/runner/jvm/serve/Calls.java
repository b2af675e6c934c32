package fettle_jvm;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Notes what functions are called with that were woven to tell, and what came of it. What cannot be made again is left out. */
public final class Calls {
    private static final int MOST_KEPT = 100; // of a function
    private static final int MOST_HEARD = 2000;

    private static volatile Calls listener; // null: nobody listens

    private final Map<Integer, int[]> heard = new HashMap<>(); // by function: how many, and how many of them are kept
    private final Map<List<String>, String> kept = new LinkedHashMap<>(); // a call's words, and the digest of its answer

    /** A call that is under way. */
    private static final class Call {
        List<String> words;
        Object self;
        Object[] args;
    }

    static void listen(Calls to) {
        listener = to;
    }

    /** Whether anybody listens: else nothing need be told. */
    public static boolean listens() {
        return listener != null;
    }

    /** A function is called. What is given back is to be handed to {@link #told}. */
    public static Object hear(int function, MethodHandles.Lookup where, Object self, Object[] args) {
        Calls to = listener;
        return to == null ? null : to.call(function, where.lookupClass(), self, args);
    }

    /** What came of a call that gives nothing. */
    public static void told(Object call) {
        told(call, Shown.NOTHING);
    }

    /** What came of a call. One of which this is not said has thrown something. */
    public static void told(Object call, Object result) {
        Calls to = listener;
        if (to != null && call instanceof Call) {
            to.answer((Call) call, result);
        }
    }

    private synchronized Call call(int function, Class<?> where, Object self, Object[] args) {
        int[] n = heard.computeIfAbsent(function, k -> new int[2]);
        if (n[0]++ > MOST_HEARD || n[1] >= MOST_KEPT) {
            return null;
        }
        Call c = new Call();
        c.self = self;
        c.args = args;
        try {
            Scribe s = new Scribe(where);
            s.value(self);
            for (Object a : args) {
                s.value(a);
            }
            c.words = new ArrayList<>(Arrays.asList(Integer.toString(function), where.getName()));
            c.words.addAll(s.words);
        } catch (Untold | RuntimeException | LinkageError e) {
            return null;
        }
        if (kept.containsKey(c.words)) {
            return null;
        }
        n[1]++;
        kept.put(c.words, "");
        return c;
    }

    private synchronized void answer(Call c, Object result) {
        kept.put(c.words, Shown.answer(result, c.self, c.args)[1]);
    }

    /** The calls that are kept, each as the digest of its answer and its own words. */
    synchronized List<String[]> all() {
        List<String[]> out = new ArrayList<>();
        for (Map.Entry<List<String>, String> e : kept.entrySet()) {
            List<String> words = new ArrayList<>();
            words.add(e.getValue());
            words.addAll(e.getKey());
            out.add(words.toArray(new String[0]));
        }
        return out;
    }
}
