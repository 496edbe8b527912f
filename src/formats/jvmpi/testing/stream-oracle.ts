/** What must be seen in a damaged recording, by a second reading of its frames after docs/formats/jvmpi.md. */
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';

interface PlainStream {
  /** Offsets at which frames begin, and the end of the last one. */
  readonly starts: readonly number[];
  /** Events in sound frames. */
  readonly events: number;
  readonly faulty: boolean;
  readonly isStream: boolean;
}

/** The checksum as the page defines it. */
function sumOf(bytes: Uint8Array): number {
  const factor = 0x9e3779b1;
  let sum = Math.imul(bytes.length, factor);
  const padded = Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))]);
  for (let at = 0; at < padded.length; at += 4) {
    const product = Math.imul(sum ^ padded.readUInt32LE(at), factor);
    sum = product ^ (product >>> 15);
  }
  return sum >>> 0;
}

export function plainStream(bytes: Uint8Array): PlainStream {
  const from = Buffer.from(bytes);
  const isStream =
    from.subarray(0, 8).toString('latin1') === 'JVMPIREC' && from.length >= 16 && from.readUInt32LE(8) === 1;
  if (!isStream) return { starts: [], events: 0, faulty: true, isStream };
  const starts = [16];
  let faulty = from.readUInt32LE(12) !== 0;
  let events = 0;
  let ended = false;
  for (let at = 16; at < from.length; ) {
    const length = at + 20 > from.length ? from.length : from.readUInt32LE(at);
    const end = at + 20 + length;
    if (end > from.length || ended) {
      faulty = true;
      break;
    }
    const content = from.subarray(at + 20, end);
    const kind = from[at + 8];
    if (sumOf(from.subarray(at + 8, end)) !== from.readUInt32LE(at + 4)) faulty = true;
    else if (kind === 2) events += content.readUInt32LE(0);
    else if (kind === 5) events += content.readUInt32LE(4);
    else if (kind === 32) ended = true;
    if (kind === 32 && ended && content.readUInt32LE(4) !== starts.length - 1) faulty = true;
    at = end;
    starts.push(at);
  }
  return { starts, events, faulty: faulty || !ended, isStream };
}

export function streamOracle(): Judge {
  return (mutated, outcome) => {
    const wanted = plainStream(mutated);
    const input = wanted.faulty ? 'damaged' : 'sound';
    if (outcome.kind === 'refused')
      return wanted.isStream ? { input, fault: { code: 'refused', detail: outcome.message } } : { input };
    const found = outcome.recording.sections.reduce((sum, { entries }) => sum + entries, 0);
    if (found !== wanted.events)
      return { input, fault: { code: 'differs', detail: `${wanted.events} events, ${found} read` } };
    if (outcome.problems.list.length > 0 === wanted.faulty) return { input };
    const detail = outcome.problems.list[0]?.message ?? 'nothing was reported';
    return { input, fault: { code: wanted.faulty ? 'silent' : 'false alarm', detail } };
  };
}

export function streamEdges(bytes: Uint8Array): number[] {
  return plainStream(bytes).starts.filter((at) => at < bytes.length);
}
