package fettle_jvm;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/** What kinds of values there are, as far as they can be taken apart and put together again. */
final class Kinds {
    private Kinds() {}

    /** What is called by its kind and its text alone. */
    static final Map<Class<?>, String> SCALARS = new HashMap<>();

    static {
        for (Class<?> c : new Class<?>[] {Boolean.class, Byte.class, Short.class, Long.class, Float.class, Double.class, String.class}) {
            SCALARS.put(c, c.getSimpleName().toLowerCase(java.util.Locale.ROOT));
        }
        SCALARS.put(Integer.class, "int");
        SCALARS.put(Character.class, "char");
    }

    /** Collections that somebody has wrapped, by what wraps them. */
    static final String FIXED = "fixed";
    static final String UNMODIFIABLE = "unmodifiable";

    /** Whether a class is the machine's own: what it holds is nobody's business. */
    static boolean machines(Class<?> c) {
        String n = c.getName();
        return n.startsWith("java.") || n.startsWith("javax.") || n.startsWith("jdk.") || n.startsWith("sun.") || n.startsWith("com.sun.");
    }

    /** The class of a collection or map that can be filled anew, or how it is wrapped; null: it is no such. */
    static String container(Object v) {
        String name = v.getClass().getName();
        if (name.equals("java.util.Arrays$ArrayList")) {
            return FIXED;
        }
        if (name.startsWith("java.util.ImmutableCollections$") || name.startsWith("java.util.Collections$Unmodifiable")
            || name.startsWith("java.util.Collections$Empty") || name.startsWith("java.util.Collections$Singleton")) {
            return v instanceof List || v instanceof Set || v instanceof Map ? UNMODIFIABLE : null;
        }
        if (!name.startsWith("java.util.") || !(v instanceof Collection || v instanceof Map) || ordered(v)) {
            return null;
        }
        try {
            v.getClass().getConstructor();
            return Modifier.isPublic(v.getClass().getModifiers()) ? name : null;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Whether a collection has an order of its own, which is a function. */
    private static boolean ordered(Object v) {
        return v instanceof SortedSet && ((SortedSet<?>) v).comparator() != null || v instanceof SortedMap && ((SortedMap<?, ?>) v).comparator() != null
            || v instanceof PriorityQueue && ((PriorityQueue<?>) v).comparator() != null;
    }

    static boolean record(Class<?> c) {
        return c.getSuperclass() != null && c.getSuperclass().getName().equals("java.lang.Record");
    }

    /** The variables of an object, those of its own class first. */
    static List<Field> fields(Class<?> type) throws Untold {
        if (type.getName().indexOf("/") >= 0 || Proxy.isProxyClass(type)) {
            throw new Untold(type + " has no source");
        }
        List<Field> out = new ArrayList<>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            boolean machines = machines(c);
            for (Field f : c.getDeclaredFields()) {
                if (Modifier.isStatic(f.getModifiers())) {
                    continue;
                }
                if (machines) {
                    if (Modifier.isTransient(f.getModifiers())) {
                        continue; // a count of changes, say
                    }
                    throw new Untold(c + " keeps what it holds to itself");
                }
                f.setAccessible(true);
                out.add(f);
            }
        }
        return out;
    }

    /** One of the machine's own objects, with nothing of the project's in it. */
    static byte[] serial(Object v) throws Untold {
        if (!(v instanceof Serializable)) {
            throw new Untold(v.getClass() + " cannot be written down");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new Plain(bytes)) {
            out.writeObject(v);
        } catch (IOException e) {
            throw new Untold(e.toString());
        }
        return bytes.toByteArray();
    }

    private static final class Plain extends ObjectOutputStream {
        Plain(OutputStream to) throws IOException {
            super(to);
        }

        @Override protected void annotateClass(Class<?> c) throws IOException {
            Class<?> of = c;
            while (of.isArray()) {
                of = of.getComponentType();
            }
            if (c.getName().startsWith("java.lang.invoke.") || !of.isPrimitive() && !machines(of) && !of.isEnum()) {
                throw new IOException(c + " is the project's");
            }
        }

        @Override protected void annotateProxyClass(Class<?> c) throws IOException {
            throw new IOException(c + " has no source");
        }
    }

    static Object unserial(byte[] bytes, ClassLoader loader) throws Untold {
        try (ObjectInputStream in = new Named(new ByteArrayInputStream(bytes), loader)) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new Untold(e.toString());
        }
    }

    private static final class Named extends ObjectInputStream {
        private final ClassLoader loader;

        Named(InputStream from, ClassLoader loader) throws IOException {
            super(from);
            this.loader = loader;
        }

        @Override protected Class<?> resolveClass(ObjectStreamClass c) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(c.getName(), false, loader);
            } catch (ClassNotFoundException e) { // a primitive one
                return super.resolveClass(c);
            }
        }
    }
}
