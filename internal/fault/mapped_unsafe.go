// SPDX-License-Identifier: Apache-2.0

package fault

import (
	"slices"
	"sync"
	"unsafe"
)

// span is the addresses of one mapping, the last one excluded.
type span struct{ from, to uintptr }

// mappings lists where files are mapped in this process, by address. It describes the process's one address space,
// which is why there is one list: a slice of bytes is handed from package to package, and only its address tells that
// reading it may fault. Who unmaps memory takes its line out again.
var mappings struct {
	sync.RWMutex
	spans []span
}

// Map notes that memory is a mapped file, until the function that it returns is called, before the memory is unmapped.
func Map(memory []byte) (unmap func()) {
	s := spanOf(memory)
	mappings.Lock()
	defer mappings.Unlock()
	at, _ := find(s.from)
	mappings.spans = slices.Insert(mappings.spans, at, s)
	return sync.OnceFunc(func() {
		mappings.Lock()
		defer mappings.Unlock()
		if at := slices.Index(mappings.spans, s); at >= 0 {
			mappings.spans = slices.Delete(mappings.spans, at, at+1)
		}
	})
}

// Mapped reports whether any byte of memory lies in a mapping that Map noted.
func Mapped(memory []byte) bool {
	if len(memory) == 0 {
		return false
	}
	s := spanOf(memory)
	mappings.RLock()
	defer mappings.RUnlock()
	at, inside := find(s.from)
	return inside || at < len(mappings.spans) && mappings.spans[at].from < s.to
}

// find returns the place among the spans, which do not overlap, of the first one that begins behind an address, and
// whether the one before it holds the address.
func find(address uintptr) (at int, inside bool) {
	at, _ = slices.BinarySearchFunc(mappings.spans, address, func(s span, address uintptr) int {
		if s.from > address {
			return 1
		}
		return -1
	})
	return at, at > 0 && address < mappings.spans[at-1].to
}

// spanOf returns the addresses of memory. They are compared and never turned back into pointers, and the runtime moves
// neither its heap nor mapped files; where it moves a stack, the addresses are those of a stack before and after.
func spanOf(memory []byte) span {
	from := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	return span{from, from + uintptr(len(memory))}
}
