package fettle_jvm;

/** One way of running tests. Each has keys of its own for them, which hold as long as the classes stay what they are. */
abstract class Tests {
    /** Hears of every test, and of every container that failed, as it ends. */
    interface Sink {
        /**
         * @param names what reports may call it, the most exact first
         * @param fault why it failed; null: it did not
         * @param ran whether it ran at all, and is a test
         */
        void ended(String key, String[] names, Throwable fault, boolean ran);
    }

    /** Runs every test of the classes. */
    abstract void survey(ClassLoader loader, String[] classes, Sink sink) throws Throwable;

    /** Runs the tests with these keys. */
    abstract void run(ClassLoader loader, String[] keys, Sink sink) throws Throwable;

    /** Makes the way of this name, which is the name of its class. */
    static Tests of(String name) throws ReflectiveOperationException {
        return (Tests) Class.forName("fettle_jvm." + name).getDeclaredConstructor().newInstance();
    }
}
