/**
 * What is left of the names of joined programs when numbers of a run, hashes of a build and the VM's slashes are taken
 * away, so that rows of which `unite` could say anything are found without a string a row.
 */
import { IntTable } from '../../base/hash.js';
import { type StringTable, stringAt } from '../../base/text.js';
import { sourceTypeName } from '../../models/program/names.js';
import { identityOf, withoutHashes } from '../identity/spelling.js';

/** How a name may differ between recordings of one thing: not at all, from build to build, from run to run. */
export const PLAIN = 0;
export const HASH = 1;
export const RUN_TIME = 2;

export interface NameKeys {
  /** By name: `PLAIN`, `HASH` or `RUN_TIME`. */
  readonly kind: Uint8Array;
  /** Names that may mean one thing have one key. */
  readonly key: Int32Array;
}

/** All other names are what they are: most. */
const MAY_DIFFER = /Lambda|0x|Accessor\d|\$Proxy|_[0-9A-Za-z]{22}|\//;

export function nameKeys(names: StringTable): NameKeys {
  const count = names.offsets.length - 1;
  const kind = new Uint8Array(count);
  const key = Int32Array.from({ length: count }, (_, id) => id);
  const peculiar = new Map<string, number>();
  for (let id = 0; id < count; id++) {
    const name = stringAt(names, id);
    if (!MAY_DIFFER.test(name)) continue;
    const dotted = sourceTypeName(name);
    const identity = identityOf(dotted);
    const text = withoutHashes(identity);
    if (text === name) continue;
    kind[id] = identity === dotted ? HASH : RUN_TIME;
    const known = peculiar.get(text);
    if (known === undefined) peculiar.set(text, id);
    else key[id] = known;
  }
  // A name that has dots already has the key of those that get them here.
  if (peculiar.size > 0)
    for (let id = 0; id < count; id++) if (kind[id] === PLAIN) key[id] = peculiar.get(stringAt(names, id)) ?? id;
  return { kind, key };
}

/**
 * For each row 1 where a row of another spelling has the same key and one of them has something of a run or a build.
 * `keys(row)` is the row's key in two numbers.
 */
export function doubtful(
  count: number,
  keys: (row: number) => readonly [number, number],
  peculiar: (row: number) => boolean,
): Uint8Array {
  const buckets = new IntTable();
  const bucketOf = Int32Array.from({ length: count }, (_, row) => buckets.add(...keys(row)));
  const size = new Int32Array(buckets.length);
  const doubt = new Uint8Array(buckets.length);
  bucketOf.forEach((bucket, row) => {
    size[bucket]++;
    if (peculiar(row)) doubt[bucket] = 1;
  });
  return Uint8Array.from(bucketOf, (bucket) => (size[bucket] > 1 ? doubt[bucket] : 0));
}
