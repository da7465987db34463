// SPDX-License-Identifier: Apache-2.0

package plan

// obligation is a condition that makes a rewrite exact. Tests take one away at a
// time, to see that some decoder then comes out wrong: an obligation that no test
// needs would be one that nobody has understood.
type obligation string

// The obligations, by what goes wrong without them.
const (
	obDisjoint     obligation = "sums of bits have no carry"
	obSignBit      obligation = "a cast does not read a sign from a bit"
	obPushedOut    obligation = "a signed product loses no bit"
	obMinusZeroMul obligation = "a float product is not -0"
	obWrap         obligation = "an integer result that leaves its type may be anything"
	obExactFloat   obligation = "float sums and products are exact only up to a limit"
	obRounding     obligation = "float arithmetic on codes does not round"
	obReassociate  obligation = "products are regrouped only where nothing rounds"
	obCodeRange    obligation = "a code has 8 bits"
	obUniform      obligation = "one table serves all lanes only if they agree"
	obSharedBits   obligation = "the lanes of a row share their index"
	obBatchAxis    obligation = "an axis that counts blocks is not touched"
	obConstants    obligation = "a constant is the same for every block"
	obCarried      obligation = "a float stands only for integers that it holds"
	obPlusZero     obligation = "a float sum begins with +0"
	obDouble       obligation = "a FLOAT stands for a DOUBLE only if it holds it"
	obEntries      obligation = "a code tells all entries of a table apart"
	obHalf         obligation = "a half type is left out only where it does not round"
	obOneLane      obligation = "an index finds one lane of a run at most"
	obSameInRun    obligation = "lanes that may be replaced share the value"
	obOuterLast    obligation = "of several conditions the outermost decides"
	obTried        obligation = "a factor stands for a divisor of few integers only where all were tried"
	obRemainder    obligation = "a remainder of a sum is a sum of remainders only if that is less than the divisor"
	obGroups       obligation = "a table for a group holds what its lanes share"
)

// obligations lists them all.
var obligations = [...]obligation{
	obDisjoint, obSignBit, obPushedOut, obMinusZeroMul, obWrap, obExactFloat, obRounding,
	obReassociate, obCodeRange, obUniform, obSharedBits, obBatchAxis, obConstants,
	obCarried, obPlusZero, obEntries, obDouble, obHalf, obGroups, obOneLane, obSameInRun, obOuterLast,
	obTried, obRemainder,
}

// The obligations of strips.
const (
	obFits      obligation = "a component's value fits its width"
	obStripWrap obligation = "a word keeps the bits of its type alone"
	obHolds     obligation = "a word holds an integer of 64 bits"
	obUnsigned  obligation = "large unsigned words are not compared as signed ones"
	obQuotient  obligation = "one quotient in FLOAT serves small integers alone"
	obProduct   obligation = "a product is a quotient of small integers alone"
	obDividend  obligation = "a number that is divided by a sum of two products is not too small"
	obSearch    obligation = "a search compares integers that FLOAT tells apart"
)

// stripObligations lists them.
var stripObligations = [...]obligation{obFits, obStripWrap, obHolds, obUnsigned, obQuotient, obProduct, obDividend, obSearch}

// demands reports whether an obligation holds; only tests say otherwise.
func (g *graph) demands(o obligation) bool { return g.without != o }
