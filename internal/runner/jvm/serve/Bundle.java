package fettle_jvm;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Compiled classes by the label of the task that made them, as a file between the machine that builds and those that run. */
final class Bundle {
    private Bundle() {}

    static void write(File to, Map<String, Map<String, byte[]>> tasks) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(to), 1 << 16))) {
            out.writeInt(tasks.size());
            for (Map.Entry<String, Map<String, byte[]>> task : tasks.entrySet()) {
                out.writeUTF(task.getKey());
                out.writeInt(task.getValue().size());
                for (Map.Entry<String, byte[]> c : task.getValue().entrySet()) {
                    out.writeUTF(c.getKey());
                    out.writeInt(c.getValue().length);
                    out.write(c.getValue());
                }
            }
        }
    }

    static Map<String, Map<String, byte[]>> read(File from) throws IOException {
        Map<String, Map<String, byte[]>> tasks = new HashMap<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(from), 1 << 16))) {
            for (int n = in.readInt(); n > 0; n--) {
                Map<String, byte[]> classes = new HashMap<>();
                tasks.put(in.readUTF(), classes);
                for (int k = in.readInt(); k > 0; k--) {
                    String name = in.readUTF();
                    byte[] b = new byte[in.readInt()];
                    in.readFully(b);
                    classes.put(name, b);
                }
            }
        }
        return tasks;
    }
}
