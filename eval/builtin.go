// SPDX-License-Identifier: Apache-2.0

package eval

import "sync"

// builtin returns the one operator table, put together from the families when it is first needed.
var builtin = sync.OnceValue(func() table {
	return newTable(
		constantFamily(),
		arithmeticFamily(),
		unaryFamily(),
		compareFamily(),
		bitwiseFamily(),
		castFamily(),
		controlFamily(),
		batchedScanFamily(),
		sequenceFamily(),
		optionalFamily(),
		quantizeFamily(),
		shapeFamily(),
		axesFamily(),
		sliceFamily(),
		gatherFamily(),
		scatterFamily(),
		padFamily(),
		transcendentalFamily(),
		activationFamily(),
		reduceFamily(),
		argFamily(),
		cumulativeFamily(),
		softmaxFamily(),
		matmulFamily(),
		quantizedMatmulFamily(),
		einsumFamily(),
		normFamily(),
		triangleFamily(),
		depthFamily(),
		oneHotFamily(),
		selectFamily(),
		orderFamily(),
	)
})

// newestOpset returns the newest known version of a domain's operator set.
func newestOpset(domain string) (version int64, known bool) {
	if domain == "" {
		return 28, true
	}
	return 0, false
}

// SinceVersion returns the version of the schema that an operator of ONNX resolves to under an import, also of operators that
// are not implemented here. Histories begin at the version that opset 13 uses. ok is false if the domain has no such operator
// at that version.
func SinceVersion(domain, op string, opset int64) (since int64, ok bool) {
	k := key{normal(domain), op}
	if e := builtin().find(k, opset); e != nil {
		return e.since, e.run != nil
	}
	if k.domain != "" {
		return 0, false
	}
	for _, v := range lackingVersions()[op] {
		if v <= opset {
			since, ok = v, true
		}
	}
	return since, ok
}
