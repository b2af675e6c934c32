package fettle_jvm;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Makes values of what a {@link Scribe} has written down. */
final class Maker {
    private final ClassLoader loader;
    private final String[] words;
    private int at;
    private final Map<String, Object> made = new HashMap<>();

    Maker(ClassLoader loader, String[] words, int from) {
        this.loader = loader;
        this.words = words;
        this.at = from;
    }

    boolean done() {
        return at == words.length;
    }

    private String word() throws Untold {
        if (done()) {
            throw new Untold("there is nothing more");
        }
        return words[at++];
    }

    private Class<?> type() throws ReflectiveOperationException, Untold {
        return Class.forName(word(), true, loader);
    }

    /** What was made anew under an id that was there before gives way to it. */
    private Object keep(String id, Object thing) {
        Object had = id.equals("0") ? null : made.putIfAbsent(id, thing);
        return had != null ? had : thing;
    }

    Object value() throws Untold {
        try {
            return make(word());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) { // it would be none that the project makes
            throw new Untold(e.toString());
        }
    }

    private Object make(String kind) throws ReflectiveOperationException, Untold {
        switch (kind) {
            case "null": return null;
            case "boolean": return Boolean.valueOf(word());
            case "byte": return Byte.valueOf(word());
            case "short": return Short.valueOf(word());
            case "int": return Integer.valueOf(word());
            case "long": return Long.valueOf(word());
            case "float": return Float.valueOf(word());
            case "double": return Double.valueOf(word());
            case "char": return word().charAt(0);
            case "string": return word();
            case "enum": return constant(type(), word());
            case "static": return variable(type(), word()).get(null);
            case "ref": return before(word());
            default: return thing(kind, word());
        }
    }

    private Object before(String id) throws Untold {
        Object had = made.get(id);
        if (had == null) {
            throw new Untold("nothing has been made as " + id);
        }
        return had;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object constant(Class<?> type, String name) {
        return Enum.valueOf((Class<? extends Enum>) type, name);
    }

    private static Field variable(Class<?> type, String name) throws NoSuchFieldException {
        Field f = type.getDeclaredField(name);
        f.setAccessible(true);
        return f;
    }

    private Object thing(String kind, String id) throws ReflectiveOperationException, Untold {
        switch (kind) {
            case "array": return array(id, type(), number());
            case "list": return list(id, word(), number());
            case "map": return map(id, word(), number());
            case "record": return record(id, type(), number());
            case "object": return object(id, type(), number());
            case "serial": return keep(id, Kinds.unserial(Base64.getDecoder().decode(word()), loader));
            default: throw new Untold("what is " + kind + "?");
        }
    }

    private int number() throws Untold {
        return Integer.parseInt(word());
    }

    private Object[] values(int n) throws Untold {
        Object[] all = new Object[n];
        for (int i = 0; i < n; i++) {
            all[i] = value();
        }
        return all;
    }

    private Object array(String id, Class<?> type, int n) throws Untold {
        Object made = Array.newInstance(type.getComponentType(), n);
        Object kept = keep(id, made);
        for (int i = 0; i < n; i++) {
            Array.set(made, i, value());
        }
        return kept;
    }

    @SuppressWarnings("unchecked")
    private Object list(String id, String type, int n) throws ReflectiveOperationException, Untold {
        switch (type) {
            case Kinds.FIXED: return keep(id, Arrays.asList(values(n)));
            case Kinds.UNMODIFIABLE: return keep(id, Collections.unmodifiableList(new ArrayList<>(Arrays.asList(values(n)))));
            case Kinds.UNMODIFIABLE + " set": return keep(id, Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(values(n)))));
            default:
        }
        Collection<Object> made = (Collection<Object>) empty(type);
        Object kept = keep(id, made);
        made.addAll(Arrays.asList(values(n)));
        return kept;
    }

    @SuppressWarnings("unchecked")
    private Object map(String id, String type, int n) throws ReflectiveOperationException, Untold {
        boolean wrapped = type.equals(Kinds.UNMODIFIABLE);
        Map<Object, Object> made = wrapped ? new LinkedHashMap<>() : (Map<Object, Object>) empty(type);
        Object kept = keep(id, wrapped ? Collections.unmodifiableMap(made) : made);
        Object[] all = values(2 * n);
        for (int i = 0; i < all.length; i += 2) {
            made.put(all[i], all[i + 1]);
        }
        return kept;
    }

    private Object empty(String type) throws ReflectiveOperationException {
        return Class.forName(type, true, loader).getConstructor().newInstance();
    }

    /** Its own constructor may refuse what it is given. */
    private Object record(String id, Class<?> type, int n) throws ReflectiveOperationException, Untold {
        List<Field> fields = Kinds.fields(type);
        if (fields.size() != n) {
            throw new Untold(type + " is another");
        }
        Class<?>[] types = new Class<?>[n];
        for (int i = 0; i < n; i++) {
            types[i] = fields.get(i).getType();
        }
        Constructor<?> c = type.getDeclaredConstructor(types);
        c.setAccessible(true);
        return keep(id, c.newInstance(values(n)));
    }

    /** Without a constructor, which might do anything: what it holds is known. */
    private Object object(String id, Class<?> type, int n) throws ReflectiveOperationException, Untold {
        Object made = allocate(type);
        Object kept = keep(id, made);
        for (int i = 0; i < n; i++) {
            Field f = variable(type(), word());
            f.set(made, value());
        }
        return kept;
    }

    private static Object allocate(Class<?> type) throws ReflectiveOperationException {
        if (type == Object.class) {
            return new Object();
        }
        Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
        Method make = factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class);
        Object one = factory.getMethod("getReflectionFactory").invoke(null);
        return ((Constructor<?>) make.invoke(one, type, Object.class.getDeclaredConstructor())).newInstance();
    }
}
