package fettle_jvm;

/**
 * What is woven into the sources calls. Its name is short because it stands in every loop.
 *
 * <p>Counting is not exact when several threads run; it need not be.
 */
public final class F {
    private F() {}

    /** Which copy of each function goes on in its place; zero: none. */
    public static int[] on = new int[1 << 16];

    /** How many steps are left. Below zero every step ends its thread, again and again, whatever is caught. */
    public static long left = Long.MAX_VALUE;

    /** Places that were reached; null when nobody wants to know. */
    static boolean[] reached;

    /** The exit code that was asked for, or null. */
    static volatile Integer exited;

    /** The source of the class that asked for it, as com/x/Main.java. */
    static volatile String asker;

    /** The end of a thread that has used up its steps. */
    static final class Out extends Error {
        private static final long serialVersionUID = 1;

        Out(String why) {
            super(why, null, false, false);
        }
    }

    /** A loop goes round, or a function begins. */
    public static void step() {
        if (--left < 0) {
            throw new Out("it takes more steps than there are");
        }
    }

    /** A place is reached. */
    public static void hit(int place) {
        boolean[] r = reached;
        if (r != null) {
            r[place] = true;
        }
    }

    /** In place of System.exit: nothing more is to happen, but the machine goes on. */
    public static void exit(int code) {
        if (exited == null) {
            asker = caller();
            exited = code;
        }
        left = -1;
        throw new Out("exit " + code);
    }

    private static String caller() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String name = frame.getClassName();
            if (!name.equals(F.class.getName())) {
                return name.substring(0, name.lastIndexOf('.') + 1).replace('.', '/') + frame.getFileName();
            }
        }
        return "";
    }

    /** In place of Runtime.halt. */
    public static void halt(int code) {
        exit(code);
    }
}
