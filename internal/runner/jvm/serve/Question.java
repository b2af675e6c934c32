package fettle_jvm;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** A call that is to be made: of a function that was woven so that it can be asked, by its number and its class. */
final class Question {
    private static final String[] UNFIT = {"", "", ""};

    private final String[] words; // the number, the class, whose method it is, and the arguments

    Question(String[] words) {
        this.words = words;
    }

    /** The call, what comes of it, and a digest of that; nothing: no such call can be made, or nobody can tell. */
    String[] answer(ClassLoader loader, long fuel) {
        F.left = fuel;
        try {
            Method method = method(Class.forName(words[1], true, loader));
            Maker maker = new Maker(loader, words, 2);
            Object self = maker.value();
            List<Object> args = new ArrayList<>();
            while (!maker.done()) {
                args.add(maker.value());
            }
            boolean free = Modifier.isStatic(method.getModifiers());
            if (args.size() != method.getParameterCount() || self == null && !free) {
                return UNFIT;
            }
            String call = shown(method, free, self, args);
            String[] said = call(method, self, args.toArray());
            return new String[] {call, said[0], said[1]};
        } catch (Untold | ReflectiveOperationException | RuntimeException | LinkageError e) {
            return UNFIT;
        } finally {
            F.exited = null;
        }
    }

    private Method method(Class<?> home) throws NoSuchMethodException {
        String mark = "fettle$ask" + words[0] + "$";
        for (Method m : home.getDeclaredMethods()) {
            if (m.getName().startsWith(mark)) {
                m.setAccessible(true);
                return m;
            }
        }
        throw new NoSuchMethodException(mark);
    }

    private static String shown(Method method, boolean free, Object self, List<Object> args) throws Untold {
        String name = method.getName();
        List<String> texts = new ArrayList<>();
        for (Object a : args) {
            texts.add(Shown.of(a));
        }
        return (free ? "" : Shown.of(self) + ".") + name.substring(name.indexOf('$', name.indexOf('$') + 1) + 1) + "(" + String.join(", ", texts) + ")";
    }

    private static String[] call(Method method, Object self, Object[] args) throws IllegalAccessException {
        Throwable thrown = null;
        Object result = Shown.NOTHING;
        try {
            result = method.invoke(self, args);
        } catch (InvocationTargetException e) {
            thrown = e.getCause();
        }
        if (F.exited != null) {
            return said("ends the program with " + F.exited);
        }
        if (F.left < 0) {
            return said("no end");
        }
        if (thrown != null) {
            return said("throws " + thrown.getClass().getSimpleName());
        }
        return Shown.answer(method.getReturnType() == void.class ? Shown.NOTHING : result, self, args);
    }

    private static String[] said(String text) {
        return new String[] {text, Shown.digest(text)};
    }
}
