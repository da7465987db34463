// SPDX-License-Identifier: Apache-2.0

package catalog

//go:generate go test . -run ^(TestFilesAreCanonical|TestFormatsDoc)$ -update
