package workspace

import (
	"context"
	"runtime"
	"sync"
)

// visitFolders visits a tree of folders with a few workers. A visit returns the folders it found below, which are visited in
// their turn, in no particular order. begin makes the visit of one worker, which may keep buffers of its own. The first
// error ends it all.
func visitFolders[F any](ctx context.Context, top F, begin func() func(F) ([]F, error)) error {
	q := folderQueue[F]{todo: []F{top}}
	q.more = sync.NewCond(&q.mu)
	var workers sync.WaitGroup
	for range min(8, max(2, runtime.GOMAXPROCS(0))) {
		workers.Go(func() {
			visit := begin()
			for {
				next, ok := q.next()
				if !ok {
					return
				}
				var below []F
				err := ctx.Err()
				if err == nil {
					below, err = visit(next)
				}
				q.finished(below, err)
			}
		})
	}
	workers.Wait()
	return q.err
}

// folderQueue is the folders that are still to be visited.
type folderQueue[F any] struct {
	mu   sync.Mutex
	more *sync.Cond
	todo []F
	busy int // visits under way, which may find more
	err  error
}

func (q *folderQueue[F]) next() (next F, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.todo) == 0 && q.busy > 0 && q.err == nil {
		q.more.Wait()
	}
	if len(q.todo) == 0 || q.err != nil {
		return next, false
	}
	next = q.todo[len(q.todo)-1]
	q.todo = q.todo[:len(q.todo)-1]
	q.busy++
	return next, true
}

func (q *folderQueue[F]) finished(below []F, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	q.todo = append(q.todo, below...)
	if q.err == nil {
		q.err = err
	}
	q.more.Broadcast()
}
