/** Each field of the header of a JFR chunk with extreme values: commands say what is wrong, and none fails inside. */
import { equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runCommand } from '../../cli/testing/run-command.js';
import { amount } from '../../testing/amount.js';
import { sharedData } from '../../testing/shared-data.js';
import { jfrBytes } from './testing/jfr-writer.js';
import { smallChunk } from './testing/small-recording.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-jfr-headers-'));
after(() => rmSync(folder, { recursive: true }));

/** Fields of the header: where they are, and their bytes. */
const FIELDS = {
  magic: [0, 4],
  major: [4, 2],
  minor: [6, 2],
  size: [8, 8],
  checkpoint: [16, 8],
  metadata: [24, 8],
  start: [32, 8],
  duration: [40, 8],
  ticks: [48, 8],
  'ticks a second': [56, 8],
  state: [64, 1],
  flags: [65, 3],
} as const;

const WHOLE = jfrBytes([smallChunk()]);
const SIZE = BigInt(WHOLE.length);
const ALL = [
  0n,
  -1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  2n ** 53n + 365n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  SIZE - 1n,
  SIZE + 1n,
];
const VALUES = amount(ALL, [0n, -1n, 2n ** 53n + 365n]);

function changed(at: number, length: number, value: bigint): Uint8Array {
  const bytes = WHOLE.slice();
  for (let i = 0; i < length; i++)
    bytes[at + i] = Number((BigInt.asUintN(64, value) >> BigInt(8 * (length - 1 - i))) & 0xffn);
  return bytes;
}

const FILE = join(folder, 'changed.jfr');
const OTHER = join(folder, 'whole.jfr');

const COMMANDS = [
  ['summary', FILE],
  ['check', FILE],
  ['events', FILE],
  ['events', FILE, 'shop.Order'],
  ['functions', FILE],
  ['sites', FILE],
  ['diff', OTHER, FILE],
  ['convert', FILE, join(folder, 'out.collapsed')],
  ['convert', FILE, join(folder, 'out.jfr')],
];

describe('extreme values in the header of a chunk', () => {
  writeFileSync(OTHER, WHOLE);
  for (const [name, [at, length]] of Object.entries(FIELDS))
    test(name, async () => {
      for (const value of VALUES) {
        writeFileSync(FILE, changed(at, length, value));
        for (const words of COMMANDS) {
          const { status, stderr } = await runCommand(words);
          ok([0, 1, 2, 3, 4].includes(status), `${words.join(' ')}, ${name} ${value}: ${status} ${stderr}`);
        }
      }
    });

  test('those that no recorder writes are errors with their place', async () => {
    const impossible: readonly [keyof typeof FIELDS, bigint, string][] = [
      ['metadata', 2n ** 53n + 365n, 'jfr-metadata'],
      ['metadata', -1n, 'jfr-metadata'],
      ['metadata', SIZE, 'jfr-metadata'],
      ['checkpoint', 2n ** 62n, 'jfr-header'],
      ['start', -1n, 'jfr-header'],
      ['duration', -1n, 'jfr-header'],
      ['ticks a second', 2n ** 63n - 1n, 'jfr-header'],
      ['ticks a second', 0n, 'jfr-header'],
    ];
    for (const [name, value, code] of impossible) {
      const [at, length] = FIELDS[name];
      writeFileSync(FILE, changed(at, length, value));
      const check = await runCommand(['check', FILE, '--format', 'csv']);
      equal(check.status, 1, `${name} ${value}`);
      match(check.stdout, new RegExp(`error,${code},${at},`), `${name} ${value}`);
      equal((await runCommand(['summary', FILE])).status, 4, `${name} ${value}`);
    }
  });

  test('a place of the metadata beyond 2^53 of a recording of a JVM', async (t) => {
    const path = sharedData(t, 'cases/jfr-header-places/metadata-offset.jfr');
    if (path === undefined) return;
    equal((await runCommand(['events', path, 'my.U'])).status, 4);
    equal((await runCommand(['check', path])).status, 1);
  });
});
