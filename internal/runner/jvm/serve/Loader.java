package fettle_jvm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Loads the project's own classes anew, a candidate's in place of those on the disk. Libraries stay with the parent. */
final class Loader extends ClassLoader {
    /** What all loaders share: the project's folders and archives, and what was read of them. */
    static final class Space {
        private static final byte[] NONE = {};

        private final URLClassLoader own;
        private final ProtectionDomain domain;
        private final Map<String, byte[]> read = new ConcurrentHashMap<>();

        /** Classes of the project that were woven; they stand in for those on the disk. */
        final Map<String, byte[]> woven = new ConcurrentHashMap<>();

        Space(List<URL> roots) {
            own = new URLClassLoader(roots.toArray(new URL[0]), null);
            URL first = roots.isEmpty() ? null : roots.get(0);
            domain = new ProtectionDomain(new CodeSource(first, (Certificate[]) null), null);
        }

        /** Classes that were not there may be by now. */
        void forget() {
            read.values().removeIf(b -> b == NONE);
        }

        private byte[] find(String name) {
            byte[] b = woven.get(name);
            if (b == null) {
                b = read.computeIfAbsent(name, this::fromDisk);
            }
            return b.length == 0 ? null : b;
        }

        private byte[] fromDisk(String name) {
            URL at = own.findResource(name.replace('.', '/') + ".class"); // to ask for the stream would ask the machine's own classes first
            if (at == null) {
                return NONE;
            }
            try (InputStream in = at.openStream()) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                byte[] some = new byte[8192];
                for (int n = in.read(some); n > 0; n = in.read(some)) {
                    out.write(some, 0, n);
                }
                return out.toByteArray();
            } catch (IOException e) {
                return NONE;
            }
        }
    }

    static {
        registerAsParallelCapable();
    }

    private final Space space;
    private final Map<String, byte[]> first;
    private final int candidate; // whose copies are kept; negative: every one's
    private final List<Class<?>> defined = Collections.synchronizedList(new ArrayList<>());

    Loader(Space space, Map<String, byte[]> first, int candidate) {
        super(Loader.class.getClassLoader());
        this.space = space;
        this.first = first;
        this.candidate = candidate;
    }

    /** The project's classes that were needed so far. */
    List<Class<?>> defined() {
        synchronized (defined) {
            return new ArrayList<>(defined);
        }
    }

    @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("java.") || name.startsWith("fettle_jvm.")) {
            return getParent().loadClass(name);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> c = findLoadedClass(name);
            if (c != null) {
                return c;
            }
            byte[] b = first.get(name);
            if (b != null && candidate >= 0) {
                b = ClassFile.slim(b, candidate);
            }
            if (b == null) {
                b = space.find(name);
            }
            if (b == null) {
                return getParent().loadClass(name);
            }
            c = defineClass(name, b, 0, b.length, space.domain);
            defined.add(c);
            return c;
        }
    }

    @Override public URL getResource(String name) {
        URL own = space.own.findResource(name);
        return own != null ? own : super.getResource(name);
    }

    @Override public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> all = Collections.list(space.own.findResources(name));
        all.addAll(Collections.list(super.getResources(name)));
        return Collections.enumeration(all);
    }

    @Override protected URL findResource(String name) {
        return space.own.findResource(name);
    }

    @Override protected Enumeration<URL> findResources(String name) throws IOException {
        return space.own.findResources(name);
    }
}
