// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"reflect"
	"runtime"
	"strings"
	"time"
	"unsafe"
)

// TimeCalls puts a clock around every loop of a frame that is called through its arguments, which
// assembly is. note gets the loop's name and how long a call took.
func (f *Frame) TimeCalls(note func(name string, took time.Duration)) {
	c := clocks{note: note, seen: map[unsafe.Pointer]bool{}}
	c.wrap(reflect.ValueOf(f).Elem().FieldByName("ops"))
}

type clocks struct {
	note func(name string, took time.Duration)
	seen map[unsafe.Pointer]bool
}

func (c *clocks) wrap(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		c.wrap(v.Elem())
	case reflect.Pointer:
		if v.IsNil() || c.seen[v.UnsafePointer()] {
			return
		}
		c.seen[v.UnsafePointer()] = true
		c.wrap(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			c.wrap(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			c.wrap(v.Field(i))
		}
	case reflect.Func:
		t := v.Type()
		if v.IsNil() || !v.CanAddr() || t.NumIn() != 1 || t.NumOut() != 0 || !strings.HasSuffix(t.In(0).String(), "Args") {
			return
		}
		// The field is unexported: reflection sets it through its address, which stays valid as the
		// frame is reachable.
		field := reflect.NewAt(t, unsafe.Pointer(v.UnsafeAddr())).Elem()
		loop := reflect.ValueOf(field.Interface())
		name := runtime.FuncForPC(loop.Pointer()).Name()
		name = name[strings.LastIndex(name, ".")+1:]
		field.Set(reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
			began := time.Now()
			loop.Call(in)
			c.note(name, time.Since(began))
			return nil
		}))
	}
}
