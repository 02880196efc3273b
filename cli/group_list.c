/* SPDX-License-Identifier: MIT
 * group_list.c - groups read in order, from one list or from several at once.
 *
 * All lists are in the order of their names, so several are merged as they are read, as
 * merge sort does: whatever has the least name comes next, and is one group. Nothing is
 * kept but the sketch at hand. */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

void cli_group_close(cli_group_list *l)
{
    if (l)
        l->close(l);
}

int cli_group_number(cli_group_list *l, bp_bytes name, uint64_t *out)
{
    uint64_t low = 0, high = l->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        bp_bytes here;
        if (l->name(l, middle, &here))
            return CLI_ERROR;
        const int c = cli_compare(here, name);
        *out = middle;
        if (c == 0)
            return CLI_OK;
        if (c < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return CLI_NONE;
}

/* ------------------------------------------------------------------------- the reader */

typedef struct place {
    cli_group_list *list;
    uint64_t next; /* its next group, and that one's name when there is one */
    bp_bytes name;
    bool has; /* the group at hand, as number `at` */
    uint64_t at;
} place;

struct cli_group_reader {
    const char *command;
    bp_any *merged; /* the group at hand, when several lists have it */
    size_t n;
    place places[];
};

static int load_name(place *p)
{
    return p->next < p->list->count ? p->list->name(p->list, p->next, &p->name) : CLI_OK;
}

int cli_group_rewind(cli_group_reader *r)
{
    int code = CLI_OK;
    for (size_t i = 0; i < r->n && !code; i++) {
        r->places[i].next = 0;
        code = load_name(&r->places[i]);
    }
    return code;
}

static int unite(const cli_group_reader *r, bp_bytes name, bp_any *into,
                 const char *into_where, const cli_group_list *l, const bp_any *s)
{
    bp_detail why = {0};
    const bp_status st = bp_any_merge(into, s, &why);
    const cli_side a = {into_where, into}, b = {l->where, s};
    return st ? cli_mismatch(r->command, &name, a, b, st, &why) : CLI_OK;
}

static int check_kinds(const cli_group_reader *r)
{
    for (size_t i = 1; i < r->n; i++) {
        const cli_group_list *a = r->places[0].list, *b = r->places[i].list;
        if (a->kind == b->kind)
            continue;
        cli_error("%s: %s holds groups of kind %s, and %s of kind %s", r->command,
                  a->where, a->kind->name, b->where, b->kind->name);
        cli_hint("only sketches of one kind can be merged");
        return CLI_ERROR;
    }
    return CLI_OK;
}

/* Groups that only one of the lists has are not merged: their sketches must go together
 * all the same. Each list's first stands for all of it. */
static int check_parameters(cli_group_reader *r)
{
    const cli_group_list *one = NULL;
    bp_any *first = NULL, *other;
    int code = CLI_OK;
    for (size_t i = 0; i < r->n && !code; i++) {
        cli_group_list *l = r->places[i].list;
        if (l->count == 0)
            continue;
        code = l->sketch(l, 0, !one, one ? &other : &first);
        if (!code && one)
            code = unite(r, r->places[i].name, first, one->where, l, other);
        one = one ? one : l;
    }
    bp_any_free(first);
    return code;
}

cli_group_reader *cli_group_read(const char *command, cli_group_list *const *lists,
                                 size_t n)
{
    cli_group_reader *r = calloc(1, sizeof *r + n * sizeof *r->places);
    if (!r) {
        cli_error("%s: out of memory", command);
        return NULL;
    }
    r->command = command;
    r->n = n;
    for (size_t i = 0; i < n; i++)
        r->places[i].list = lists[i];
    if (check_kinds(r) || cli_group_rewind(r) || (n > 1 && check_parameters(r))) {
        cli_group_read_end(r);
        return NULL;
    }
    return r;
}

void cli_group_read_end(cli_group_reader *r)
{
    if (r)
        bp_any_free(r->merged);
    free(r);
}

/* The sketch of all places that have the group at hand. */
static int get_sketch(cli_group_reader *r, size_t having, cli_group *out)
{
    const place *first = NULL;
    bp_any *s;
    int code = CLI_OK;
    bp_any_free(r->merged);
    r->merged = NULL;
    for (size_t i = 0; i < r->n && !code; i++) {
        place *p = &r->places[i];
        if (!p->has)
            continue;
        code = p->list->sketch(p->list, p->at, having > 1 && !first, &s);
        if (!code && first)
            code = unite(r, out->name, r->merged, first->list->where, p->list, s);
        else if (!code)
            out->sketch = s;
        if (!code && !first && having > 1)
            r->merged = s;
        first = first ? first : p;
    }
    return code;
}

int cli_group_next(cli_group_reader *r, cli_group *out)
{
    const place *least = NULL;
    size_t having = 0;
    for (size_t i = 0; i < r->n; i++) {
        const place *p = &r->places[i];
        if (p->next < p->list->count && (!least || cli_compare(p->name, least->name) < 0))
            least = p;
    }
    if (!least)
        return CLI_NONE;
    out->name = least->name;
    for (size_t i = 0; i < r->n; i++) {
        place *p = &r->places[i];
        p->has = p->next < p->list->count && cli_compare(p->name, out->name) == 0;
        p->at = p->next;
        having += p->has;
    }
    int code = get_sketch(r, having, out);
    for (size_t i = 0; i < r->n && !code; i++)
        if (r->places[i].has) {
            r->places[i].next++;
            code = load_name(&r->places[i]);
        }
    return code;
}

int cli_group_find(cli_group_reader *r, bp_bytes name, cli_group *out)
{
    size_t having = 0;
    for (size_t i = 0; i < r->n; i++) {
        place *p = &r->places[i];
        const int code = cli_group_number(p->list, name, &p->at);
        if (code == CLI_ERROR)
            return code;
        p->has = code == CLI_OK;
        having += p->has;
        if (p->has && p->list->name(p->list, p->at, &out->name))
            return CLI_ERROR;
    }
    return having ? get_sketch(r, having, out) : CLI_NONE;
}

/* ------------------------------------------------------------------------ the answers */

static int show_one(const cli_count *c, cli_table *t, const cli_group *g)
{
    cli_table_group(t, g->name);
    if (c->settle)
        c->settle(g->sketch);
    return c->rows(c, t, g->sketch);
}

static int show_all(const cli_count *c, cli_table *t, cli_group_reader *r)
{
    cli_group g = {{NULL, 0}, NULL};
    int code;
    while (!(code = cli_group_next(r, &g)) && !(code = show_one(c, t, &g)))
        ;
    return code == CLI_NONE ? CLI_OK : code;
}

typedef struct ranked {
    double value;
    bp_bytes name;
} ranked;

/* The largest first; equal ones in the order of their names. */
static int by_rank(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return cli_compare(x->name, y->name);
}

typedef struct ranking {
    ranked *best;
    size_t n, room;
} ranking;

/* Room for one more: what is surely not among the most is dropped before more is asked
 * for. */
static bool make_room(ranking *k, uint64_t most)
{
    if (k->n < k->room)
        return true;
    if (k->n / 2 >= most) {
        qsort(k->best, k->n, sizeof *k->best, by_rank);
        k->n = (size_t)most;
        return true;
    }
    const size_t room = k->room ? 2 * k->room : 64;
    ranked *grown = realloc(k->best, room * sizeof *grown);
    if (!grown)
        return false;
    k->best = grown;
    k->room = room;
    return true;
}

static int rank(const cli_count *c, cli_group_reader *r, uint64_t most, ranking *k)
{
    const char *command = c->o->command->name;
    bp_detail why = {0};
    cli_group g = {{NULL, 0}, NULL};
    int code;
    while (!(code = cli_group_next(r, &g))) {
        bp_estimate e;
        const bp_status st = bp_any_estimate(g.sketch, c->o->confidence, &e, &why);
        if (st)
            return cli_library_error(command, st, &why);
        if (!make_room(k, most))
            return cli_error("%s: out of memory", command);
        k->best[k->n++] = (ranked){e.value, g.name};
    }
    if (code == CLI_ERROR)
        return code;
    if (k->n > 0)
        qsort(k->best, k->n, sizeof *k->best, by_rank);
    k->n = k->n < most ? k->n : (size_t)most;
    return CLI_OK;
}

static int show_largest(const cli_count *c, cli_table *t, cli_group_reader *r,
                        uint64_t most)
{
    ranking k = {0};
    int code = rank(c, r, most, &k);
    for (size_t i = 0; i < k.n && !code; i++) {
        cli_group g = {{NULL, 0}, NULL};
        code = cli_group_find(r, k.best[i].name, &g);
        if (!code)
            code = show_one(c, t, &g);
    }
    free(k.best);
    return code;
}

int cli_group_show(const cli_count *c, cli_group_reader *r, uint64_t most)
{
    cli_table *t = cli_table_begin_groups(c->o, c->columns, c->n_columns);
    if (!t)
        return CLI_ERROR;
    int code = most ? show_largest(c, t, r, most) : show_all(c, t, r);
    const int ended = cli_table_end(t);
    return code ? code : ended;
}
