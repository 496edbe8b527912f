/** Writes small jimages of either byte order, with a perfect hash of their own, after the JDK's description of the format. */

export interface WrittenResource {
  readonly module: string;
  /** Package as folders; empty for none. */
  readonly parent: string;
  readonly base: string;
  readonly extension: string;
  /** The bytes as they are to stand in the file. */
  readonly content: Uint8Array;
  /** Bytes once unpacked: given where the content is compressed. */
  readonly unpacked?: number;
}

export interface WrittenImage {
  readonly bytes: Buffer;
  /** Where each string is in the string table. */
  readonly strings: ReadonlyMap<string, number>;
}

/** `texts` are further strings of the image, which compressed content may use. */
export function writeJImage(
  resources: readonly WrittenResource[],
  littleEndian = true,
  texts: readonly string[] = [],
): WrittenImage {
  const words = resources.flatMap(({ module, parent, base, extension }) => [module, parent, base, extension]);
  const { strings, table } = stringTable([...words, ...texts]);
  const { redirects, slots } = perfectHash(resources.map(pathOf));
  const locations: number[] = [0];
  const offsets: number[] = [];
  let contentAt = 0;
  for (const resource of resources) {
    offsets.push(locations.length);
    const { module, parent, base, extension, content, unpacked } = resource;
    for (const [i, word] of [module, parent, base, extension].entries())
      attribute(locations, i + 1, strings.get(word) ?? 0);
    attribute(locations, 5, contentAt);
    attribute(locations, 6, unpacked === undefined ? 0 : content.length);
    attribute(locations, 7, unpacked ?? content.length);
    locations.push(0);
    contentAt += content.length;
  }
  const numbers = [0xcafedada, 0x00010000, 0, resources.length, slots.length, locations.length, table.length];
  numbers.push(...redirects, ...slots.map((resource) => offsets[resource]));
  const integers = Buffer.alloc(4 * numbers.length);
  for (const [i, value] of numbers.entries())
    if (littleEndian) integers.writeUInt32LE(value >>> 0, 4 * i);
    else integers.writeUInt32BE(value >>> 0, 4 * i);
  const contents = resources.map((resource) => resource.content);
  return { bytes: Buffer.concat([integers, Buffer.from(locations), table, ...contents]), strings };
}

export function pathOf({ module, parent, base, extension }: WrittenResource): string {
  return `/${module}/${parent === '' ? '' : `${parent}/`}${base}${extension === '' ? '' : `.${extension}`}`;
}

/** A header of compressed content and the content behind it. */
export function layer(packed: Uint8Array, unpacked: number, packer: number, littleEndian = true): Buffer {
  const head = Buffer.alloc(29);
  const view = new DataView(head.buffer, head.byteOffset);
  view.setUint32(0, 0xcafefafa, littleEndian);
  view.setBigUint64(4, BigInt(packed.length), littleEndian);
  view.setBigUint64(12, BigInt(unpacked), littleEndian);
  view.setUint32(20, packer, littleEndian);
  view.setInt32(24, -1, littleEndian);
  head[28] = 1;
  return Buffer.concat([head, packed]);
}

function stringTable(words: readonly string[]): { strings: Map<string, number>; table: Buffer } {
  const strings = new Map<string, number>([['', 0]]);
  let table = Buffer.alloc(1);
  for (const word of words) {
    if (strings.has(word)) continue;
    strings.set(word, table.length);
    table = Buffer.concat([table, Buffer.from(`${word}\0`)]);
  }
  return { strings, table };
}

function attribute(locations: number[], kind: number, value: number): void {
  if (value === 0) return;
  const bytes = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  while (bytes[0] === 0) bytes.shift();
  locations.push((kind << 3) | (bytes.length - 1), ...bytes);
}

/** For each slot the resource in it; redirects are a seed for the second hash, or -1 - slot. */
function perfectHash(paths: readonly string[]): { redirects: number[]; slots: number[] } {
  const count = paths.length;
  const buckets: number[][] = paths.map(() => []);
  for (const [i, path] of paths.entries()) buckets[hash(path, 0x01000193) % count].push(i);
  const redirects = new Array<number>(count).fill(0);
  const slots = new Array<number>(count).fill(-1);
  const order = [...buckets.keys()].sort((a, b) => buckets[b].length - buckets[a].length);
  for (const bucket of order) {
    const members = buckets[bucket];
    if (members.length === 0) break;
    if (members.length === 1) {
      const slot = slots.indexOf(-1);
      slots[slot] = members[0];
      redirects[bucket] = -1 - slot;
      continue;
    }
    for (let seed = 1; redirects[bucket] === 0; seed++) {
      const places = members.map((member) => hash(paths[member], seed) % count);
      if (new Set(places).size < places.length || places.some((place) => slots[place] >= 0)) continue;
      redirects[bucket] = seed;
      for (const [i, place] of places.entries()) slots[place] = members[i];
    }
  }
  return { redirects, slots };
}

function hash(path: string, seed: number): number {
  let value = BigInt(seed);
  for (const byte of Buffer.from(path)) value = ((value * 0x01000193n) ^ BigInt(byte)) & 0xffffffffn;
  return Number(value & 0x7fffffffn);
}
