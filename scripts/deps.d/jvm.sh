# Java: a JDK, Maven, and Gradle. Debian 12's Gradle is version 4.4.1, patched to run on its JDK 17; Gradle's own downloads are
# not used. Maven fetches plugins and JUnit from Maven Central when it first runs, into ~/.m2, where the tests find them again;
# Gradle fetches JUnit into ~/.gradle.
jvm_need=()
command -v javac >/dev/null || jvm_need+=(openjdk-17-jdk-headless)
command -v mvn >/dev/null || jvm_need+=(maven)
command -v gradle >/dev/null || jvm_need+=(gradle)
if [ ${#jvm_need[@]} -gt 0 ]; then apt "${jvm_need[@]}"; fi
