// Package landlock answers "what may this thread, and all that it starts, no longer do?". It is the kernel's own words, a ruleset and what is allowed in it
// (https://docs.kernel.org/userspace-api/landlock.html), and knows nothing of copies or of homes. Whoever uses it says which rights are handled, and where they are left.
//
// The package is a leaf (the standard library and x/sys/unix only).
package landlock
