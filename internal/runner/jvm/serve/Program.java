package fettle_jvm;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** A program that judges itself: it passes when it comes to its end without an exception, or asks to exit with zero. Its key is its class. */
final class Program extends Tests {
    /** What its command line gives it. */
    static String[] arguments = {};

    @Override void survey(ClassLoader loader, String[] classes, Sink sink) throws Throwable {
        run(loader, classes, sink);
    }

    @Override void run(ClassLoader loader, String[] keys, Sink sink) throws Throwable {
        for (String name : keys) {
            Throwable fault = null;
            try {
                Method main = Class.forName(name, true, loader).getDeclaredMethod("main", String[].class);
                if (!Modifier.isStatic(main.getModifiers())) {
                    throw new NoSuchMethodException("main of " + name + " is not static");
                }
                main.setAccessible(true);
                main.invoke(null, (Object) arguments.clone());
                Workshop.awaitOthers();
            } catch (InvocationTargetException e) {
                fault = e.getCause();
            }
            if (F.exited != null) {
                fault = F.exited == 0 ? null : fault != null && !(fault instanceof F.Out) ? fault : new Error("exit code " + F.exited);
            }
            sink.ended(name, new String[] {name}, fault, true);
        }
    }
}
