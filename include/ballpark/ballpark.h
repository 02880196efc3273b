/* SPDX-License-Identifier: MIT
 * ballpark/ballpark.h - the whole library in one include.
 */
#ifndef BALLPARK_BALLPARK_H
#define BALLPARK_BALLPARK_H

#include <ballpark/any.h>
#include <ballpark/binary_fuse.h>
#include <ballpark/blocked_bloom.h>
#include <ballpark/bloom.h>
#include <ballpark/core.h>
#include <ballpark/count_min.h>
#include <ballpark/counting_bloom.h>
#include <ballpark/cuckoo.h>
#include <ballpark/hash.h>
#include <ballpark/hll.h>
#include <ballpark/interop.h>
#include <ballpark/ribbon.h>
#include <ballpark/scalable_bloom.h>
#include <ballpark/top_k.h>

#endif
