package fettle_jvm;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/** Values as texts, in which equal ones are equal whatever machine they are in. */
final class Shown {
    /** What a function gives that gives nothing. */
    static final Object NOTHING = new Object();

    private static final int MOST_LETTERS = 1 << 18; // by which answers are told apart
    private static final int LONGEST = 200; // for people

    private final StringBuilder text;
    private final Set<Object> path; // that is being shown

    private Shown(Set<Object> path) {
        this.text = new StringBuilder();
        this.path = path;
    }

    static String of(Object v) throws Untold {
        Shown s = new Shown(Collections.newSetFromMap(new IdentityHashMap<>()));
        s.value(v);
        return s.text.toString();
    }

    /** What came of a call, and what it has left of what it was given: a text for people, and a digest of all; empty: nobody can tell. */
    static String[] answer(Object result, Object self, Object[] args) {
        try {
            List<String> all = new ArrayList<>();
            if (self != null) {
                all.add(of(self));
            }
            for (Object a : args) {
                all.add(of(a));
            }
            String left = String.join(", ", all);
            String text = result == NOTHING ? "leaves (" + left + ")" : of(result);
            return new String[] {brief(text), digest(result == NOTHING ? text : text + " leaves " + left)};
        } catch (Untold | RuntimeException | LinkageError e) {
            return new String[] {"", ""};
        }
    }

    static String brief(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    static String digest(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            StringBuilder out = new StringBuilder();
            for (byte b : Arrays.copyOf(sum, 8)) {
                out.append(String.format("%02x", b));
            }
            return out.toString();
        } catch (NoSuchAlgorithmException e) { // every machine has it
            throw new IllegalStateException(e);
        }
    }

    private void put(String s) throws Untold {
        if (text.length() + s.length() > MOST_LETTERS) {
            throw new Untold("it is too long");
        }
        text.append(s);
    }

    private void value(Object v) throws Untold {
        if (v == null) {
            put("null");
        } else if (v instanceof String) {
            put('"' + escaped((String) v) + '"');
        } else if (v instanceof Character) {
            put("'" + escaped(v.toString()) + "'");
        } else if (Kinds.SCALARS.containsKey(v.getClass())) {
            put(v.toString());
        } else if (v instanceof Enum) {
            put(((Enum<?>) v).name());
        } else if (v instanceof Throwable) {
            put(v.getClass().getSimpleName());
        } else if (!path.add(v)) {
            put("itself");
        } else {
            thing(v, v.getClass());
            path.remove(v);
        }
    }

    private static String escaped(String s) {
        return s.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
    }

    private void thing(Object v, Class<?> type) throws Untold {
        if (type.isArray()) {
            List<Object> all = new ArrayList<>();
            for (int i = 0; i < Array.getLength(v); i++) {
                all.add(Array.get(v, i));
            }
            each("[", all, "]", true);
        } else if (type == Object.class) {
            put("Object");
        } else if (!Kinds.machines(type)) {
            object(v, type);
        } else if (v instanceof Map) {
            Map<?, ?> m = (Map<?, ?>) v;
            each("{", m.entrySet(), "}", m instanceof LinkedHashMap || m instanceof SortedMap);
        } else if (v instanceof Map.Entry) {
            value(((Map.Entry<?, ?>) v).getKey());
            put("=");
            value(((Map.Entry<?, ?>) v).getValue());
        } else if (v instanceof Collection) {
            each("[", (Collection<?>) v, "]", !(v instanceof Set) || v instanceof LinkedHashSet || v instanceof SortedSet);
        } else if (v instanceof Optional) {
            each("Optional[", ((Optional<?>) v).isPresent() ? Collections.singleton(((Optional<?>) v).get()) : Collections.emptySet(), "]", true);
        } else if (v instanceof CharSequence || v instanceof Number || v instanceof Comparable) {
            put(v.toString());
        } else {
            put(type.getSimpleName() + "#" + digest(new String(Kinds.serial(v), StandardCharsets.ISO_8859_1)));
        }
    }

    /** What stands in no order is put in that of its texts. */
    private void each(String open, Collection<?> all, String shut, boolean inOrder) throws Untold {
        List<String> texts = new ArrayList<>();
        int letters = 0;
        for (Object x : all) {
            Shown one = new Shown(path);
            one.value(x);
            texts.add(one.text.toString());
            letters += one.text.length();
            if (letters > MOST_LETTERS) {
                throw new Untold("it is too long");
            }
        }
        if (!inOrder) {
            Collections.sort(texts);
        }
        put(open + String.join(", ", texts) + shut);
    }

    private void object(Object v, Class<?> type) throws Untold {
        boolean record = Kinds.record(type);
        put(type.getSimpleName() + (record ? "[" : "{"));
        String between = "";
        for (Field f : Kinds.fields(type)) {
            put(between + f.getName() + "=");
            value(Scribe.get(f, v));
            between = ", ";
        }
        put(record ? "]" : "}");
    }
}
