package fettle_jvm;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;

/**
 * A program that judges itself: it passes when it comes to its end without an exception, or when its judge asks to exit with zero. What is judged could
 * do so, too, before anybody has looked at what it does. Its key is its class.
 */
final class Program extends Tests {
    /** What its command line gives it. */
    static String[] arguments = {};

    /** The sources whose word it is that all is well. */
    static final Set<String> judges = new HashSet<>();

    /** The program as it is: whoever ends it is a judge, and told besides. */
    @Override void survey(ClassLoader loader, String[] classes, Sink sink) throws Throwable {
        run(loader, classes, (key, names, fault, ran) -> {
            boolean ends = F.exited != null;
            sink.ended(key, ends ? new String[] {key, F.asker} : names, ends && F.exited == 0 ? null : fault, ran);
        });
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
                boolean well = F.exited == 0 && judges.contains(F.asker);
                fault = well ? null : fault != null && !(fault instanceof F.Out) ? fault : new Error("exit code " + F.exited + " by " + F.asker);
            }
            sink.ended(name, new String[] {name}, fault, true);
        }
    }
}
