// SPDX-License-Identifier: Apache-2.0

// Reads and writes a payload through the generated headers.
#include <stdio.h>

#include "c/ggml_q4_0.h"
#include "c/ggml_q8_0.h"
#include "c/test_odd.h"

static int failures;

#define CHECK(x) \
  do { \
    if (!(x)) { \
      fprintf(stderr, "check.c:%d: %s\n", __LINE__, #x); \
      failures++; \
    } \
  } while (0)

int main(void) {
  ggml_q4_0 q4 = {{0x00, 0x38, 0x21, 0x43}};
  CHECK(ggml_q4_0_d(&q4) == 0x3800);
  CHECK(ggml_q4_0_qs_lo(&q4, 1) == 3 && ggml_q4_0_qs_hi(&q4, 1) == 4);
  ggml_q4_0_qs_hi_set(&q4, 15, 0xF9);
  CHECK(q4.bytes[17] == 0x90 && q4.bytes[16] == 0);

  const uint8_t bytes[34] = {0x01, 0x3C, 0xFF, 0x7F};
  ggml_q8_0 q8;
  memcpy(&q8, bytes, sizeof q8);
  CHECK(q8.d == 0x3C01 && q8.qs[0] == -1 && q8.qs[1] == 127);

  test_odd odd;
  memset(&odd, 0xFF, sizeof odd);
  test_odd_nibbles_set(&odd, 2, 1, -3);
  CHECK(test_odd_nibbles(&odd, 2, 1) == -3);
  CHECK(test_odd_nibbles(&odd, 2, 0) == -1 && test_odd_nibbles(&odd, 2, 2) == -1);
  test_odd_parts_w_im_set(&odd, 1, 0, -2.5);
  CHECK(test_odd_parts_w_im(&odd, 1, 0) == -2.5);
  const uint8_t wide[9] = {1, 2, 3, 4, 5, 6, 7, 8, 2};
  uint8_t back[9] = {0};
  test_odd_wide_x_set(&odd, 1, wide);
  test_odd_wide_x(&odd, 1, back);
  CHECK(memcmp(wide, back, sizeof wide) == 0);
  CHECK(test_odd_wide_bit(&odd, 1) == 1 && test_odd_pair(&odd, 0) == -1);
  return failures > 0;
}
