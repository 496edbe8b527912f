/* ALLOC SITES of format=b. */
#include "binary.h"
#include "sites-rows.h"

/* Flags of the record. */
enum { INCREMENTAL = 1, BY_ALLOCATION = 2, FORCED_COLLECTION = 4 };

static uint32_t in_word(uint64_t count) { return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count; }

static uint8_t array_code(const char *signature) { return signature[0] == '[' ? code_of_type(signature[1]) : 0; }

static void put_u64_be(buffer *to, uint64_t value) {
  put_u32_be(to, (uint32_t)(value >> 32));
  put_u32_be(to, (uint32_t)value);
}

static void put_row(FILE *out, buffer *to, const site_row *row) {
  put_u8(to, array_code(class_with(row->site->type)->signature));
  put_u32_be(to, loaded_class(out, row->site->type));
  put_u32_be(to, row->site->stack->trace);
  put_u32_be(to, in_word(row->live_bytes));
  put_u32_be(to, in_word(row->live_objects));
  put_u32_be(to, in_word(row->bytes));
  put_u32_be(to, in_word(row->objects));
}

void write_sites(FILE *to, const site_choice *as) {
  site_rows all = take_sites(as);
  float cutoff = (float)as->cutoff;
  uint32_t bits = 0;
  memcpy(&bits, &cutoff, sizeof bits);
  buffer body = {0};
  put_u16_be(&body, (as->incremental ? INCREMENTAL : 0) | (as->by_allocation ? BY_ALLOCATION : 0) | (as->forced ? FORCED_COLLECTION : 0));
  put_u32_be(&body, bits);
  put_u32_be(&body, in_word(all.live_bytes));
  put_u32_be(&body, in_word(all.live_objects));
  put_u64_be(&body, all.bytes);
  put_u64_be(&body, all.objects);
  put_u32_be(&body, (uint32_t)all.shown);
  for (size_t i = 0; i < all.shown; i++) put_row(to, &body, &all.rows[i]);
  if (!body.failed) write_record(to, ALLOC_SITES, &body);
  drop_buffer(&body);
  free(all.rows);
}
