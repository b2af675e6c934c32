package fettle_jvm;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** How the two sides talk: lines of fields between tabs. What goes out begins with a mark, by which it is found among other output. */
final class Wire {
    private static final byte[] MARK = "\u0016fettle:".getBytes(StandardCharsets.US_ASCII);

    private final BufferedReader in;
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);

    Wire(InputStream in) {
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /** The next line's fields, or null at the end. */
    String[] read() throws IOException {
        String line = in.readLine();
        return line == null ? null : fields(line);
    }

    synchronized void send(String... fields) throws IOException {
        byte[] text = (line(fields) + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] whole = new byte[MARK.length + text.length];
        System.arraycopy(MARK, 0, whole, 0, MARK.length);
        System.arraycopy(text, 0, whole, MARK.length, text.length);
        out.write(whole);
        out.flush();
    }

    static String line(String... fields) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < fields.length; i++) {
            if (i > 0) {
                b.append('\t');
            }
            escape(b, String.valueOf(fields[i]));
        }
        return b.toString();
    }

    private static void escape(StringBuilder b, String s) {
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            switch (c) {
                case '\\': b.append("\\\\"); break;
                case '\t': b.append("\\t"); break;
                case '\n': b.append("\\n"); break;
                case '\r': b.append("\\r"); break;
                default: b.append(c);
            }
        }
    }

    static String[] fields(String line) {
        String[] parts = line.split("\t", -1);
        for (int i = 0; i < parts.length; i++) {
            if (parts[i].indexOf('\\') >= 0) {
                parts[i] = unescape(parts[i]);
            }
        }
        return parts;
    }

    private static String unescape(String s) {
        StringBuilder b = new StringBuilder(s.length());
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c != '\\' || i + 1 == s.length()) {
                b.append(c);
                continue;
            }
            char d = s.charAt(++i);
            b.append(d == 't' ? '\t' : d == 'n' ? '\n' : d == 'r' ? '\r' : d);
        }
        return b.toString();
    }
}
