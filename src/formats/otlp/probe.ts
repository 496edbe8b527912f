/**
 * Recognises OTLP profiles, which have no magic number, by how their first messages fit the schema, on which the three layouts that share the name
 * `profiles.v1development` agree. A span or a metric of OTLP does not fit: its first field is not a value type.
 */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { fit, type Schema } from '../shared/protobuf/fit.js';

const NUMBERS: Schema = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index + 1, 'varint'] as const));
const ANYTHING: Schema = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [index + 1, 'any'] as const));

const OTLP_PROFILE: Schema = { ...ANYTHING, 1: { 1: 'varint', 2: 'varint', 3: 'varint' }, 2: ANYTHING };
const OTLP: Schema = {
  1: { 1: ANYTHING, 2: { 1: ANYTHING, 2: OTLP_PROFILE, 3: 'bytes' }, 3: 'bytes' },
  2: {
    1: NUMBERS,
    2: ANYTHING,
    3: { 1: 'varint', 2: 'varint', 3: 'varint', 4: 'varint' },
    4: ANYTHING,
    5: 'bytes',
    6: ANYTHING,
    7: { 1: 'packed' },
  },
};

export function probeOtlp(head: Head): Guess {
  const { fits, counts, total } = fit(head.bytes, OTLP);
  if (!fits || total < 8) return NO_GUESS;
  const content = counts.has(1) ? 'resources, scopes and profiles' : 'a dictionary of stacks and strings';
  return { confidence: total >= 20 ? 0.95 : 0.7, because: `protobuf messages of OTLP: ${content}` };
}
