/** The first events in the order of time, read alone, against the first ones of all. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { inTimeOrder } from '../../../base/columns/order.js';
import { FormatError } from '../../../base/errors.js';
import { memorySource } from '../../../bytes/byte-source.js';
import type { EventsRead } from '../../../models/event-types.js';
import { fieldNumber, fieldText, isTextual } from '../../../models/profile/field-values.js';
import { keyText, methodKey } from '../../../models/program/method-key.js';
import type { Table } from '../../../models/table.js';
import { amount, SEED } from '../../../testing/amount.js';
import { Random } from '../../../testing/random.js';
import { ROOT, sharedData } from '../../../testing/shared-data.js';
import { earliestEvents, outlineOfJfr, readEvents } from '../read.js';
import { SMALL_RECORDINGS } from '../testing/small-recording.js';

const MANY = { from: 0, rows: 1 };

/** The values of a row by field; methods with all of their parameters, whichever others were read. */
function valuesIn({ program, profile }: EventsRead, { fields, columns }: Table, row: number): unknown {
  return fields.map((field) => {
    const value = columns[field.key]?.[row] ?? Number.NaN;
    if (field.holds === 'function') return [field.key, keyOf(program, value)];
    if (field.holds !== 'stack')
      return [
        field.key,
        isTextual(field) ? fieldText(program, profile, field, value) : fieldNumber(profile, field, value),
      ];
    if (value < 0) return [field.key, null];
    const frames: unknown[] = [];
    for (let id = value; id >= 0; id = profile.stacks.parent[id]) {
      const location = profile.stacks.location[id];
      frames.push([keyOf(program, program.locations.function[location]), program.locations.line?.[location]]);
    }
    return [field.key, frames];
  });
}

function keyOf(program: EventsRead['program'], id: number): string | undefined {
  const key = id < 0 ? undefined : methodKey(program, id);
  return key && keyText(key);
}

/** Compares some numbers of first events of each type; returns how many events were compared. */
async function compare(bytes: Uint8Array): Promise<number> {
  const source = memorySource('x', bytes);
  const { recording } = await outlineOfJfr(source);
  let compared = 0;
  const types = (recording.eventTypes ?? []).filter(({ count }) => count > 0);
  for (const { name } of types.filter((_, i) => types.length < 20 || i % amount(1, 6) === 0)) {
    const all = await readEvents(source, [name]);
    const [table] = all.profile.events;
    const order = table && inTimeOrder(table.columns.startTime ?? []);
    for (const most of amount([1, 7, 1e6], [1e6]))
      for (const parts of amount([MANY, undefined], [MANY])) {
        const first = await earliestEvents(source, [name], most, {}, { kernelFrom: 0, parts });
        if (first === undefined) continue;
        const [found] = first.profile.events;
        equal(first.totals.get(name) ?? 0, table?.length ?? 0, name);
        equal(found?.length ?? 0, Math.min(most, table?.length ?? 0), name);
        if (table === undefined || found === undefined) continue;
        for (let i = 0; i < found.length; i += 1 + Math.floor(found.length / amount(50, 10))) {
          deepEqual(valuesIn(first, found, i), valuesIn(all, table, order?.[i] ?? i), `${name} ${i} of ${most}`);
          compared++;
        }
      }
  }
  return compared;
}

/** Files without a chunk are. */
function isRefused(error: unknown): void {
  if (!(error instanceof FormatError)) throw error;
}

describe('the first events of a recording are the first of all', () => {
  for (const name of amount(['warehouse-jdk25', 'dump1', 'example', 'nativemem', 'wall'], ['warehouse-jdk25']))
    test(`${name}: each type`, async () => {
      const file = join(ROOT, 'src/formats/jfr/fixtures', `${name}.jfr.gz`);
      ok((await compare(new Uint8Array(gunzipSync(readFileSync(file))))) > 20);
    });

  test('files of the collection: each type', async (t) => {
    const folder = sharedData(t, 'interop/jfr');
    if (folder === undefined) return;
    for (const file of readdirSync(folder).filter((name) => /\.jfr(?:\.gz)?$/.test(name))) {
      const bytes = readFileSync(join(folder, file));
      await compare(new Uint8Array(file.endsWith('.gz') ? gunzipSync(bytes) : bytes)).catch(isRefused);
    }
  });

  test('small recordings, and what damage leaves of them', async () => {
    const random = new Random(SEED);
    for (const bytesOf of Object.values(SMALL_RECORDINGS)) {
      ok((await compare(bytesOf())) > 0);
      for (let i = 0; i < amount(200, 3); i++) {
        const damaged = bytesOf().slice();
        damaged[random.below(damaged.length)] = random.below(256);
        await compare(damaged).catch(isRefused);
      }
    }
  });
});
