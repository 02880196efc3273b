/* SPDX-License-Identifier: MIT
 * cut.h - finding fields in many records at once. */
#ifndef CLI_CUT_H
#define CLI_CUT_H

#include <ballpark/core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As many bytes behind a record may be read, whatever they are. */
enum { CLI_CUT_SLACK = 64 };

/* What separates fields, and which are wanted. */
typedef struct cli_cutter {
    bool blanks; /* runs of blanks, those in front skipped; else every `byte` */
    char byte;
    size_t n;
    const uint64_t *wanted; /* n numbers from 1, ascending, each once */
} cli_cutter;

/* Writes the k-th wanted field of records[i] to spans[k * stride + i]. ptr is NULL for
 * the first that it lacks; those after it mean nothing. Returns how many records lack
 * one. */
size_t cli_cut_records(const cli_cutter *c, const bp_bytes *records, size_t n,
                       bp_bytes *spans, size_t stride);

/* The same, one byte at a time; and by name what cli_cut_records uses here. */
size_t cli_cut_records_portable(const cli_cutter *c, const bp_bytes *records, size_t n,
                                bp_bytes *spans, size_t stride);
const char *cli_cut_name(void);

#endif
