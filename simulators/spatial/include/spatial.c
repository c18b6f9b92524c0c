/* A spatial accelerator: executes mappings element by element and counts what moves.
 *
 * Standard input has mappings, one after the other, as 64-bit integers (simulators/spatial/
 * execution.py writes them); each is answered by one line of JSON. DRAM, the L2 buffer and the L1
 * buffers of all processing elements hold values of their own: what was not moved is not there.
 *
 * Where the machine has a buffer L3 between DRAM and L2, tiles move from DRAM to L3 in blocks, and
 * from L3 to L2 element by element.
 *
 * Where somebody follows the run, the first argument is a file descriptor: the iterations that are
 * done so far, of this run and (the second argument) of earlier ones, are written to its start.
 *
 * Time is that of double buffers. While a step is computed, the network brings what the next one
 * needs, and takes what its outputs leave behind; one bus does both. While the steps of an L2 tile
 * run, all but the last one, DRAM (L3) brings the next tile; what leaves for it does so meanwhile.
 * So does DRAM for L3, while the tiles of L2 run that are inside of one of L3.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int64_t num;
enum { DIMS = 12, AXES = 8, TERMS = 4, TENSORS = 5, CUTS = 96 };

typedef struct { num lo, extent; } Piece;         /* of a dimension, of one unit */
typedef struct { num constant, terms, dim[TERMS], factor[TERMS], low, size; } Axis;
typedef struct { num dim, tile, units, outer; } Cut;

typedef struct {                                  /* what a buffer holds of a tensor */
  num lo[AXES], width[AXES];                      /* the box around it */
  unsigned char *has[AXES];                       /* which coordinates of each axis, in the box */
  uint32_t *values;
  num count, capacity, room[AXES];
} Box;

typedef struct {
  num axes, inner, coordinates, others;
  Axis axis[AXES];
  num size, rows, blocks;
  uint32_t *memory;
  unsigned char *written, *in_dram;
  num *stamp, *block_stamp, *leave_stamp;
  Box *l1, *l1_next, l2, l2_next, l3, l3_next;
  num stride[DIMS];                               /* units: dimension to coordinate */
  num brought, received, left, sent, dram_in, dram_out, dram_in_elements, dram_out_elements;
  num l2_in, l2_out;                              /* elements from and to L3 */
  num rereads;
} Tensor;

static num dims, extent[DIMS], accumulates[DIMS], tensors, cuts, combine, block, noc, dram, l3;
static Cut cut[CUTS];
static Tensor tensor[TENSORS];
static num units[DIMS], elements;
static Piece *piece[DIMS];
static num clock_, compute_sum, fill_noc, fill_l3, fill_dram, steps, tiles_, wrong, absent;
static num stall_noc, stall_l3, stall_dram, l1_most, l2_most, l3_most;
static num *busy, stamp_, tile_stamp;
static num step_compute, have_step, tile_low[DIMS], tile_extent[DIMS], have_tile;
static num deep_low[DIMS], deep_extent[DIMS];     /* of the tile in L3 */
static num window, window_last, deep_window, deep_window_last;

static int followed = -1;
static num done, told;
enum { EVERY = 1 << 18 };                         /* iterations between two answers */

static void tell(num macs) {
  done += macs;
  if (followed < 0 || (macs && done - told < EVERY)) return;
  told = done;
  if (pwrite(followed, &done, sizeof done, 0) != sizeof done) followed = -1;
}

static num at_most(num a, num b) { return a < b ? a : b; }
static num at_least(num a, num b) { return a > b ? a : b; }
static num up(num a, num b) { return a <= 0 ? 0 : (a + b - 1) / b; }

static void *room(num count, num size) {
  void *found = calloc(count > 0 ? (size_t)count : 1, (size_t)size);
  if (!found) { puts("{\"error\": \"not enough memory\"}"); exit(3); }
  return found;
}

static uint32_t identity(void) {
  return combine == 0 ? 0u : combine == 1 ? (uint32_t)INT32_MIN : (uint32_t)INT32_MAX;
}
static uint32_t combined(uint32_t a, uint32_t b) {
  if (combine == 0) return a + b;
  if (combine == 1) return (int32_t)a > (int32_t)b ? a : b;
  return (int32_t)a < (int32_t)b ? a : b;
}

/* -------------------------------------------------------------------------------- boxes */

static num coordinate(const Axis *axis, const Piece *const *at) {
  num value = axis->constant;
  for (num i = 0; i < axis->terms; i++) value += axis->factor[i] * at[axis->dim[i]]->lo;
  return value;
}

/* The box of a tensor for one piece of each dimension: its place, and the coordinates it needs. */
static void set_box(Box *box, const Tensor *t, const Piece *const *at) {
  num count = 1;
  for (num a = 0; a < t->axes; a++) {
    const Axis *axis = &t->axis[a];
    num low = coordinate(axis, at), high = low, empty = 0;
    for (num i = 0; i < axis->terms; i++) {
      num reach = axis->factor[i] * (at[axis->dim[i]]->extent - 1);
      if (at[axis->dim[i]]->extent <= 0) empty = 1;
      if (reach > 0) high += reach; else low += reach;
    }
    num width = empty ? 0 : high - low + 1, there = 0;
    if (width > box->room[a]) {
      free(box->has[a]);
      box->has[a] = room(width, 1);
      box->room[a] = width;
    }
    box->lo[a] = low;
    box->width[a] = width;
    memset(box->has[a], 0, (size_t)width);
    num index[TERMS] = {0};
    while (width) {
      num value = coordinate(axis, at);
      for (num i = 0; i < axis->terms; i++) value += axis->factor[i] * index[i];
      there += !box->has[a][value - low];
      box->has[a][value - low] = 1;
      num i = 0;
      while (i < axis->terms && ++index[i] == at[axis->dim[i]]->extent) index[i++] = 0;
      if (i == axis->terms) break;
    }
    count *= there;
  }
  box->count = count;
  num volume = 1;
  for (num a = 0; a < t->axes; a++) volume *= box->width[a];
  if (volume > box->capacity) {
    free(box->values);
    box->values = room(volume, sizeof *box->values);
    box->capacity = volume;
  }
}

static int same_box(const Box *a, const Box *b, num axes) {
  for (num i = 0; i < axes; i++)
    if (a->lo[i] != b->lo[i] || a->width[i] != b->width[i] ||
        memcmp(a->has[i], b->has[i], (size_t)a->width[i]))
      return 0;
  return 1;
}

static num place_in(const Box *box, const num *at, num axes) {
  num place = 0;
  for (num a = 0; a < axes; a++) {
    num i = at[a] - box->lo[a];
    if (i < 0 || i >= box->width[a] || !box->has[a][i]) return -1;
    place = place * box->width[a] + i;
  }
  return place;
}

static num element_of(const Tensor *t, const num *at) {
  num found = 0;
  for (num a = 0; a < t->axes; a++) found = found * t->axis[a].size + at[a] - t->axis[a].low;
  return found;
}

/* Blocks of DRAM: rows along the axis `inner` begin at block boundaries. */
static num block_of(const Tensor *t, const num *at) {
  num row = 0;
  for (num a = 0; a < t->axes; a++)
    if (a != t->inner) row = row * t->axis[a].size + at[a] - t->axis[a].low;
  return row * up(t->axis[t->inner].size, block) + (at[t->inner] - t->axis[t->inner].low) / block;
}

/* Goes through a box: the next needed coordinates, 0 at the end. */
static int begin(const Box *box, num axes, num *at) {
  for (num a = 0; a < axes; a++) {
    if (!box->width[a]) return 0;
    at[a] = box->lo[a];
  }
  return 1;
}
static int next(const Box *box, num axes, num *at) {
  num a = axes - 1;
  while (a >= 0) {
    num i = ++at[a] - box->lo[a];
    while (i < box->width[a] && !box->has[a][i]) { i++; at[a]++; }
    if (i < box->width[a]) return 1;
    at[a] = box->lo[a];
    a--;
  }
  return 0;
}

/* ----------------------------------------------------------------------- DRAM and L2 */

static void swap(Box *a, Box *b) { Box c = *a; *a = *b; *b = c; }

/* What comes from DRAM to the buffer next to it, which has `have` and is to have `new`. */
static num bring_tile(Tensor *t, const Box *have, Box *new, int is_output, int fresh) {
  num loads = 0, place[AXES];
  if (have_tile && same_box(have, new, t->axes)) return 0;
  tile_stamp++;
  for (int go = begin(new, t->axes, place); go; go = next(new, t->axes, place)) {
    num old = have_tile ? place_in(have, place, t->axes) : -1, e = element_of(t, place);
    uint32_t *to = &new->values[place_in(new, place, t->axes)];
    if (old >= 0) { *to = have->values[old]; continue; }
    if (is_output && fresh) {
      if (t->in_dram[e]) absent++;
      *to = identity();
      continue;
    }
    *to = t->memory[e];
    t->dram_in_elements++;
    num b = block_of(t, place);
    if (t->block_stamp[b] != tile_stamp) { t->block_stamp[b] = tile_stamp; loads += block; }
  }
  t->dram_in += loads;
  return loads;
}

/* What leaves that buffer for DRAM when the next tile (none: nothing) takes its place. */
static num put_back(Tensor *t, const Box *have, const Box *new, int last) {
  num stores = 0, place[AXES];
  tile_stamp++;
  if (!last && same_box(have, new, t->axes)) return 0;
  for (int go = begin(have, t->axes, place); go; go = next(have, t->axes, place)) {
    if (!last && place_in(new, place, t->axes) >= 0) continue;
    num e = element_of(t, place), b = block_of(t, place);
    t->memory[e] = have->values[place_in(have, place, t->axes)];
    t->in_dram[e] = 1;
    t->dram_out_elements++;
    if (t->block_stamp[b] != tile_stamp) { t->block_stamp[b] = tile_stamp; stores += block; }
  }
  t->dram_out += stores;
  return stores;
}

/* ------------------------------------------------------------------------- L3 and L2 */

static num bring_from_l3(Tensor *t, int is_output, int fresh) {
  num loads = 0, place[AXES];
  Box *new = &t->l2_next;
  if (have_tile && same_box(&t->l2, new, t->axes)) return 0;
  for (int go = begin(new, t->axes, place); go; go = next(new, t->axes, place)) {
    num old = have_tile ? place_in(&t->l2, place, t->axes) : -1;
    uint32_t *to = &new->values[place_in(new, place, t->axes)];
    if (old >= 0) { *to = t->l2.values[old]; continue; }
    if (is_output && fresh) { *to = identity(); continue; }
    num from = place_in(&t->l3, place, t->axes);
    if (from < 0) { absent++; continue; }
    *to = t->l3.values[from];
    loads++;
  }
  t->l2_in += loads;
  return loads;
}

static num put_into_l3(Tensor *t, int last) {
  num stores = 0, place[AXES];
  if (!last && same_box(&t->l2, &t->l2_next, t->axes)) return 0;
  for (int go = begin(&t->l2, t->axes, place); go; go = next(&t->l2, t->axes, place)) {
    if (!last && place_in(&t->l2_next, place, t->axes) >= 0) continue;
    num to = place_in(&t->l3, place, t->axes);
    if (to < 0) { absent++; continue; }
    t->l3.values[to] = t->l2.values[place_in(&t->l2, place, t->axes)];
    stores++;
  }
  t->l2_out += stores;
  return stores;
}

/* ------------------------------------------------------------------------ L2 and L1 */

static void unit_pieces(const Tensor *t, num unit, const Piece **at) {
  for (num d = 0; d < dims; d++)
    at[d] = &piece[d][t->stride[d] ? unit / t->stride[d] % units[d] : 0];
}

static num bring_step(Tensor *t) {
  num sent = 0, place[AXES];
  const Piece *at[DIMS];
  stamp_++;
  for (num unit = 0; unit < t->coordinates; unit++) {
    Box *new = &t->l1_next[unit], *old = &t->l1[unit];
    unit_pieces(t, unit, at);
    set_box(new, t, at);
    if (have_step && same_box(old, new, t->axes)) continue;
    for (int go = new->count > 0 && begin(new, t->axes, place); go; go = next(new, t->axes, place)) {
      uint32_t *to = &new->values[place_in(new, place, t->axes)];
      num kept = have_step ? place_in(old, place, t->axes) : -1;
      if (kept >= 0) { *to = old->values[kept]; continue; }
      num from = place_in(&t->l2, place, t->axes), e = element_of(t, place);
      if (from < 0) { absent++; continue; }
      *to = t->l2.values[from];
      t->received += t->others;
      if (t->stamp[e] != stamp_) { t->stamp[e] = stamp_; sent++; }
    }
    swap(old, new);
  }
  t->brought += sent;
  return sent;
}

/* Outputs that leave processing elements are added to what L2 has; others stay. */
static num leave_step(Tensor *t, int last) {
  num sent = 0, place[AXES];
  const Piece *at[DIMS];
  stamp_++;
  for (num unit = 0; unit < elements; unit++) {
    Box *new = &t->l1_next[unit], *old = &t->l1[unit];
    if (!last) {
      num rest = unit;
      for (num d = dims - 1; d >= 0; d--) {
        num u = rest % units[d];
        rest /= units[d];
        at[d] = &piece[d][u];
      }
      set_box(new, t, at);
      if (have_step && same_box(old, new, t->axes)) continue;
    }
    for (int go = have_step && old->count > 0 && begin(old, t->axes, place); go;
         go = next(old, t->axes, place)) {
      if (!last && place_in(new, place, t->axes) >= 0) continue;
      num to = place_in(&t->l2, place, t->axes), e = element_of(t, place);
      if (to < 0) { absent++; continue; }
      uint32_t *value = &t->l2.values[to];
      *value = combined(*value, old->values[place_in(old, place, t->axes)]);
      t->left++;
      if (t->leave_stamp[e] != stamp_) {
        t->leave_stamp[e] = stamp_;
        sent++;
        t->rereads += t->written[e];
        t->written[e] = 1;
      }
    }
    if (last) continue;
    for (int go = new->count > 0 && begin(new, t->axes, place); go; go = next(new, t->axes, place)) {
      num kept = have_step ? place_in(old, place, t->axes) : -1;
      new->values[place_in(new, place, t->axes)] = kept >= 0 ? old->values[kept] : identity();
    }
    swap(old, new);
  }
  t->sent += sent;
  return sent;
}

/* ---------------------------------------------------------------------------- compute */

typedef struct { uint32_t *at[TENSORS]; num step[TENSORS][DIMS]; num order[DIMS], count[DIMS], deep; } Loops;

static void multiply(const Loops *l, num depth, uint32_t *const *from) {
  uint32_t *at[TENSORS];
  memcpy(at, from, sizeof at);
  num count = depth < l->deep ? l->count[depth] : 1, d = depth < l->deep ? l->order[depth] : 0;
  num out = tensors - 1;
  if (depth + 1 < l->deep) {
    for (num i = 0; i < count; i++) {
      multiply(l, depth + 1, at);
      for (num t = 0; t < tensors; t++) at[t] += l->step[t][d];
    }
    return;
  }
  if (tensors == 3 && combine == 0) {
    uint32_t *a = at[0], *b = at[1], *c = at[2];
    num p = l->step[0][d], q = l->step[1][d], r = l->step[2][d];
    for (num i = 0; i < count; i++) c[i * r] += a[i * p] * b[i * q];
    return;
  }
  for (num i = 0; i < count; i++) {
    uint32_t value = 1;
    for (num t = 0; t < out; t++) { value *= *at[t]; at[t] += l->step[t][d]; }
    *at[out] = combined(*at[out], value);
    at[out] += l->step[out][d];
  }
}

static void arrange(Loops *l, const num *count) {
  l->deep = 0;
  for (num d = 0; d < dims; d++) {
    if (count[d] == 1) continue;
    num i = l->deep++;
    while (i > 0 && l->count[i - 1] > count[d]) {
      l->order[i] = l->order[i - 1];
      l->count[i] = l->count[i - 1];
      i--;
    }
    l->order[i] = d;
    l->count[i] = count[d];
  }
}

static void point_at(Loops *l, num t, const Box *box, const Piece *const *at) {
  const Tensor *x = &tensor[t];
  num place = 0, stride = 1;
  memset(l->step[t], 0, sizeof l->step[t]);
  for (num a = x->axes - 1; a >= 0; a--) {
    place += (coordinate(&x->axis[a], at) - box->lo[a]) * stride;
    for (num i = 0; i < x->axis[a].terms; i++)
      l->step[t][x->axis[a].dim[i]] += x->axis[a].factor[i] * stride;
    stride *= box->width[a];
  }
  l->at[t] = box->values + place;
}

static num compute(void) {
  num most = 0;
  for (num unit = 0; unit < elements; unit++) {
    const Piece *at[DIMS];
    num count[DIMS], macs = 1, rest = unit, own[TENSORS] = {0}, held = 0;
    for (num d = dims - 1; d >= 0; d--) {
      num u = rest % units[d];
      rest /= units[d];
      at[d] = &piece[d][u];
      count[d] = at[d]->extent;
      macs *= count[d];
      for (num t = 0; t < tensors; t++) own[t] += u * tensor[t].stride[d];
    }
    for (num t = 0; t < tensors; t++)
      held += tensor[t].l1[t == tensors - 1 ? unit : own[t]].count;
    l1_most = at_least(l1_most, held);
    if (!macs) continue;
    Loops l;
    for (num t = 0; t < tensors; t++)
      point_at(&l, t, &tensor[t].l1[t == tensors - 1 ? unit : own[t]], at);
    arrange(&l, count);
    multiply(&l, 0, l.at);
    busy[unit] += macs;
    tell(macs);
    most = at_least(most, macs);
  }
  return most;
}

/* ------------------------------------------------------------------------------- time */

static void end_phase(num moved, int crosses) {
  num bus = up(moved, noc), phase = at_least(step_compute, bus);
  stall_noc += phase - step_compute;
  if (crosses) window_last = phase; else window += phase;
}

static num tile_time(num all_but_last, num last, num in, num out, num rate) {
  num filled = at_least(all_but_last, up(in, rate)) + last;
  return at_least(filled, up(in + out, rate));
}

static void end_deep_tile(num in, num out) {
  num phase = tile_time(deep_window, deep_window_last, in, out, dram);
  stall_dram += phase - deep_window - deep_window_last;
  clock_ += phase;
  deep_window = deep_window_last = 0;
}

/* A tile of L2 ends; `crosses`: with it one of L3. */
static void end_tile(num in, num out, int crosses) {
  num phase = tile_time(window, window_last, in, out, l3 ? l3 : dram);
  *(l3 ? &stall_l3 : &stall_dram) += phase - window - window_last;
  *(!l3 ? &clock_ : crosses ? &deep_window_last : &deep_window) += phase;
  window = window_last = 0;
}

static int moves_on(const num *low, num *old) {
  int found = !have_tile;
  for (num d = 0; d < dims; d++) found |= old[d] != low[d];
  memcpy(old, low, DIMS * sizeof *old);
  return found;
}

static int begins_anew(const num *low) {
  for (num d = 0; d < dims; d++)
    if (accumulates[d] && low[d]) return 0;
  return 1;
}

static void set_boxes(const num *low, const num *extents, int deep) {
  const Piece *at[DIMS];
  Piece tile[DIMS];
  for (num d = 0; d < dims; d++) {
    tile[d] = (Piece){low[d], extents[d]};
    at[d] = &tile[d];
  }
  for (num t = 0; t < tensors; t++)
    set_box(deep ? &tensor[t].l3_next : &tensor[t].l2_next, &tensor[t], at);
}

/* The next tile takes the place of the one that a buffer has; what it holds then. */
static num take_place(int deep) {
  num held = 0;
  for (num t = 0; t < tensors; t++) {
    Box *have = deep ? &tensor[t].l3 : &tensor[t].l2;
    Box *new = deep ? &tensor[t].l3_next : &tensor[t].l2_next;
    if (!have_tile || !same_box(have, new, tensor[t].axes)) swap(have, new);
    held += have->count;
  }
  return held;
}

static void bring_deep_tile(num *in, num *out) {
  Tensor *o = &tensor[tensors - 1];
  set_boxes(deep_low, deep_extent, 1);
  for (num t = 0; t < tensors; t++)
    *in += bring_tile(&tensor[t], &tensor[t].l3, &tensor[t].l3_next, t == tensors - 1,
                      begins_anew(deep_low));
  if (have_tile) *out = put_back(o, &o->l3, &o->l3_next, 0);
  l3_most = at_least(l3_most, take_place(1));
}

static void step(void) {
  static num old_low[DIMS], old_deep_low[DIMS];
  Tensor *o = &tensor[tensors - 1];
  num in = 0, out = 0, deep_in = 0, deep_out = 0, moved = 0;
  int crosses = moves_on(tile_low, old_low), deep_crosses = moves_on(deep_low, old_deep_low);
  int fresh = begins_anew(tile_low);
  if (have_step) moved += leave_step(o, 0);     /* to the tile that they belong to */
  if (crosses) {
    set_boxes(tile_low, tile_extent, 0);
    if (l3) {
      if (have_tile) out = put_into_l3(o, 0);
      if (deep_crosses) bring_deep_tile(&deep_in, &deep_out);
      for (num t = 0; t < tensors; t++) in += bring_from_l3(&tensor[t], t == tensors - 1, fresh);
    } else {
      for (num t = 0; t < tensors; t++)
        in += bring_tile(&tensor[t], &tensor[t].l2, &tensor[t].l2_next, t == tensors - 1, fresh);
      if (have_tile) out = put_back(o, &o->l2, &o->l2_next, 0);
    }
    l2_most = at_least(l2_most, take_place(0));
    tiles_++;
  }
  if (!have_step) leave_step(o, 0);
  for (num t = 0; t < tensors - 1; t++) moved += bring_step(&tensor[t]);
  if (have_step) {
    end_phase(moved, crosses);
    if (crosses) end_tile(in, out, deep_crosses);
    if (l3 && deep_crosses) end_deep_tile(deep_in, deep_out);
  } else {
    fill_dram = up(l3 ? deep_in : in, dram);
    fill_l3 = l3 ? up(in, l3) : 0;
    fill_noc = up(moved, noc);
    clock_ += fill_dram + fill_l3 + fill_noc;
  }
  have_tile = have_step = 1;
  step_compute = compute();
  compute_sum += step_compute;
  steps++;
}

/* Cuts dimension after dimension into tiles, in the order of the mapping. */
static void walk(num q) {
  if (q == cuts) { step(); return; }
  Cut c = cut[q];
  num d = c.dim, width = c.tile * c.units, before = units[d];
  num most = 0;
  for (num u = 0; u < before; u++) most = at_least(most, piece[d][u].extent);
  Piece *whole = piece[d];
  num low = tile_low[d], high = tile_extent[d], first = deep_low[d], all = deep_extent[d];
  piece[d] = room(before * c.units, sizeof(Piece));
  units[d] = before * c.units;
  for (num at = 0; at < most; at += width) {
    for (num u = 0; u < before; u++)
      for (num v = 0; v < c.units; v++) {
        num skip = at + v * c.tile, left = whole[u].extent - skip;
        piece[d][u * c.units + v] = (Piece){whole[u].lo + skip, at_least(0, at_most(c.tile, left))};
      }
    if (c.outer) {
      tile_low[d] = whole[0].lo + at;
      tile_extent[d] = at_most(width, whole[0].extent - at);
    }
    if (c.outer == 2) {
      deep_low[d] = tile_low[d];
      deep_extent[d] = tile_extent[d];
    }
    walk(q + 1);
  }
  free(piece[d]);
  piece[d] = whole;
  units[d] = before;
  tile_low[d] = low;
  tile_extent[d] = high;
  deep_low[d] = first;
  deep_extent[d] = all;
}

/* ------------------------------------------------------------------------ in and out */

static int get(num *to) { return fread(to, sizeof *to, 1, stdin) == 1; }
static num need(void) {
  num value;
  if (!get(&value)) { puts("{\"error\": \"the input ends\"}"); exit(3); }
  return value;
}

static void free_box(Box *box) {
  for (num a = 0; a < AXES; a++) free(box->has[a]);
  free(box->values);
}

static void read_tensor(Tensor *t) {
  memset(t, 0, sizeof *t);
  t->axes = need();
  t->inner = need();
  t->size = t->rows = 1;
  for (num a = 0; a < t->axes; a++) {
    Axis *axis = &t->axis[a];
    axis->constant = need();
    axis->terms = need();
    num low = axis->constant, high = low;
    for (num i = 0; i < axis->terms; i++) {
      axis->dim[i] = need();
      axis->factor[i] = need();
      num reach = axis->factor[i] * (extent[axis->dim[i]] - 1);
      if (reach > 0) high += reach; else low += reach;
    }
    axis->low = low;
    axis->size = high - low + 1;
    t->size *= axis->size;
    if (a != t->inner) t->rows *= axis->size;
  }
}

static void make_tensor(num index, num *seed) {
  Tensor *t = &tensor[index];
  int is_output = index == tensors - 1;
  t->memory = room(t->size, sizeof *t->memory);
  t->blocks = t->rows * up(t->axis[t->inner].size, block);
  t->block_stamp = room(t->blocks, sizeof(num));
  if (is_output) {
    t->leave_stamp = room(t->size, sizeof(num));
    t->written = room(t->size, 1);
    t->in_dram = room(t->size, 1);
  } else {
    t->stamp = room(t->size, sizeof(num));
  }
  for (num i = 0; i < t->size; i++) {
    *seed = *seed * 6364136223846793005ll + 1442695040888963407ll;
    t->memory[i] = is_output ? identity() : (uint32_t)((int32_t)((uint64_t)*seed >> 60) - 8);
  }
  t->coordinates = t->others = 1;
  for (num d = 0; d < dims; d++) {
    int has = 0;
    for (num a = 0; a < t->axes; a++)
      for (num i = 0; i < t->axis[a].terms; i++) has |= t->axis[a].dim[i] == d;
    num all = 1;
    for (num q = 0; q < cuts; q++)
      if (cut[q].dim == d) all *= cut[q].units;
    if (has) {
      t->stride[d] = t->coordinates;
      t->coordinates *= all;
    } else {
      t->others *= all;
    }
  }
  num boxes = is_output ? elements : t->coordinates;
  t->l1 = room(boxes, sizeof(Box));
  t->l1_next = room(boxes, sizeof(Box));
}

static void free_tensor(Tensor *t, num boxes) {
  for (num i = 0; i < boxes; i++) { free_box(&t->l1[i]); free_box(&t->l1_next[i]); }
  free_box(&t->l2);
  free_box(&t->l2_next);
  free_box(&t->l3);
  free_box(&t->l3_next);
  free(t->l1); free(t->l1_next); free(t->memory); free(t->stamp); free(t->leave_stamp);
  free(t->block_stamp); free(t->written); free(t->in_dram);
}

/* The plain loop nest on copies of the operands; how many elements differ. */
static num compare(const uint32_t *plain) {
  Tensor *o = &tensor[tensors - 1];
  num different = 0;
  for (num i = 0; i < o->size; i++) different += plain[i] != o->memory[i];
  return different;
}

static uint32_t *plain_nest(void) {
  Tensor *o = &tensor[tensors - 1];
  uint32_t *found = room(o->size, sizeof *found);
  Piece all[DIMS];
  const Piece *at[DIMS];
  Loops l;
  for (num i = 0; i < o->size; i++) found[i] = identity();
  for (num d = 0; d < dims; d++) { all[d] = (Piece){0, extent[d]}; at[d] = &all[d]; }
  for (num t = 0; t < tensors; t++) {
    Box box = {.values = t == tensors - 1 ? found : tensor[t].memory};
    for (num a = 0; a < tensor[t].axes; a++) {
      box.lo[a] = tensor[t].axis[a].low;
      box.width[a] = tensor[t].axis[a].size;
    }
    point_at(&l, t, &box, at);
  }
  arrange(&l, extent);
  multiply(&l, 0, l.at);
  return found;
}

static void report(void) {
  printf("{\"cycles\": %lld, \"steps\": %lld, \"tiles\": %lld, \"compute\": %lld, "
         "\"fill_noc\": %lld, \"fill_dram\": %lld, \"stall_noc\": %lld, \"stall_dram\": %lld, "
         "\"fill_l3\": %lld, \"stall_l3\": %lld, \"l3\": %lld, "
         "\"l1\": %lld, \"l2\": %lld, \"wrong\": %lld, \"absent\": %lld, \"tensors\": [",
         (long long)clock_, (long long)steps, (long long)tiles_, (long long)compute_sum,
         (long long)fill_noc, (long long)fill_dram, (long long)stall_noc, (long long)stall_dram,
         (long long)fill_l3, (long long)stall_l3, (long long)l3_most,
         (long long)l1_most, (long long)l2_most, (long long)wrong, (long long)absent);
  for (num i = 0; i < tensors; i++) {
    Tensor *t = &tensor[i];
    printf("%s{\"noc_in\": %lld, \"noc_out\": %lld, \"l1_in\": %lld, \"l1_out\": %lld, "
           "\"dram_in\": %lld, \"dram_out\": %lld, \"l2_in\": %lld, \"l2_out\": %lld, "
           "\"l3_in\": %lld, \"l3_out\": %lld, \"rereads\": %lld}", i ? ", " : "",
           (long long)t->brought, (long long)t->sent, (long long)t->received, (long long)t->left,
           (long long)t->dram_in, (long long)t->dram_out,
           (long long)(l3 ? t->l2_in : t->dram_in_elements),
           (long long)(l3 ? t->l2_out : t->dram_out_elements),
           (long long)(l3 ? t->dram_in_elements : 0), (long long)(l3 ? t->dram_out_elements : 0),
           (long long)t->rereads);
  }
  printf("], \"busy\": [");
  for (num i = 0; i < elements; i++) printf("%s%lld", i ? ", " : "", (long long)busy[i]);
  puts("]}");
  fflush(stdout);
}

static void run(void) {
  num seed;
  dims = need();
  for (num d = 0; d < dims; d++) { extent[d] = need(); accumulates[d] = need(); }
  tensors = need();
  for (num t = 0; t < tensors; t++) read_tensor(&tensor[t]);
  cuts = need();
  for (num q = 0; q < cuts; q++)
    cut[q] = (Cut){.dim = need(), .tile = need(), .units = need(), .outer = need()};
  combine = need(); noc = need(); dram = need(); block = need(); l3 = need(); seed = need();
  elements = 1;
  for (num q = 0; q < cuts; q++) elements *= cut[q].units;
  clock_ = compute_sum = fill_noc = fill_dram = steps = tiles_ = wrong = absent = 0;
  stall_noc = stall_l3 = stall_dram = l1_most = l2_most = l3_most = stamp_ = tile_stamp = 0;
  have_step = have_tile = window = window_last = deep_window = deep_window_last = fill_l3 = 0;
  busy = room(elements, sizeof *busy);
  for (num t = 0; t < tensors; t++) make_tensor(t, &seed);
  uint32_t *plain = plain_nest();
  for (num d = 0; d < dims; d++) {
    units[d] = 1;
    piece[d] = room(1, sizeof(Piece));
    piece[d][0] = (Piece){0, extent[d]};
    tile_low[d] = deep_low[d] = 0;
    tile_extent[d] = deep_extent[d] = extent[d];
  }
  walk(0);
  tell(0);
  Tensor *o = &tensor[tensors - 1];
  end_phase(leave_step(o, 1), 1);
  if (l3) {
    end_tile(0, put_into_l3(o, 1), 1);
    end_deep_tile(0, put_back(o, &o->l3, &o->l3_next, 1));
  } else {
    end_tile(0, put_back(o, &o->l2, &o->l2_next, 1), 1);
  }
  wrong = compare(plain);
  report();
  free(plain);
  free(busy);
  for (num d = 0; d < dims; d++) free(piece[d]);
  for (num t = 0; t < tensors; t++)
    free_tensor(&tensor[t], t == tensors - 1 ? elements : tensor[t].coordinates);
}

int main(int count, char **given) {
  num mark;
  if (count == 3) {
    followed = atoi(given[1]);
    done = told = atoll(given[2]);
  }
  while (get(&mark)) run();
  return 0;
}
