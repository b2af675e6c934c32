package fettle_jvm;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** How much this machine has worked. */
final class Clock {
    private Clock() {}

    private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getOperatingSystemMXBean();

    /** Nanoseconds of processor time of the whole machine; of the clock on the wall, where that is not known. */
    static long worked() {
        if (SYSTEM instanceof com.sun.management.OperatingSystemMXBean) {
            long n = ((com.sun.management.OperatingSystemMXBean) SYSTEM).getProcessCpuTime();
            if (n >= 0) {
                return n;
            }
        }
        return System.nanoTime();
    }
}
