/** Events that are read without the fields that no step of a scope needs, against all fields of them: the same ones are within the scope. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { fieldsRead } from '../../analysis/scope/fields-read.js';
import { applyScope } from '../../analysis/scope/scope.js';
import { UsageError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import type { ScopeStep } from '../../models/scope.js';
import type { Field } from '../../models/table.js';
import { SEED, times } from '../../testing/amount.js';
import { Random } from '../../testing/random.js';
import { ROOT } from '../../testing/shared-data.js';
import { eventsByChunk } from './read.js';

const SCOPES: readonly (readonly ScopeStep[])[] = [
  [{ kind: 'thread', pattern: 'main|worker|Thread' }],
  [{ kind: 'time', from: 5e8, to: 1e10 }],
  [{ kind: 'focus', pattern: 'java' }],
  [{ kind: 'ignore', pattern: 'java' }],
  [{ kind: 'origin', origins: ['jdk'] }],
  [
    { kind: 'time', from: 0, to: 2e10 },
    { kind: 'thread', pattern: 'a' },
    { kind: 'focus', pattern: 'run' },
  ],
];

function fixture(name: string): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(join(ROOT, 'src/formats/jfr/fixtures', `${name}.jfr.gz`))));
}

/** By type, how many events are within the scope; `whole` if it cannot be applied to the type. */
async function within(
  bytes: Uint8Array,
  scope: readonly ScopeStep[],
  shared: readonly Field[] | undefined,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const { program, profile } of eventsByChunk(memorySource('x', bytes), {}, shared))
    for (const table of profile.events) {
      let count = 'whole';
      try {
        const { unscoped, profile: kept } = applyScope(program, { ...profile, metrics: [], events: [table] }, scope);
        if (unscoped.size === 0) count = `${kept.events[0]?.length}`;
      } catch (error) {
        ok(error instanceof UsageError);
      }
      found.set(table.kind, `${found.get(table.kind) ?? ''} ${count} of ${table.length}`);
    }
  return found;
}

test('steps by thread, time and stack read only these fields; others any', () => {
  const keys = SCOPES.map((scope) =>
    fieldsRead(scope)
      ?.map(({ key }) => key)
      .join(),
  );
  deepEqual(keys, ['thread', 'time', 'stack', 'stack', 'stack', 'time,thread,stack']);
  equal(
    fieldsRead([
      { kind: 'thread', pattern: 'a' },
      { kind: 'filter', expression: 'size > 1' },
    ]),
    undefined,
  );
});

for (const name of ['wall', 'warehouse-jdk25'])
  for (const scope of SCOPES)
    test(`${name}: the same events within ${scope.map(({ kind }) => kind).join(', ')}`, async () => {
      const all = await within(fixture(name), scope, undefined);
      ok(all.size > 5 && [...all.values()].some((count) => !count.includes('whole')), `${all.size}`);
      deepEqual(await within(fixture(name), scope, fieldsRead(scope)), all);
    });

test('damaged recordings: the same events', async () => {
  const random = new Random(SEED);
  const sound = fixture('nativemem');
  const [scope = []] = SCOPES;
  const whole = JSON.stringify([...(await within(sound, scope, undefined))]);
  let lost = 0;
  for (let i = 0; i < times(200); i++) {
    const bytes = sound.slice();
    for (let flips = 0; flips < 20; flips++) bytes[200 + random.below(bytes.length - 200)] ^= 1 << random.below(8);
    const read = [undefined, fieldsRead(scope)].map((shared) => within(bytes, scope, shared).catch(String));
    const [all, some] = await Promise.all(read);
    deepEqual(some, all, `flips ${i}`);
    if (JSON.stringify([...(all ?? [])]) !== whole) lost++;
  }
  ok(lost > 5, `${lost}`);
});
