/** The yardstick: walks pool, members and Code offsets of a class file and keeps nothing. */
const SIZES = [0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3];

/** Number of methods; the offsets of their Code are found on the way. */
export function walkClass(bytes: Uint8Array): number {
  const u2 = (at: number): number => (bytes[at] << 8) | bytes[at + 1];
  const u4 = (at: number): number => u2(at) * 65536 + u2(at + 2);
  const count = u2(8);
  let at = 10;
  let codeName = -1;
  for (let i = 1; i < count; i++) {
    const tag = bytes[at];
    if (tag === 1) {
      const length = u2(at + 1);
      if (length === 4 && u4(at + 3) === 0x436f6465) codeName = i;
      at += 3 + length;
    } else {
      if (tag === 5 || tag === 6) i++;
      at += SIZES[tag] ?? Number.NaN;
    }
  }
  at += 8 + u2(at + 6) * 2;
  let methods = 0;
  let codes = 0;
  for (let kind = 0; kind < 2; kind++) {
    methods = u2(at);
    at += 2;
    for (let member = methods; member > 0; member--) {
      let attributes = u2(at + 6);
      at += 8;
      for (; attributes > 0; attributes--) {
        if (u2(at) === codeName) codes = Math.max(codes, at + 6);
        at += 6 + u4(at + 2);
      }
    }
  }
  if (!(codes <= bytes.length)) throw new Error('walked beyond the end');
  return methods;
}
