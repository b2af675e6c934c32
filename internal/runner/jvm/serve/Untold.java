package fettle_jvm;

/** A value that cannot be written down, made again, or shown. */
final class Untold extends Exception {
    private static final long serialVersionUID = 1;

    Untold(String why) {
        super(why, null, false, false);
    }
}
