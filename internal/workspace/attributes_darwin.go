package workspace

import "golang.org/x/sys/unix"

// noAttribute says that an attribute has gone meanwhile.
const noAttribute = unix.ENOATTR
