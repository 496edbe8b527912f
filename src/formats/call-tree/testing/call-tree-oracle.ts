/** What must be seen in a damaged call tree in text. */
import { isDeepStrictEqual } from 'node:util';
import { decodeUtf8 } from '../../../base/text.js';
import type { Fault, Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { PlainReading, type PlainTree, plainGraph } from './plain-call-tree.js';

export function callTreeOracle(): Judge {
  return (mutated, outcome) => {
    // Names that differ in bytes that are no UTF-8 look the same, and so do types that have no descriptor.
    if (decodeUtf8(mutated, 0, mutated.length).includes('\ufffd')) return { input: 'ambiguous' };
    const wanted = new PlainReading().read(mutated);
    const lines = wanted.counts[0] + wanted.counts[2] + wanted.counts[3];
    const input = wanted.faulty || lines === 0 ? 'damaged' : 'sound';
    if (outcome.kind === 'refused')
      return lines === 0 ? { input } : { input, fault: { code: 'refused', detail: outcome.message } };
    const reported = outcome.problems.list.some(({ severity }) => severity !== 'info');
    const fault = judge(wanted, plainGraph(outcome.recording), reported);
    return fault === undefined ? { input } : { input, fault };
  };
}

/** Offsets at which lines and their parts begin. */
export function callTreeEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++) if (at === 0 || bytes[at - 1] === 10) edges.push(at);
  return edges;
}

function judge(wanted: PlainTree, seen: PlainTree, reported: boolean): Fault | undefined {
  for (const part of ['entries', 'methods', 'calls', 'counts'] as const) {
    if (isDeepStrictEqual(wanted[part], seen[part])) continue;
    const at = wanted[part].findIndex((line, i) => line !== seen[part][i]);
    return { code: 'differs', detail: `${part} ${at}: ${wanted[part][at]} in the text, ${seen[part][at]} read` };
  }
  if (reported === wanted.faulty) return undefined;
  return reported
    ? { code: 'false alarm', detail: 'the text is sound' }
    : { code: 'silent', detail: 'something is wrong with the text and nothing was reported' };
}
