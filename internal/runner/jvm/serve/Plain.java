package fettle_jvm;

import java.util.Arrays;

/** Runs tests once, in a machine of their own, on classes as they are, and tells how each ended. */
public final class Plain {
    private Plain() {}

    /** The arguments are the way of running tests; the tests come as one line. */
    public static void main(String[] args) throws Throwable {
        Wire wire = new Wire(System.in);
        String[] line = wire.read();
        System.setIn(new java.io.ByteArrayInputStream(new byte[0]));
        String[] keys = Arrays.copyOfRange(line, 1, line.length);
        Tests.of(line[0]).run(Plain.class.getClassLoader(), keys, (key, names, fault, ran) -> {
            try {
                wire.send("test", key, !ran ? "none" : fault == null ? "pass" : "fail");
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        wire.send("done");
        System.exit(0); // threads that tests left behind do not hold it up
    }
}
