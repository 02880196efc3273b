/* SPDX-License-Identifier: MIT
 * top_words.c - the ten most frequent words of standard input, with bounds.
 *
 *     ./top_words < README.md */
#include <ballpark/top_k.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[256];
    bp_top_k *top;
    bp_top_k_cursor cursor;
    bp_top_k_item item;
    if (bp_top_k_new(&top, &(bp_top_k_config){.k = 10}, NULL))
        return 2;
    while (scanf("%255s", word) == 1)
        if (bp_top_k_add(top, word, strlen(word), 1))
            return 2;
    bp_top_k_top(top, 0, 0.95, &cursor, NULL);
    while (bp_top_k_next(top, &cursor, &item))
        printf("%8llu [%llu, %llu] %.*s\n", (unsigned long long)item.count,
               (unsigned long long)item.lower, (unsigned long long)item.upper,
               (int)item.key.len, (const char *)item.key.ptr);
    bp_top_k_free(top);
    return 0;
}
