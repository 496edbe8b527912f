/** What must be seen in a damaged dump: a second reading with the JSON parser of the engine. */
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';

type Json = Readonly<Record<string, unknown>>;

const METHOD = /^[^.]+\((?:[^,;()[\]]+(?:\[\])*(?:, (?!$)|(?=\))))*\)$/s;

/** Counts in the order of the sections; undefined if something is wrong with the document. */
export function plainCounts(bytes: Uint8Array): number[] | undefined {
  const text = new TextDecoder('utf-8', { fatal: true });
  const counts = [0, 0, 0, 0, 0, 0];
  const add = (index: number, count: number) => {
    counts[index] = (counts[index] ?? 0) + count;
  };
  try {
    const modules: unknown = JSON.parse(text.decode(bytes));
    if (!Array.isArray(modules)) return undefined;
    for (const module of modules) {
      add(0, 1);
      const name = objectOf(module).module;
      if (name !== undefined && typeof name !== 'string') return undefined;
      for (const [, each] of objectsIn(module, 'packages')) {
        add(1, 1);
        for (const [, type] of objectsIn(each, 'types')) {
          add(2, 1);
          add(4, Object.keys(objectOf(objectOf(type).fields ?? {})).length);
          for (const [signature, method] of objectsIn(type, 'methods')) {
            const { size } = method;
            if (!METHOD.test(signature) || (size !== undefined && !isSize(size))) return undefined;
            add(3, 1);
            add(5, isSize(size) ? size : 0);
          }
        }
      }
    }
    return counts;
  } catch {
    return undefined;
  }
}

const isSize = (size: unknown): size is number => Number.isSafeInteger(size) && typeof size === 'number' && size >= 0;

function objectOf(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
  return Object.fromEntries(Object.entries(value));
}

function objectsIn(value: unknown, key: string): [string, Json][] {
  return Object.entries(objectOf(objectOf(value)[key] ?? {})).map(([name, each]) => [name, objectOf(each)]);
}

export function reachabilityOracle(): Judge {
  return (mutated, outcome) => {
    const wanted = plainCounts(mutated);
    const input = wanted === undefined || wanted[1] === 0 ? 'damaged' : 'sound';
    // The parser keeps the last of equal keys.
    if (wanted !== undefined && repeatsKeys(mutated)) return { input: 'ambiguous' };
    if (outcome.kind === 'refused')
      return input === 'damaged' ? { input } : { input, fault: { code: 'refused', detail: outcome.message } };
    const first = outcome.problems.list[0];
    if (wanted === undefined)
      return first === undefined ? { input, fault: { code: 'silent', detail: 'nothing was reported' } } : { input };
    if (first !== undefined) return { input, fault: { code: 'false alarm', detail: first.message } };
    const found = outcome.recording.sections.map(({ entries }) => entries);
    return found.join() === wanted.join()
      ? { input }
      : { input, fault: { code: 'differs', detail: `${wanted.join()} in the text, ${found.join()} read` } };
  };
}

/** Whether the parser dropped a key: then the text, written again, has fewer quotes. */
function repeatsKeys(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const quotes = (json: string): number => json.replace(/\\./g, '').split('"').length;
  return quotes(JSON.stringify(JSON.parse(text))) !== quotes(text);
}

/** Offsets at which strings and objects begin or end. */
export function reachabilityEdges(bytes: Uint8Array): number[] {
  return Array.from(bytes.keys()).filter((at) => '"{}[],:'.includes(String.fromCharCode(bytes[at] ?? 0)));
}
