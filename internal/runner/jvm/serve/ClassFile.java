package fettle_jvm;

import java.io.DataInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Just so much of the class file format as is needed (The Java Virtual Machine Specification, chapter 4). */
final class ClassFile {
    private final byte[] b;
    private final int[] pool; // where each constant begins
    private final int afterPool;

    private ClassFile(byte[] b) {
        this.b = b;
        pool = new int[u2(8)];
        int at = 10;
        for (int i = 1; i < pool.length; i++) {
            pool[i] = at;
            switch (b[at]) {
                case 1: at += 3 + u2(at + 1); break; // Utf8
                case 5: case 6: at += 9; i++; break; // Long, Double: two places
                case 7: case 8: case 16: case 19: case 20: at += 3; break;
                case 15: at += 4; break;
                default: at += 5;
            }
        }
        afterPool = at;
    }

    private int u2(int at) {
        return (b[at] & 0xff) << 8 | b[at + 1] & 0xff;
    }

    private int u4(int at) {
        return u2(at) << 16 | u2(at + 2);
    }

    private String utf8(int index) {
        int at = pool[index];
        return new String(b, at + 3, u2(at + 1), StandardCharsets.UTF_8);
    }

    private int afterAttributes(int at) {
        int n = u2(at);
        at += 2;
        for (; n > 0; n--) {
            at += 6 + u4(at + 2);
        }
        return at;
    }

    private int afterMembers(int at) {
        int n = u2(at);
        at += 2;
        for (; n > 0; n--) {
            at = afterAttributes(at + 6);
        }
        return at;
    }

    private int methods() {
        return afterMembers(afterPool + 8 + 2 * u2(afterPool + 6));
    }

    private static final byte[] MARK = "fettle$".getBytes(StandardCharsets.US_ASCII);

    /** The candidate to whose copy a method belongs, a lambda of it included; -1: none. */
    private int owner(int name) {
        int at = pool[name] + 3;
        int end = at + u2(pool[name] + 1);
        next:
        for (int i = at; i + MARK.length < end; i++) {
            for (int k = 0; k < MARK.length; k++) {
                if (b[i + k] != MARK[k]) {
                    continue next;
                }
            }
            int n = -1;
            for (int k = i + MARK.length; k < end && b[k] >= '0' && b[k] <= '9'; k++) {
                n = Math.max(n, 0) * 10 + b[k] - '0';
            }
            return n;
        }
        return -1;
    }

    /** The class without other candidates' copies: loading it costs by what is in it. */
    static byte[] slim(byte[] whole, int candidate) {
        ClassFile f = new ClassFile(whole);
        int start = f.methods();
        int n = f.u2(start);
        ByteArrayOutputStream out = new ByteArrayOutputStream(whole.length / 4 + 1024);
        out.write(whole, 0, start + 2);
        int kept = 0;
        int at = start + 2;
        for (int i = 0; i < n; i++) {
            int end = f.afterAttributes(at + 6);
            int owner = f.owner(f.u2(at + 2));
            if (owner < 0 || owner == candidate) {
                out.write(whole, at, end - at);
                kept++;
            }
            at = end;
        }
        if (kept == n) {
            return whole;
        }
        out.write(whole, at, whole.length - at);
        byte[] slim = out.toByteArray();
        slim[start] = (byte) (kept >> 8);
        slim[start + 1] = (byte) kept;
        return slim;
    }

    private String sourceFile() {
        int at = afterMembers(methods());
        int n = u2(at);
        at += 2;
        for (; n > 0; n--) {
            if (utf8(u2(at)).equals("SourceFile")) {
                return utf8(u2(at + 6));
            }
            at += 6 + u4(at + 2);
        }
        return "";
    }

    private boolean names(String attribute) {
        for (int i = 1; i < pool.length; i++) {
            if (pool[i] > 0 && b[pool[i]] == 1 && u2(pool[i] + 1) == attribute.length() && utf8(i).equals(attribute)) {
                return true;
            }
        }
        return false;
    }

    /** Tells the classes of a folder or an archive: where from, name, source, version, and whether names of parameters were kept. */
    static void list(File root, Wire wire) throws IOException {
        if (root.isDirectory()) {
            Path top = root.toPath();
            try (Stream<Path> all = Files.walk(top)) {
                for (Iterator<Path> it = all.filter(p -> p.toString().endsWith(".class")).iterator(); it.hasNext();) {
                    Path p = it.next();
                    tell(root, top.relativize(p).toString().replace(File.separatorChar, '/'), Files.readAllBytes(p), wire);
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        } else if (root.isFile()) {
            try (JarFile jar = new JarFile(root)) {
                for (JarEntry e : (Iterable<JarEntry>) jar.stream()::iterator) {
                    if (e.getName().endsWith(".class") && !e.getName().startsWith("META-INF/")) {
                        try (InputStream in = jar.getInputStream(e)) {
                            byte[] b = new byte[(int) e.getSize()];
                            new DataInputStream(in).readFully(b);
                            tell(root, e.getName(), b, wire);
                        }
                    }
                }
            }
        }
    }

    private static void tell(File root, String name, byte[] b, Wire wire) throws IOException {
        try {
            if (new DataInputStream(new ByteArrayInputStream(b)).readInt() != 0xcafebabe) {
                return;
            }
            ClassFile f = new ClassFile(b);
            wire.send("class", root.getPath(), name.substring(0, name.length() - 6), f.sourceFile(), Integer.toString(f.u2(6)),
                f.u2(4) == 0xffff ? "preview" : "", f.names("MethodParameters") ? "parameters" : "");
        } catch (IOException | IndexOutOfBoundsException e) {
            wire.send("odd", root.getPath(), name); // no class that a machine would load
        }
    }
}
