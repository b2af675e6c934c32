package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// Keys of ciphers and of signatures, and what must be another for each text, that stand in the source: whoever reads it reads all that they hide.

// keyed are functions that are given a key or what begins a cipher, by their paths, with the places of these among the arguments.
var keyed = sinksByLanguage(func() map[syntax.Lang]map[string]sink {
	ciphers := "AES DES DES3 ARC2 ARC4 Blowfish CAST ChaCha20 ChaCha20_Poly1305 Salsa20"
	var python []string
	for name := range strings.FieldsSeq(ciphers) {
		python = append(python, "Crypto.Cipher."+name+".new", "Cryptodome.Cipher."+name+".new")
	}
	modern := "cryptography.hazmat.primitives.ciphers."
	return map[syntax.Lang]map[string]sink{
		syntax.Python: sinksOf(
			sinkRow{0, []int{0, 2}, strings.Join(python, " ")},
			sinkRow{0, first, "cryptography.fernet.Fernet nacl.secret.SecretBox " + modern + "aead.AESGCM " + modern + "aead.ChaCha20Poly1305 " + modern + "algorithms.AES " + modern + "algorithms.TripleDES " +
				modern + "algorithms.Blowfish " + modern + "modes.CBC " + modern + "modes.CTR " + modern + "modes.GCM " + modern + "modes.CFB " + modern + "modes.OFB"},
			sinkRow{0, both, modern + "algorithms.ChaCha20"},
			sinkRow{0, first, "hmac.new hmac.digest hmac.HMAC"},
		),
		syntax.JavaScript: sinksOf(
			sinkRow{0, []int{1, 2}, "crypto.createCipheriv crypto.createDecipheriv"},
			sinkRow{0, []int{1}, "crypto.createHmac"},
			sinkRow{0, []int{1}, "crypto.createCipher crypto.createDecipher crypto-js.AES.encrypt crypto-js.AES.decrypt CryptoJS.AES.encrypt CryptoJS.AES.decrypt crypto-js/aes.encrypt crypto-js/aes.decrypt"},
		),
		syntax.Go: sinksOf(
			sinkRow{0, first, "crypto/aes.NewCipher crypto/des.NewCipher crypto/des.NewTripleDESCipher crypto/rc4.NewCipher golang.org/x/crypto/chacha20poly1305.New golang.org/x/crypto/chacha20poly1305.NewX"},
			sinkRow{0, []int{1}, "crypto/hmac.New"},
			sinkRow{0, []int{1}, "crypto/cipher.NewCBCEncrypter crypto/cipher.NewCTR crypto/cipher.NewCFBEncrypter crypto/cipher.NewOFB"},
		),
		syntax.Java: sinksOf(
			sinkRow{0, first, "SecretKeySpec IvParameterSpec DESKeySpec"},
			sinkRow{0, []int{1}, "GCMParameterSpec"},
		),
	}
})

// keyNames are arguments by name that hold such values.
var keyNames = []string{"key", "iv", "nonce", "initial_value"}

// keysIn judges a cipher whose key, or what begins it, stands in the source.
func (s *scan) keysIn(n *program.Node) *hit {
	callee := n.Kid(program.Callee)
	path := s.eval(callee, 0).path
	k, ok := keyed()[s.file.Lang][path]
	if !ok && s.file.Lang == syntax.Go && callee.Is(program.Attr) && callee.Name == "Seal" && len(n.All(program.Arg)) == 4 {
		k, ok, path = sink{args: []int{1}}, true, "Seal"
	}
	if !ok || s.tries(n) {
		return nil
	}
	args := positional(n)
	for _, i := range k.args {
		if i < len(args) && s.inSource(args[i], 0) {
			return &hit{Weakening, Review, path + ": a key in the source"}
		}
	}
	c := s.newCall(n, path)
	for _, name := range keyNames {
		if v := c.named[name]; v != nil && s.file.Lang == syntax.Python && s.inSource(v, 0) {
			return &hit{Weakening, Review, path + ": a key in the source"}
		}
	}
	return nil
}

// spellsBytes matches functions that make bytes of what is written.
var spellsBytes = pattern.New(`(?i)^(bytes|bytearray|str|Buffer\.from|TextEncoder\(\)\.encode|.*(b64decode|fromhex|unhexlify|a2b_hex|a2b_base64|hex\.DecodeString|DecodeString|decodeHex|parseHex|\.decode)|(crypto-js|CryptoJS)\.enc\.\w+\.parse)$`)

// inSource reports bytes that stand in the source: a text or numbers, however they are spelled, or zeros that nobody fills.
func (s *scan) inSource(n *program.Node, depth int) bool {
	const deepest = 6
	if n == nil || depth > deepest {
		return false
	}
	switch n.Role {
	case program.Str:
		return len(n.Kids) == 0 && len(n.Text()) > 3 && !strings.HasPrefix(n.Text(), "f")
	case program.Name:
		return s.inSource(s.onlyGiven(n), depth+1) && !s.fills(n)
	case program.Attr:
		all := s.gets(s.fieldOf(n))
		return len(all) == 1 && s.inSource(all[0], depth+1)
	case program.Call:
		return s.madeOfLiterals(n, depth)
	case program.Other: // []byte("…"), new byte[16]
		return strings.HasPrefix(n.Text(), "new byte[") || s.allInSource(n.All(program.Operand), depth)
	case program.Arith:
		if n.Op != "+" && n.Op != "*" {
			return false
		}
	case program.List, program.Group, program.Spread, program.Unary, program.Slice:
	default:
		return false
	}
	return s.allInSource(slices.DeleteFunc(slices.Clone(n.Kids), func(k *program.Node) bool {
		return k.Part == program.Low || k.Part == program.High || k.Part == program.Stride // where a part of it begins and ends
	}), depth)
}

// onlyGiven is what a name was given where it was given but one thing; nil otherwise.
func (s *scan) onlyGiven(n *program.Node) *program.Node {
	if all := s.bindings(n, s.identifier(n.Name)); len(all) == 1 && all[0].member == "" {
		return all[0].node
	}
	return nil
}

// allInSource reports parts that all stand in the source, or are numbers.
func (s *scan) allInSource(parts []*program.Node, depth int) bool {
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(k *program.Node) bool { return !k.Is(program.Int, program.Unary) && !s.inSource(k, depth+1) })
}

// madeOfLiterals reports a call that makes bytes of what stands in the source, or that many zeros.
func (s *scan) madeOfLiterals(n *program.Node, depth int) bool {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	if f := s.carriedOut(n); f != nil {
		all := results(f)
		return len(all) == 1 && s.inSource(all[0], depth+1)
	}
	path := s.eval(callee, 0).path
	switch {
	case path == "Buffer.alloc" || path == "make" && s.file.Lang == syntax.Go || path == "bytes" && len(args) == 1 && args[0].Is(program.Int) || path == "Uint8Array" && len(args) == 1 && args[0].Is(program.Int):
		return true
	case spellsBytes.MatchString(path), callee.Is(program.Attr) && callee.Name == "decode" && strings.Contains(path, "ase64"):
		return len(args) > 0 && s.inSource(args[0], depth+1)
	}
	switch n.Calls() {
	case "encode", "getBytes", "toCharArray", "ljust", "padEnd":
		return s.inSource(callee.Kid(program.Object), depth+1)
	}
	return false
}

// fills reports bytes that something may write into: their name is given to what fills them, or they are set one by one.
func (s *scan) fills(n *program.Node) bool {
	for at := range s.file.Root.Walk() {
		switch {
		case at.Name != n.Name || !at.Is(program.Name):
		case at.Part == program.Arg && filling.MatchString(at.Parent.Kid(program.Callee).Text()),
			at.Part == program.Object && at.Parent.Is(program.Slice) && at.Parent.Part == program.Arg && filling.MatchString(at.Parent.Parent.Kid(program.Callee).Text()),
			at.Part == program.Object && at.Parent.Is(program.Index) && at.Parent.Part == program.Target,
			at.Part == program.Object && at.Parent.Part == program.Callee && filling.MatchString(at.Parent.Name):
			return true
		}
	}
	return false
}

// filling matches functions that write into what they are given.
var filling = pattern.New(`(?i)rand|read|fill|copy|nextBytes|write|set|put|xor|decode`)
