package fettle_jvm;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes values down as words, by which a {@link Maker} can make them again, perhaps in another machine. Each says its kind first:
 *
 * <pre>
 * null | boolean TEXT | int TEXT | … | string TEXT
 * array ID CLASS N value…            list ID CLASS N value…           map ID CLASS N (key value)…
 * record ID CLASS N value…           object ID CLASS N (CLASS FIELD value)…
 * serial ID BYTES                    ref ID (what has been written down before)
 * enum CLASS NAME                    static CLASS FIELD (what this constant holds)
 * </pre>
 */
final class Scribe {
    private static final int MOST_LETTERS = 10_000;
    private static final int MOST_DEPTH = 100;

    final List<String> words = new ArrayList<>();
    private final CharsetEncoder letters = StandardCharsets.UTF_8.newEncoder();
    private final Map<Object, Integer> met = new IdentityHashMap<>();
    private final Map<Object, Field> constants = new IdentityHashMap<>();
    private final Set<Class<?>> known = new HashSet<>();
    private int size;
    private int depth;

    /** For the arguments of a function of this class. */
    Scribe(Class<?> home) throws Untold {
        know(home);
    }

    private void say(Object... some) throws Untold {
        for (Object s : some) {
            String word = String.valueOf(s);
            size += word.length() + 1;
            if (size > MOST_LETTERS || !letters.canEncode(word)) {
                throw new Untold("it is too long, or no text");
            }
            words.add(word);
        }
    }

    void value(Object v) throws Untold {
        if (v == null) {
            say("null");
            return;
        }
        String scalar = Kinds.SCALARS.get(v.getClass());
        if (scalar != null) {
            say(scalar, v);
            return;
        }
        if (v instanceof Enum) {
            say("enum", ((Enum<?>) v).getDeclaringClass().getName(), ((Enum<?>) v).name());
            return;
        }
        Integer id = met.get(v);
        if (id != null) {
            say("ref", id);
            return;
        }
        if (++depth > MOST_DEPTH) {
            throw new Untold("it is too deep");
        }
        thing(v);
        depth--;
    }

    private void thing(Object v) throws Untold {
        Class<?> type = v.getClass();
        boolean project = !type.isArray() && !Kinds.machines(type);
        if (project) {
            know(type);
            Field f = constants.get(v);
            if (f != null) {
                say("static", f.getDeclaringClass().getName(), f.getName());
                return;
            }
        }
        int id = met.size() + 1;
        met.put(v, id);
        String container = Kinds.container(v);
        if (type.isArray()) {
            say("array", id, type.getName(), Array.getLength(v));
            for (int i = 0; i < Array.getLength(v); i++) {
                value(Array.get(v, i));
            }
        } else if (container != null && v instanceof Collection) {
            Object[] all = ((Collection<?>) v).toArray();
            say("list", id, v instanceof Set && container.equals(Kinds.UNMODIFIABLE) ? container + " set" : container, all.length);
            for (Object x : all) {
                value(x);
            }
        } else if (container != null) {
            say("map", id, container, ((Map<?, ?>) v).size());
            for (Map.Entry<?, ?> e : ((Map<?, ?>) v).entrySet()) {
                value(e.getKey());
                value(e.getValue());
            }
        } else if (project || type == Object.class) {
            object(v, type, id);
        } else {
            say("serial", id, Base64.getEncoder().encodeToString(Kinds.serial(v)));
        }
    }

    private void object(Object v, Class<?> type, int id) throws Untold {
        List<Field> fields = Kinds.fields(type);
        boolean record = Kinds.record(type);
        say(record ? "record" : "object", id, type.getName(), fields.size());
        for (Field f : fields) {
            if (!record) {
                say(f.getDeclaringClass().getName(), f.getName());
            }
            value(get(f, v));
        }
    }

    static Object get(Field f, Object of) throws Untold {
        try {
            return f.get(of);
        } catch (IllegalAccessException e) {
            throw new Untold(e.toString());
        }
    }

    /** What a class's constants hold is the very same object for all: a sentinel, say. */
    private void know(Class<?> type) throws Untold {
        for (Class<?> c = type; c != null && !Kinds.machines(c) && known.add(c); c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                int m = f.getModifiers();
                if (Modifier.isStatic(m) && Modifier.isFinal(m) && !f.getType().isPrimitive() && !f.getType().isArray()) {
                    f.setAccessible(true);
                    Object held = get(f, null);
                    if (held != null && !Kinds.machines(held.getClass())) {
                        constants.putIfAbsent(held, f);
                    }
                }
            }
        }
    }
}
