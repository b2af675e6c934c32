package inside

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// maxMessage bounds a message: the kernel's limit on arguments and environment is 2 MB.
const maxMessage = 16 << 20

// wire carries messages and open files over one end of a unix stream socket. A message is its length in four bytes, then a
// gob, which keeps every byte of paths and variables, as JSON would not; the files travel with the length.
type wire struct {
	f  *os.File // non-blocking, so that Close ends a waiting receive
	mu sync.Mutex
}

func newWire(fd int, name string) (*wire, error) {
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return &wire{f: os.NewFile(uintptr(fd), name)}, nil
}

func (w *wire) Close() error { return w.f.Close() }

// hangUp ends the conversation for both sides. Close alone would leave a receive in another goroutine its reference.
func (w *wire) hangUp() {
	if raw, err := w.f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _ = unix.Shutdown(int(fd), unix.SHUT_RDWR) }) // the other side may be gone already
	}
}

// send sends one message. Messages from several goroutines do not mix.
func (w *wire) send(v any, fds ...int) error {
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(v); err != nil {
		return err
	}
	if body.Len() > maxMessage {
		return fmt.Errorf("the command's arguments and environment take %d bytes, more than a process can be given", body.Len())
	}
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(body.Len()))
	w.mu.Lock()
	defer w.mu.Unlock()
	raw, err := w.f.SyscallConn()
	if err != nil {
		return err
	}
	var oob []byte
	if len(fds) > 0 {
		oob = unix.UnixRights(fds...)
	}
	var n int
	if werr := raw.Write(func(fd uintptr) bool {
		for {
			n, err = unix.SendmsgN(int(fd), head[:], oob, nil, unix.MSG_NOSIGNAL|unix.MSG_DONTWAIT)
			if !errors.Is(err, unix.EINTR) {
				return !errors.Is(err, unix.EAGAIN)
			}
		}
	}); werr != nil {
		return werr
	}
	if err != nil {
		return err
	}
	_, err = w.f.Write(append(head[n:], body.Bytes()...))
	return err
}

// receive reads one message and the files that came with it, which are the caller's to close. The end is io.EOF.
func (w *wire) receive(v any) ([]int, error) {
	raw, err := w.f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var head [4]byte
	oob := make([]byte, unix.CmsgSpace(4*4))
	var n, oobn int
	if rerr := raw.Read(func(fd uintptr) bool {
		for {
			n, oobn, _, _, err = unix.Recvmsg(int(fd), head[:], oob, unix.MSG_CMSG_CLOEXEC|unix.MSG_DONTWAIT)
			if !errors.Is(err, unix.EINTR) {
				return !errors.Is(err, unix.EAGAIN)
			}
		}
	}); rerr != nil {
		return nil, rerr
	}
	if err == nil && n == 0 {
		err = io.EOF
	}
	if err != nil {
		return nil, err
	}
	fds, err := rights(oob[:oobn])
	if err == nil {
		err = w.body(head[:], n, v)
	}
	if err != nil {
		closeAll(fds)
		return nil, err
	}
	return fds, nil
}

func (w *wire) body(head []byte, have int, v any) error {
	if _, err := io.ReadFull(w.f, head[have:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(head)
	if size > maxMessage {
		return fmt.Errorf("a message of %d bytes", size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(w.f, body); err != nil {
		return err
	}
	return gob.NewDecoder(bytes.NewReader(body)).Decode(v)
}

func rights(oob []byte) ([]int, error) {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return nil, err
	}
	var fds []int
	for i := range messages {
		got, err := unix.ParseUnixRights(&messages[i])
		if err != nil {
			return fds, err
		}
		fds = append(fds, got...)
	}
	return fds, nil
}

func closeAll(fds []int) {
	for _, fd := range fds {
		_ = unix.Close(fd)
	}
}
