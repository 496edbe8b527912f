/**
 * Which load objects of several experiments are the same. A path whose content differs from that of an earlier experiment has a mark behind it in the joined
 * program, which is never printed.
 */
import { sha256 } from '../../base/digest.node.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { readWhole } from '../../code/read-whole.js';
import type { ExperimentDetails } from '../../formats/experiment/index.js';
import type { ObjectKeys } from './join-programs.js';
import { MARK } from './marked-path.js';

/** Larger files are the same where their sizes are. */
const LARGEST_COMPARED = 64 << 20;
const EXECUTABLE = 4;

/** An experiment whose load objects are compared. */
export interface ComparedPart {
  readonly details: ExperimentDetails;
  readonly copyOf: ((path: string) => Promise<ByteSource | undefined>) | undefined;
}

export interface NumberedKeys {
  readonly keyOf: ObjectKeys;
  /** By key: the experiments that have this content, in their order. */
  readonly owners: ReadonlyMap<string, readonly number[]>;
  /** By key: the path. */
  readonly paths: ReadonlyMap<string, string>;
}

/**
 * The keys of all load objects. `strict`: objects are the same where path and check sum are, as gprofng has it; else where their contents are. `marked` is the
 * key of a path whose content is the second one (order 1) or a later one, which this part has first.
 */
export async function objectKeys(
  parts: readonly ComparedPart[],
  strict: boolean,
  marked: (path: string, order: number, part: number) => string = (path, order) => `${path}${MARK}${order}`,
): Promise<NumberedKeys> {
  const maps = parts.map(({ details }) => checkSums(details));
  /** By path, its contents in the order in which they appear. */
  const contents = new Map<string, { readonly content: string; readonly key: string }[]>();
  const owners = new Map<string, number[]>();
  const paths = new Map<string, string>();
  const keysOf: Map<string, string>[] = [];
  for (const [i, part] of parts.entries()) {
    const keys = new Map<string, string>();
    keysOf.push(keys);
    for (const [path, sum] of maps[i] ?? []) {
      const isShared = maps.some((other, j) => j !== i && other.has(path));
      const content = strict || !isShared ? sum : await contentOf(part, path, sum);
      const ofPath = contents.get(path) ?? [];
      contents.set(path, ofPath);
      const order = ofPath.length;
      const same = ofPath.find((each) => each.content === content);
      const key = same?.key ?? (order === 0 ? path : marked(path, order, i));
      if (same === undefined) ofPath.push({ content, key });
      paths.set(key, path);
      keys.set(path, key);
      owners.set(key, [...(owners.get(key) ?? []), i]);
    }
  }
  // For gprofng, code that was made at run time is another one in each experiment.
  const isMade = (path: string): boolean => strict && path.startsWith('[');
  const keyOf: ObjectKeys = (part, path) =>
    keysOf[part]?.get(path) ?? (part > 0 && isMade(path) ? marked(path, part, part) : path);
  return { keyOf, owners, paths };
}

/** By path of a file with code, the check sum that the recorder wrote first. */
function checkSums({ processes }: ExperimentDetails): ReadonlyMap<string, string> {
  const sums = new Map<string, string>();
  for (const { map } of processes)
    for (const { kind, attributes } of map) {
      const path = attributes.get('name') ?? '';
      if (kind !== 'map' || attributes.get('object') !== 'segment' || path === '' || sums.has(path)) continue;
      if ((Number(attributes.get('modes')) & EXECUTABLE) !== 0) sums.set(path, attributes.get('chksum') ?? '');
    }
  return sums;
}

/** What a file contains, as text that is equal for equal contents; its check sum if it cannot be read. */
async function contentOf({ copyOf }: ComparedPart, path: string, sum: string): Promise<string> {
  const copy = await copyOf?.(path).catch(() => undefined);
  const size = copy?.size;
  if (copy === undefined || (size !== undefined && size > LARGEST_COMPARED)) {
    await copy?.close?.();
    return `${sum} ${size ?? ''}`;
  }
  const bytes = await readWhole(() => Promise.resolve(copy), LARGEST_COMPARED, 'class-unreadable');
  return 'code' in bytes ? sum : sha256().update(bytes).digest('hex');
}
