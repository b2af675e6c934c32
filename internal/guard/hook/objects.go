package hook

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Git keeps a file's content as a blob: in a file of its own, or in a pack, where it may be told by what it differs in from another one.

// The bounds of what is read of blobs.
const (
	maxPacks    = 50      // of a repository
	maxDeltas   = 64      // steps from one that is kept whole: git takes 50
	maxInflated = 4 << 20 // bytes in one event, with all that a blob is made from
	perStep     = 1 << 10 // bytes for which each of them counts besides
)

// errBlob says that a blob is not there, is too long, or is kept in a way that is not read here. Whoever asked for it goes on without.
var errBlob = errors.New("the blob cannot be read")

// The kinds of objects in a pack that lead to blobs.
const (
	kindBlob   = 3
	kindOffset = 6 // what differs from the object so far before it
	kindName   = 7 // what differs from the object of that id
)

// blob is the content of a blob by its id.
func (r *repository) blob(id []byte) ([]byte, error) {
	if f, err := os.Open(r.loose(id)); err == nil {
		defer f.Close()
		in, size, err := r.looseBlob(f)
		if err != nil {
			return nil, err
		}
		return r.inflated(in, size)
	}
	p, at, err := r.pack(id)
	if err != nil {
		return nil, err
	}
	return r.unpacked(p, at, maxDeltas)
}

// blobSize is how long a blob is, without reading it to its end.
func (r *repository) blobSize(id []byte) (int64, error) {
	if f, err := os.Open(r.loose(id)); err == nil {
		defer f.Close()
		_, size, err := r.looseBlob(f)
		return size, err
	}
	p, at, err := r.pack(id)
	if err != nil {
		return 0, err
	}
	o, err := p.object(at)
	if err != nil || o.kind == kindBlob {
		return o.size, err
	}
	in, err := r.inflating(o.packed)
	if err != nil {
		return 0, err
	}
	head := bytesOf{in}
	_, err = binary.ReadUvarint(head) // of what it differs from
	size, too := binary.ReadUvarint(head)
	return int64(min(size, most+1)), errors.Join(err, too)
}

// mirrors reports that git has the content of a file as the file has it on the disk: not with other ends of lines, nor as a pointer to it.
func (r *repository) mirrors(e entry) bool {
	size, err := r.blobSize(e.id())
	return err == nil && size == e.size() && size > 0 && size <= most
}

// loose is where an object has a file of its own.
func (r *repository) loose(id []byte) string {
	name := hex.EncodeToString(id)
	return filepath.Join(r.common, "objects", name[:2], name[2:])
}

// looseBlob reads the head of a blob in a file of its own: "blob 12", and a NUL.
func (r *repository) looseBlob(f io.Reader) (in io.Reader, size int64, err error) {
	in, err = r.inflating(f)
	if err != nil {
		return nil, 0, err
	}
	var head []byte
	for b := make([]byte, 1); len(head) < 32; head = append(head, b...) {
		if _, err := io.ReadFull(in, b); err != nil {
			return nil, 0, err
		}
		if b[0] == 0 {
			break
		}
	}
	length, ok := strings.CutPrefix(string(head), "blob ")
	if size, err = strconv.ParseInt(length, 10, 64); !ok {
		err = errBlob
	}
	return in, size, err
}

// inflating is what a stream holds. There is one at a time: what it takes to read one is larger than most of them.
func (r *repository) inflating(packed io.Reader) (io.Reader, error) {
	if again, ok := r.inflater.(zlib.Resetter); ok {
		return r.inflater, again.Reset(packed, nil)
	}
	in, err := zlib.NewReader(packed)
	if err == nil {
		r.inflater = in
	}
	return in, err
}

// inflated is all of a stream, which is as long as was said.
func (r *repository) inflated(in io.Reader, size int64) ([]byte, error) {
	if size < 0 || size > most {
		return nil, errBlob
	}
	if r.spent += size + perStep; r.spent > maxInflated {
		return nil, errBlob
	}
	data := make([]byte, size)
	_, err := io.ReadFull(in, data)
	return data, err
}

// unpacked is the object at a place of a pack, which may be so many steps from one that is kept whole.
func (r *repository) unpacked(p *pack, at int64, steps int) ([]byte, error) {
	o, err := p.object(at)
	if err != nil {
		return nil, err
	}
	in, err := r.inflating(o.packed)
	if err != nil {
		return nil, err
	}
	data, err := r.inflated(in, o.size)
	if err != nil || o.kind == kindBlob {
		return data, err
	}
	if steps == 0 {
		return nil, errBlob
	}
	base, err := r.unpacked(p, o.base, steps-1)
	if err != nil {
		return nil, err
	}
	return patched(base, data)
}

// patched is what a delta makes of another object: parts of that, and bytes of its own.
func patched(base, delta []byte) ([]byte, error) {
	in := bytes.NewReader(delta)
	_, err := binary.ReadUvarint(in)
	size, too := binary.ReadUvarint(in)
	if err = errors.Join(err, too); err != nil || size > most {
		return nil, errors.Join(errBlob, err)
	}
	out := make([]byte, 0, size)
	for in.Len() > 0 {
		part, err := instructed(in, base)
		if err != nil {
			return nil, err
		}
		if out = append(out, part...); uint64(len(out)) > size {
			return nil, errBlob
		}
	}
	if uint64(len(out)) != size {
		return nil, errBlob
	}
	return out, nil
}

// instructed is what the next instruction of a delta adds: bytes of its own, or, where the first bit is set, a part of what it differs from. The other bits say which bytes
// of that part's place and length follow.
func instructed(in *bytes.Reader, base []byte) ([]byte, error) {
	op, err := in.ReadByte()
	if err != nil || op == 0 {
		return nil, errors.Join(errBlob, err)
	}
	if op&0x80 == 0 {
		own := make([]byte, op)
		_, err := io.ReadFull(in, own)
		return own, err
	}
	var span uint64 // four bytes of the place, three of the length
	for i := range 7 {
		if op>>i&1 == 0 {
			continue
		}
		b, err := in.ReadByte()
		if err != nil {
			return nil, err
		}
		span |= uint64(b) << (8 * i)
	}
	from, n := span&0xffffffff, span>>32
	if n == 0 {
		n = 0x10000
	}
	if from+n > uint64(len(base)) {
		return nil, errBlob
	}
	return base[from : from+n], nil
}

// pack is a file of many objects, and its index.
type pack struct {
	name    string // without what they end in
	index   *os.File
	objects *os.File // nil: nothing was read from it yet
}

// pack is that in which an object lies, and where.
func (r *repository) pack(id []byte) (*pack, int64, error) {
	if r.packs == nil {
		r.packs = r.openPacks()
	}
	for _, p := range r.packs {
		at, ok := place(p.index, id)
		if !ok {
			continue
		}
		if p.objects == nil {
			f, err := os.Open(p.name + ".pack")
			if err != nil {
				return nil, 0, err
			}
			p.objects = f
		}
		return p, at, nil
	}
	return nil, 0, errBlob
}

// openPacks opens the indexes of the packs, of too many some.
func (r *repository) openPacks() []*pack {
	packs := []*pack{}
	dir := filepath.Join(r.common, "objects", "pack")
	entries, _ := entriesOf(dir) // as far as it can be read
	for _, e := range entries {
		name, ok := strings.CutSuffix(filepath.Join(dir, e.Name()), ".idx")
		if !ok || len(packs) == maxPacks {
			continue
		}
		if f, err := os.Open(name + ".idx"); err == nil {
			packs = append(packs, &pack{name: name, index: f})
		}
	}
	return packs
}

// close closes what was opened to read objects.
func (r *repository) close() {
	for _, p := range r.packs {
		p.index.Close()
		p.objects.Close()
	}
	r.packs = nil
}

// place is where an object begins in its pack, by the pack's index, of version 2: how many ids begin with a byte or a smaller one, the ids in order, their checksums,
// their places, and those that are too far for 31 bits.
func place(index io.ReaderAt, id []byte) (int64, bool) {
	number := func(at int64) uint32 {
		var b [4]byte
		if _, err := index.ReadAt(b[:], at); err != nil {
			return 0
		}
		return binary.BigEndian.Uint32(b[:])
	}
	const heads, ids = 8, 8 + 256*4
	if number(0) != 0xff744f63 || number(4) != 2 {
		return 0, false
	}
	all, first := int64(number(heads+255*4)), int64(0)
	if id[0] > 0 {
		first = int64(number(heads + int64(id[0]-1)*4))
	}
	name := make([]byte, len(id))
	for low, high := first, int64(number(heads+int64(id[0])*4)); low < high; {
		n := (low + high) / 2
		if _, err := index.ReadAt(name, ids+20*n); err != nil {
			return 0, false
		}
		switch c := bytes.Compare(name, id); {
		case c < 0:
			low = n + 1
		case c > 0:
			high = n
		default:
			at := number(ids + 24*all + 4*n)
			if at>>31 == 0 {
				return int64(at), true
			}
			far := ids + 28*all + 8*int64(at&0x7fffffff)
			return int64(number(far))<<32 | int64(number(far+4)), true
		}
	}
	return 0, false
}

// object is the head of one in a pack.
type object struct {
	kind   byte
	size   int64     // of what is packed
	base   int64     // where the one begins that it differs from
	packed io.Reader // what it holds
}

// object is that at a place of the pack.
func (p *pack) object(at int64) (o object, err error) {
	rest := io.NewSectionReader(p.objects, at, 1<<62)
	in := bytesOf{rest}
	b, err := in.ReadByte()
	o.kind, o.size = b>>4&7, int64(b&15)
	for shift := 4; err == nil && b&0x80 != 0 && shift < 56; shift += 7 {
		b, err = in.ReadByte()
		o.size |= int64(b&0x7f) << shift
	}
	switch o.kind {
	case kindBlob:
	case kindOffset:
		back := int64(-1)
		for b = 0x80; err == nil && b&0x80 != 0 && back < 1<<48; {
			b, err = in.ReadByte()
			back = (back+1)<<7 | int64(b&0x7f)
		}
		o.base = at - back
	case kindName:
		id := make([]byte, 20)
		if _, err = io.ReadFull(rest, id); err == nil {
			var ok bool
			if o.base, ok = place(p.index, id); !ok {
				err = errBlob
			}
		}
	default:
		err = errors.Join(err, errBlob)
	}
	o.packed = rest
	return o, err
}

// bytesOf reads a stream byte by byte.
type bytesOf struct{ io.Reader }

func (b bytesOf) ReadByte() (byte, error) {
	var one [1]byte
	_, err := io.ReadFull(b.Reader, one[:])
	return one[0], err
}
