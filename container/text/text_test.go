// SPDX-License-Identifier: Apache-2.0

package text

import "testing"

func TestSniffRefusesForeignFiles(t *testing.T) {
	for name, head := range map[string]string{
		"empty":   "",
		"GGUF":    "GGUF\x03\x00\x00\x00",
		"PNG":     "\x89PNG\r\n\x1a\n",
		"NumPy":   "\x93NUMPY\x01\x00",
		"HTML":    "<!DOCTYPE html>\n<html>",
		"XML":     "<?xml version=\"1.0\"?>",
		"JSON":    "{\"a\": 1}",
		"Latin-1": "# caf\xe9\n<ir_version: 13>",
		"prose":   "structures are fun\n",
	} {
		if (Format{}).Sniff([]byte(head)) {
			t.Errorf("%s: sniffed as text form", name)
		}
	}
}

func TestSniffAcceptsTheTextForm(t *testing.T) {
	for _, head := range []string{
		"<ir_version: 13>",
		"# a comment\n\n<\n  ir_version: 13\n>\n",
		"struct a { float16 d }",
		"type a = array(float16, 3)",
		"# only a comment",
	} {
		if !(Format{}).Sniff([]byte(head)) {
			t.Errorf("%q: not sniffed as text form", head)
		}
	}
}
