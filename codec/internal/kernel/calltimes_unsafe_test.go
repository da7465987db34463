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
	for i, op := range f.ops {
		if lanes, ok := op.(*lanesOfTile); ok {
			f.ops[i] = &clockedLanes{lanes, note}
		}
	}
}

// clockedLanes clocks operators on lanes, whose loop is another package's: what a run takes is divided by its calls.
type clockedLanes struct {
	*lanesOfTile
	note func(name string, took time.Duration)
}

func (c *clockedLanes) run(f *Frame) {
	began := time.Now()
	c.lanesOfTile.run(f)
	took := time.Since(began)
	vector := reflect.ValueOf(c.frame).Elem().FieldByName("vector")
	if !vector.IsValid() || vector.IsNil() {
		return
	}
	if double := vector.Elem().FieldByName("double"); !double.IsNil() {
		vector = double
	}
	lanes := vector.Elem().FieldByName("stream").Elem().FieldByName("tile").Int() * vector.Elem().FieldByName("tilesInCall").Int()
	calls := (int64(f.n*c.pitch()) + lanes - 1) / lanes
	c.note("lanes ["+c.Operations()+"]", took/time.Duration(calls))
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
