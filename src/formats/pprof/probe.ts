/** Recognises pprof profiles, which have no magic number, by how their first messages fit the schema (google/pprof `proto/profile.proto`). */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { fit, type Schema } from '../shared/protobuf/fit.js';

const NUMBERS: Schema = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index + 1, 'varint'] as const));
const PPROF: Schema = {
  1: { 1: 'varint', 2: 'varint' },
  2: { 1: 'packed', 2: 'packed', 3: { 1: 'varint', 2: 'varint', 3: 'varint', 4: 'varint' } },
  3: NUMBERS,
  4: { 1: 'varint', 2: 'varint', 3: 'varint', 4: { 1: 'varint', 2: 'varint', 3: 'varint' }, 5: 'varint' },
  5: { 1: 'varint', 2: 'varint', 3: 'varint', 4: 'varint', 5: 'varint' },
  6: 'bytes',
  7: 'varint',
  8: 'varint',
  9: 'varint',
  10: 'varint',
  11: { 1: 'varint', 2: 'varint' },
  12: 'varint',
  13: 'packed',
  14: 'varint',
  15: 'varint',
};

export function probePprof(head: Head): Guess {
  const { fits, counts, total } = fit(head.bytes, PPROF);
  if (!fits) return NO_GUESS;
  const has = (field: number): boolean => counts.has(field);
  const typed = has(1) || has(11);
  const content = [2, 3, 4, 5, 6].filter(has).length;
  if (!typed || content === 0 || total < 6)
    return total >= 6 ? { confidence: 0.3, because: 'protobuf with the fields of pprof' } : NO_GUESS;
  return { confidence: total >= 20 ? 1 : 0.8, because: 'protobuf messages of pprof: sample types, samples, locations' };
}
