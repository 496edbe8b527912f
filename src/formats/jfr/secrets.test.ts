/** Secrets in recordings, made from a real one by names of the same length. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { stringAt } from '../../base/text.js';
import { memorySource } from '../../bytes/byte-source.js';
import { HIDDEN } from '../../models/secrets.js';
import { ROOT } from '../../testing/shared-data.js';
import { readEvents } from './read.js';

const BYTES = gunzipSync(readFileSync(join(ROOT, 'src/formats/jfr/fixtures/example.jfr.gz')));

/** Values of the system properties by their keys. */
async function properties(bytes: Uint8Array): Promise<Map<string, string>> {
  const { program, profile } = await readEvents(memorySource('a.jfr', bytes), ['jdk.InitialSystemProperty']);
  const [table] = profile.events;
  ok(table);
  const texts = (key: string): string[] =>
    Array.from(table.columns[key] ?? [], (id) => (id < 0 ? '' : stringAt(program.names, id)));
  const values = texts('value');
  return new Map(texts('key').map((key, row) => [key, values[row] ?? '']));
}

test('values of properties that look like secrets are hidden, and no others', async () => {
  const [before, after] = ['java.class.path', 'db.main.passwd1'];
  const whole = await properties(BYTES);
  ok(![...whole.values()].includes(HIDDEN));
  const secret = Buffer.from(BYTES);
  const at = secret.indexOf(before);
  ok(at > 0);
  secret.write(after, at);
  const shown = await properties(secret);
  equal(shown.get(after), HIDDEN);
  const others = (all: Map<string, string>) => [...all].filter(([key]) => key !== before && key !== after);
  deepEqual(others(shown), others(whole));
});
