/* Stacks of methods, each kept once, with what was measured in them. */
#include "hprof.h"

/* Stacks of a process; later ones are not kept. They take about 300 MB. */
#define MOST_NODES (4u << 20)

static _Atomic size_t nodes;
static _Atomic uint64_t lost;

call_tree *new_tree(void) { return calloc(1, sizeof(call_tree)); }

uint64_t lost_calls(void) { return atomic_load(&lost); }

static call_node **slot_of(call_node **slots, size_t mask, const call_node *callers, uint32_t method) {
  uint64_t hash = ((uint64_t)(uintptr_t)callers ^ (uint64_t)method << 40) * 0x9e3779b97f4a7c15u;
  size_t at = (size_t)(hash >> 20) & mask;
  while (slots[at] != NULL && (slots[at]->callers != callers || slots[at]->method != method)) at = (at + 1) & mask;
  return &slots[at];
}

static bool grow(call_tree *of) {
  size_t room = of->slots == NULL ? 256 : (of->mask + 1) * 2;
  call_node **slots = calloc(room, sizeof *slots);
  if (slots == NULL) return false;
  for (size_t i = 0; of->slots != NULL && i <= of->mask; i++)
    if (of->slots[i] != NULL) *slot_of(slots, room - 1, of->slots[i]->callers, of->slots[i]->method) = of->slots[i];
  free(of->slots);
  of->slots = slots;
  of->mask = room - 1;
  return true;
}

/* The node below another one; NULL if memory ran out. Its shorter stacks are made, too. */
static call_node *below(call_tree *in, call_node *callers, uint32_t method) {
  if ((in->slots == NULL || in->count * 2 > in->mask) && !grow(in)) return NULL;
  call_node *known = *slot_of(in->slots, in->mask, callers, method);
  if (known != NULL) return known;
  bool is_first = callers == &in->root;
  call_node *shorter = is_first ? &in->root : below(in, callers->shorter, method);
  call_node *made = shorter == NULL || atomic_load(&nodes) >= MOST_NODES ? NULL : calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  atomic_fetch_add(&nodes, 1);
  *made = (call_node){.callers = callers, .shorter = shorter, .method = method, .length = callers->length + 1};
  /* The shorter stack may have made the table grow. */
  *slot_of(in->slots, in->mask, callers, method) = made;
  in->count++;
  return made;
}

call_node *callee(call_tree *in, call_node *from, uint32_t method) {
  if (chosen.depth == 0) return &in->root;
  call_node *next = below(in, from->length < chosen.depth ? from : from->shorter, method);
  if (next == NULL) atomic_fetch_add(&lost, 1);
  return next == NULL ? &in->root : next;
}

void count_call(call_node *in, uint64_t self_ns, uint64_t total_ns) {
  in->calls++;
  in->self_ns += self_ns;
  in->total_ns += total_ns;
}

void visit_nodes(call_tree *in, void (*visit)(call_node *node, void *to), void *to) {
  visit(&in->root, to);
  for (size_t i = 0; in->slots != NULL && i <= in->mask; i++)
    if (in->slots[i] != NULL) visit(in->slots[i], to);
}

/* The node of another tree with the same methods. */
static call_node *same_node(call_tree *in, const call_node *node) {
  if (node->callers == NULL) return &in->root;
  call_node *callers = same_node(in, node->callers);
  call_node *same = callers == &in->root && node->length > 1 ? NULL : below(in, callers, node->method);
  return same == NULL ? &in->root : same;
}

static void move_node(call_node *node, void *to) {
  if (node->calls == 0) return;
  call_node *same = same_node(to, node);
  same->calls += node->calls;
  same->self_ns += node->self_ns;
  same->total_ns += node->total_ns;
  node->calls = node->self_ns = node->total_ns = 0;
}

void move_calls(call_tree *to, call_tree *from) { visit_nodes(from, move_node, to); }

static void drop_node(call_node *node, void *root) {
  if (node == root) return;
  atomic_fetch_sub(&nodes, 1);
  free(node);
}

void drop_tree(call_tree *of) {
  visit_nodes(of, drop_node, &of->root);
  free(of->slots);
  free(of);
}
