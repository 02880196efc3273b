/* SPDX-License-Identifier: MIT
 * mathx.h - the few functions libm lacks. Results of these and of libm may differ in
 * the last bit between machines: they never reach encoded bytes. */
#ifndef BP_MATHX_H
#define BP_MATHX_H

#include "core/core.h"

/* z with P(|N(0,1)| <= z) = confidence, for 0 < confidence < 1: 1.96 for 0.95.
 * Relative error below 1e-9. */
BP_INTERNAL double bp_normal_two_sided(double confidence);

/* BP_OK, or BP_PARAM for a confidence that is not strictly inside (0, 1). */
BP_INTERNAL bp_status bp_check_confidence(double confidence, bp_detail *why);

#endif
