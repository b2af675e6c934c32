package heal

// ErrTime is the cause with which a session's own time limit ends it.
var ErrTime = errTime
