package disk

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	gofs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// passthrough is the file system: what is asked of it is done in a folder below, one operation after the other.
type passthrough struct {
	below string

	mu    sync.Mutex
	ids   map[uint64]ID // by inode number below
	last  ID
	ops   []Op
	fault Fault
	tally Tally
}

// id names the file of an inode number.
func (p *passthrough) id(ino uint64) ID {
	if id, ok := p.ids[ino]; ok {
		return id
	}
	return p.newID(ino)
}

// newID names a file that was made just now. Another may have had its inode number.
func (p *passthrough) newID(ino uint64) ID {
	p.last++
	p.ids[ino] = p.last
	return p.last
}

// idAt names the file at a path.
func (p *passthrough) idAt(path string) (ID, syscall.Errno) {
	var st syscall.Stat_t
	if err := syscall.Lstat(filepath.Join(p.below, path), &st); err != nil {
		return 0, gofs.ToErrno(err)
	}
	return p.id(st.Ino), 0
}

// change does one operation, or fails it, and records it. do may fill in what is known only then.
func (p *passthrough) change(o Op, do func(o *Op) syscall.Errno) syscall.Errno {
	p.mu.Lock()
	defer p.mu.Unlock()
	if errno := p.struck(o); errno != 0 {
		return errno
	}
	errno := do(&o)
	if errno == 0 {
		p.ops = append(p.ops, o)
	}
	return errno
}

// struck counts an operation that is about to be done, and fails it if its turn has come.
func (p *passthrough) struck(o Op) syscall.Errno {
	if p.tally.Done == nil {
		p.tally.Done = map[Kind]int{}
	}
	p.tally.Done[o.Kind]++
	if !p.fault.concerns(o.Kind) {
		return 0
	}
	p.tally.Counted++
	if !p.fault.strikes(p.tally.Counted) {
		return 0
	}
	if p.tally.Failed++; p.tally.Failed == 1 {
		p.tally.First = o
	}
	return p.fault.Error
}

// reading counts a read, and fails it if its turn has come. What the database shares between processes is mapped, where a failure would
// be a signal; no disk keeps it.
func (p *passthrough) reading(path string) syscall.Errno {
	if strings.HasSuffix(path, "-shm") {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.struck(Op{Kind: Read, Path: path})
}

// node is one file or folder of the file system. What only reads is the loopback's.
type node struct {
	*gofs.LoopbackNode
	p *passthrough
}

// WrapChild implements [gofs.NodeWrapChilder].
func (n *node) WrapChild(_ context.Context, child gofs.InodeEmbedder) gofs.InodeEmbedder {
	return &node{child.(*gofs.LoopbackNode), n.p}
}

func (n *node) path() string { return n.Path(n.Root()) }

func (n *node) child(name string) string { return filepath.Join(n.path(), name) }

// id names the node's file. It is asked while an operation is done.
func (n *node) id() ID {
	if n.IsRoot() {
		return Root
	}
	return n.p.id(n.StableAttr().Ino)
}

// born does an operation that makes a file.
func (n *node) born(o Op, name string, do func() (*gofs.Inode, syscall.Errno)) (made *gofs.Inode, errno syscall.Errno) {
	o.Path = n.child(name)
	errno = n.p.change(o, func(o *Op) (errno syscall.Errno) {
		if made, errno = do(); errno == 0 {
			o.ID, o.Folder = n.p.newID(made.StableAttr().Ino), n.id()
		}
		return errno
	})
	return made, errno
}

// Create implements [gofs.NodeCreater]. The kernel asks for it only where it knows that there is no such file.
func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (made *gofs.Inode, fh gofs.FileHandle, fuseFlags uint32, errno syscall.Errno) {
	made, errno = n.born(Op{Kind: Create, Mode: fs.FileMode(mode).Perm()}, name, func() (i *gofs.Inode, errno syscall.Errno) {
		i, fh, fuseFlags, errno = n.LoopbackNode.Create(ctx, name, flags|syscall.O_EXCL, mode, out)
		return i, errno
	})
	return made, fh, fuseFlags, errno
}

// Mkdir implements [gofs.NodeMkdirer].
func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return n.born(Op{Kind: Mkdir, Mode: fs.FileMode(mode).Perm()}, name, func() (*gofs.Inode, syscall.Errno) {
		return n.LoopbackNode.Mkdir(ctx, name, mode, out)
	})
}

// Symlink implements [gofs.NodeSymlinker].
func (n *node) Symlink(ctx context.Context, target, name string, out *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return n.born(Op{Kind: Symlink, To: target}, name, func() (*gofs.Inode, syscall.Errno) {
		return n.LoopbackNode.Symlink(ctx, target, name, out)
	})
}

// Link implements [gofs.NodeLinker].
func (n *node) Link(ctx context.Context, target gofs.InodeEmbedder, name string, out *fuse.EntryOut) (made *gofs.Inode, errno syscall.Errno) {
	file := target.(*node)
	errno = n.p.change(Op{Kind: Link, Path: file.path(), To: n.child(name)}, func(o *Op) (errno syscall.Errno) {
		o.ID, o.Folder = file.id(), n.id()
		made, errno = n.LoopbackNode.Link(ctx, target, name, out)
		return errno
	})
	return made, errno
}

// gone does an operation that takes a name away.
func (n *node) gone(kind Kind, name string, do func() syscall.Errno) syscall.Errno {
	return n.p.change(Op{Kind: kind, Path: n.child(name)}, func(o *Op) (errno syscall.Errno) {
		if o.ID, errno = n.p.idAt(o.Path); errno != 0 {
			return errno
		}
		o.Folder = n.id()
		return do()
	})
}

// Unlink implements [gofs.NodeUnlinker].
func (n *node) Unlink(ctx context.Context, name string) syscall.Errno {
	return n.gone(Unlink, name, func() syscall.Errno { return n.LoopbackNode.Unlink(ctx, name) })
}

// Rmdir implements [gofs.NodeRmdirer].
func (n *node) Rmdir(ctx context.Context, name string) syscall.Errno {
	return n.gone(Rmdir, name, func() syscall.Errno { return n.LoopbackNode.Rmdir(ctx, name) })
}

// Rename implements [gofs.NodeRenamer]. Two files cannot change places.
func (n *node) Rename(ctx context.Context, name string, parent gofs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags&^unix.RENAME_NOREPLACE != 0 {
		return syscall.EINVAL
	}
	into := parent.(*node)
	return n.p.change(Op{Kind: Rename, Path: n.child(name), To: into.child(newName)}, func(o *Op) (errno syscall.Errno) {
		if o.ID, errno = n.p.idAt(o.Path); errno != 0 {
			return errno
		}
		o.Folder, o.Into = n.id(), into.id()
		return n.LoopbackNode.Rename(ctx, name, parent, newName, flags)
	})
}

// Write implements [gofs.NodeWriter].
func (n *node) Write(ctx context.Context, f gofs.FileHandle, data []byte, off int64) (written uint32, errno syscall.Errno) {
	errno = n.p.change(Op{Kind: Write, Path: n.path(), Offset: off}, func(o *Op) (errno syscall.Errno) {
		o.ID = n.id()
		written, errno = f.(gofs.FileWriter).Write(ctx, data, off)
		o.Data = append([]byte(nil), data[:written]...)
		return errno
	})
	return written, errno
}

// Read implements [gofs.NodeReader].
func (n *node) Read(ctx context.Context, f gofs.FileHandle, to []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	if errno := n.p.reading(n.path()); errno != 0 {
		return nil, errno
	}
	return f.(gofs.FileReader).Read(ctx, to, off)
}

// Allocate implements [gofs.NodeAllocater]: room at the end, and nothing else.
func (n *node) Allocate(ctx context.Context, f gofs.FileHandle, off, size uint64, mode uint32) syscall.Errno {
	if mode != 0 {
		return syscall.EOPNOTSUPP
	}
	return n.p.change(Op{Kind: Truncate, Path: n.path()}, func(o *Op) syscall.Errno {
		o.ID = n.id()
		if errno := f.(gofs.FileAllocater).Allocate(ctx, off, size, mode); errno != 0 {
			return errno
		}
		var out fuse.AttrOut
		errno := f.(gofs.FileGetattrer).Getattr(ctx, &out)
		o.Size = int64(out.Size)
		return errno
	})
}

// Setattr implements [gofs.NodeSetattrer].
func (n *node) Setattr(ctx context.Context, f gofs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	var ops []Op
	if size, ok := in.GetSize(); ok {
		ops = append(ops, Op{Kind: Truncate, Size: int64(size)})
	}
	if mode, ok := in.GetMode(); ok {
		ops = append(ops, Op{Kind: Chmod, Mode: fs.FileMode(mode).Perm()})
	}
	_, user := in.GetUID()
	if _, group := in.GetGID(); user || group {
		ops = append(ops, Op{Kind: Chown})
	}
	for _, o := range ops { // one call may do several things: each is an operation
		o.Path = n.path()
		errno := n.p.change(o, func(o *Op) syscall.Errno {
			o.ID = n.id()
			return n.LoopbackNode.Setattr(ctx, f, in, out)
		})
		if errno != 0 {
			return errno
		}
	}
	if len(ops) == 0 { // times only
		return n.LoopbackNode.Setattr(ctx, f, in, out)
	}
	return 0
}

// Fsync implements [gofs.NodeFsyncer], for folders too. Nothing has to be waited for: the recording knows what it means.
func (n *node) Fsync(context.Context, gofs.FileHandle, uint32) syscall.Errno {
	kind := Sync
	if n.IsDir() {
		kind = SyncFolder
	}
	return n.p.change(Op{Kind: kind, Path: n.path()}, func(o *Op) syscall.Errno {
		o.ID = n.id()
		return 0
	})
}

// folderStream is what is read of an open folder.
type folderStream interface {
	gofs.FileReaddirenter
	gofs.FileReleasedirer
	gofs.FileSeekdirer
}

// openFolder is an open folder whose syncs are recorded.
type openFolder struct {
	folderStream
	n *node
}

// Fsyncdir implements [gofs.FileFsyncdirer].
func (f *openFolder) Fsyncdir(ctx context.Context, flags uint32) syscall.Errno {
	return f.n.Fsync(ctx, nil, flags)
}

// OpendirHandle implements [gofs.NodeOpendirHandler].
func (n *node) OpendirHandle(ctx context.Context, flags uint32) (gofs.FileHandle, uint32, syscall.Errno) {
	if errno := n.p.reading(n.path()); errno != 0 {
		return nil, 0, errno
	}
	h, fuseFlags, errno := n.LoopbackNode.OpendirHandle(ctx, flags)
	if errno != 0 {
		return nil, 0, errno
	}
	return &openFolder{h.(folderStream), n}, fuseFlags, 0
}

// What would change files past the recording is not offered; programs then do without.

// Mknod implements [gofs.NodeMknoder].
func (n *node) Mknod(context.Context, string, uint32, uint32, *fuse.EntryOut) (*gofs.Inode, syscall.Errno) {
	return nil, syscall.EPERM
}

// Tmpfile implements [gofs.NodeTmpfiler].
func (n *node) Tmpfile(context.Context, uint32, uint32, *fuse.EntryOut) (*gofs.Inode, gofs.FileHandle, uint32, syscall.Errno) {
	return nil, nil, 0, syscall.EOPNOTSUPP
}

// CopyFileRange implements [gofs.NodeCopyFileRanger].
func (n *node) CopyFileRange(context.Context, gofs.FileHandle, uint64, *gofs.Inode, gofs.FileHandle, uint64, uint64, uint64) (uint32, syscall.Errno) {
	return 0, syscall.EOPNOTSUPP
}
