/** Reachability dumps. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { stringAt } from '../../base/text.js';
import { memorySource } from '../../bytes/byte-source.js';
import { functionSignature } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { ROOT } from '../../testing/shared-data.js';
import { readReachability } from './read.js';
import { plainCounts } from './testing/reachability-oracle.js';

const FIXTURES = join(ROOT, 'src/formats/reachability-json/testing/fixtures');
const DATA = process.env.KANSOKU_DATA;

const read = (bytes: Uint8Array | string): Promise<Recording> =>
  readReachability(memorySource('dump', typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
const counts = ({ sections }: Recording): number[] => sections.map(({ entries }) => entries);

for (const name of ['compact.json', 'pretty.json'])
  it(`${name} has modules, types, methods with their code, and fields`, async () => {
    const recording = await read(readFileSync(join(FIXTURES, name)));
    deepEqual([recording.problems.list, recording.complete], [[], true]);
    deepEqual(counts(recording), [2, 3, 3, 5, 3, 659]);
    const { program, callGraph } = recording;
    const { methods = [], codeBytes = [] } = callGraph ?? {};
    deepEqual(
      Array.from(methods, (id, row) => {
        const module = program.classes.module?.[program.functions.class[id]] ?? -1;
        return `${module < 0 ? '' : stringAt(program.names, module)} ${functionSignature(program, id)} ${codeBytes[row]}`;
      }).sort(),
      [
        ' Hooks.onStart() 0',
        'shop.base shop.Book.<init>() 286',
        'shop.base shop.Book.größe() NaN',
        'shop.base shop.Book.price(int, java.lang.String[]) 289',
        'shop.base shop.Shelf$$Lambda$0648faf8f54c46163ffce053efa2007358ea140a.run() 84',
      ],
    );
    deepEqual([callGraph?.methods.length, callGraph?.sites.length, callGraph?.partial], [5, 0, true]);
  });

it('damage is reported with its offset, and what precedes it is read', async () => {
  const text = readFileSync(join(FIXTURES, 'compact.json'), 'utf8');
  const faults = async (json: string) =>
    (await read(json)).problems.list.map(({ code, offset }) => `${code} ${offset}`);
  const size = Buffer.byteLength(text);
  deepEqual(await faults(text.slice(0, -1)), [`reachability-cut ${size - 1}`]);
  deepEqual(await faults(`${text}]`), [`reachability-syntax ${size}`]);
  const at = text.indexOf('286');
  deepEqual(await faults(text.replace('286', 'x')), [`reachability-syntax ${at}`]);
  deepEqual(await faults(text.replace('286', '-1')), [`reachability-size ${text.indexOf('"size":286')}`]);
  deepEqual(await faults(text.replace('run()', 'run')), [
    `reachability-method ${Buffer.byteLength(text.slice(0, text.indexOf('"run()')))}`,
  ]);
  await rejects(read('[{"packages":[]}]'), /expected a list of modules with packages/);
  await rejects(read('[]'), /expected a list of modules with packages/);
});

it('of libgraal has the numbers of its README', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const bytes = gunzipSync(readFileSync(join(DATA, 'points-to/reachability-libgraal.json.gz')));
  const recording = await read(bytes);
  deepEqual(recording.problems.list, []);
  deepEqual(counts(recording), [22, 358, 7333, 36474, 15748, 17_568_076]);
  equal(plainCounts(bytes)?.join(), counts(recording).join());
});
