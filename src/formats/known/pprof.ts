/**
 * pprof and OTLP profiles. Both are protobuf without any magic number, recognised by how their first messages fit the
 * schema: pprof as in google/pprof `profile.proto`; OTLP as in opentelemetry-proto, package `profiles.v1development`,
 * where the three layouts that share the name agree on the outer messages. A span or a metric of OTLP does not fit: its
 * first field is not a value type.
 */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import type { KnownKind } from '../format.js';
import { textOf } from '../shared/head-text.js';
import { outlineOf } from '../shared/json-outline.js';
import { guess } from './marks.js';

function probeOtlpJson(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const list = ['resourceProfiles', 'resource_profiles'].find((key) => marks.get(key)?.kind === 'array');
  if (list === undefined) return NO_GUESS;
  const inner = marks.has(`${list}[]/scopeProfiles`) || marks.has(`${list}[]/scope_profiles`);
  return guess(inner ? 1 : 0.8, `a JSON object with ${list}${marks.has('dictionary') ? ' and dictionary' : ''}`);
}

/** Old CPU profile: machine words 0, 3, 0, period, 0, of 4 or 8 bytes in either order. */
function isLegacyCpu(bytes: Uint8Array): boolean {
  return [4, 8].some((size) =>
    [true, false].some((little) => {
      if (bytes.length < size * 8) return false;
      const word = (index: number): number => {
        let value = 0;
        for (let i = 0; i < size; i++) value = value * 256 + bytes[index * size + (little ? size - 1 - i : i)];
        return value;
      };
      const period = word(3);
      return word(0) === 0 && word(1) === 3 && word(2) === 0 && period > 0 && period < 1e9 && word(4) === 0;
    }),
  );
}

const LEGACY_TEXT =
  /^(?:heap profile: {1,20}\d{1,19}: {1,20}\d{1,19} \[|--- (?:heapz|growthz|contentionz|contention|threadz|cpu)\b.{0,80}|goroutine profile: total \d)/;

function probeLegacy(head: Head): Guess {
  if (isLegacyCpu(head.bytes)) return guess(0.9, 'machine words 0, 3, 0, a period, 0 at its start');
  const first = textOf(head).lines[0]?.slice(0, 200) ?? '';
  return LEGACY_TEXT.test(first) ? guess(1, `its first line is "${first.slice(0, 60)}"`) : NO_GUESS;
}

export const PPROF_KINDS: readonly KnownKind[] = [
  {
    id: 'pprof-legacy',
    title: 'legacy pprof profile (before protobuf)',
    advice: '`go tool pprof -proto FILE > profile.pb.gz` converts it to the current format.',
    probe: probeLegacy,
  },
  {
    id: 'otlp-json',
    title: 'OTLP profile (OpenTelemetry) in JSON',
    article: 'an',
    advice: 'The OpenTelemetry collector can read it.',
    probe: probeOtlpJson,
  },
];
