package proc

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// tick is the unit of times in /proc: clock_gettime's for users, which has been a hundredth of a second on every architecture for decades (proc(5)).
const tick = 10 * time.Millisecond

// Used is the processor time that this process has taken so far, with all that it has started: what has ended, and what still runs.
func Used() time.Duration {
	used := own()
	all := census()
	for pid := range all {
		if descends(all, pid, os.Getpid()) {
			used += all[pid].used
		}
	}
	return used
}

// running is a process that runs.
type running struct {
	parent int
	used   time.Duration // with its children that have ended
}

func census() map[int]running {
	all := map[int]running{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if stat, err := os.ReadFile("/proc/" + e.Name() + "/stat"); err == nil {
			if r, ok := parseStat(stat); ok {
				all[pid] = r
			}
		}
	}
	return all
}

// parseStat reads /proc/PID/stat: what stands behind the name, which may hold blanks and parentheses itself, is numbers.
func parseStat(stat []byte) (running, bool) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 15 {
		return running{}, false
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(string(fields[i]))
		return n
	}
	return running{parent: number(1), used: tick * time.Duration(number(11)+number(12)+number(13)+number(14))}, true
}

func descends(all map[int]running, pid, from int) bool {
	for range all { // no longer than there are processes: they come and go while they are counted
		r, ok := all[pid]
		if !ok || pid == from {
			return false
		}
		if r.parent == from {
			return true
		}
		pid = r.parent
	}
	return false
}
