/* SPDX-License-Identifier: MIT
 * version.h - the number in VERSION, for C; a test holds the two together. */
#ifndef BP_VERSION_H
#define BP_VERSION_H
#define BP_VERSION_TEXT "0.1.0"
#endif
