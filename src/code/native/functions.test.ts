/** Functions of a compiled program against `nm`: with symbols, with only dynamic ones, and damaged. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { runs } from '../../testing/amount.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { Random } from '../../testing/random.js';
import { readElf } from './elf.js';
import { elfFunctions } from './functions.js';

const SOURCE = `
static __attribute__((noinline)) int inner(int x) { volatile int y = x; return y * 3; }
int outer(int x) { return inner(x) + inner(x + 1); }
int other(int x) { return outer(x) - 1; }
int twin(int x) __attribute__((alias("other")));
`;

async function functionsOf(bytes: Uint8Array) {
  const elf = await readElf(memorySource('test', bytes));
  return typeof elf === 'string' ? elf : elfFunctions(elf);
}

/** Address, size and name of each function. In libraries that compilers make, code lies at its address in the file. */
function nm(file: string, ...options: string[]): { address: number; size: number; name: string }[] {
  const text = execFileSync('nm', ['-S', '--defined-only', ...options, file], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const [, address, size, name] = /^([\da-f]+) ([\da-f]+) [tTiW] (\S+)$/.exec(line) ?? [];
    if (address === undefined || size === undefined || name === undefined) return [];
    return [{ address: Number.parseInt(address, 16), size: Number.parseInt(size, 16), name }];
  });
}

describe('functions of a library', () => {
  test('are those of nm, with and without its symbol table', async (t) => {
    if (spawnSync('gcc', ['--version']).status !== 0) return t.skip('gcc is not installed');
    const folder = await temporaryFolder(t);
    const [source, library, stripped] = ['a.c', 'a.so', 'b.so'].map((name) => join(folder, name));
    if (source === undefined || library === undefined || stripped === undefined) throw new Error('three names');
    writeFileSync(source, SOURCE);
    execFileSync('gcc', ['-O1', '-shared', '-fPIC', '-o', library, source]);
    execFileSync('strip', ['-o', stripped, library]);
    for (const [file, options] of [
      [library, []],
      [stripped, ['-D']],
    ] as const) {
      const functions = await functionsOf(readFileSync(file));
      if (typeof functions === 'string') throw new Error(functions);
      const expected = nm(file, ...options);
      ok(expected.length >= 3, file);
      for (const { address, size } of expected) {
        const names = expected.filter((each) => each.address === address).map(({ name }) => name);
        const name = names.sort().at(-1);
        for (const at of [address, address + size - 1])
          deepStrictEqual(functions.at(at), { name, start: address, end: address + size, stripped: false });
      }
      const inner = nm(library).find(({ name }) => name === 'inner');
      const found = functions.at(inner?.address ?? 0);
      if (file === stripped) ok(found?.stripped === true && found.name.startsWith('<static>@0x'), found?.name);
      else equal(found?.name, 'inner');
    }
    await damaged(readFileSync(library));
  });

  test('other files have none', async () => {
    equal(await functionsOf(new Uint8Array()), 'not an ELF file');
    equal(
      await functionsOf(Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, ...new Uint8Array(60)])),
      'an ELF file of an unknown class or byte order',
    );
  });
});

/** Headers with any bytes: no error, no memory beyond the file. */
async function damaged(library: Uint8Array): Promise<void> {
  const random = new Random(5);
  const tables = new DataView(library.buffer, library.byteOffset).getUint32(40, true);
  const many = runs(1000).numRuns ?? 0;
  for (let i = 0; i < many; i++) {
    const copy = Uint8Array.from(library);
    for (let k = 0; k < 3; k++) {
      const at = random.below(2) === 0 ? random.below(64) : tables + random.below(copy.length - tables);
      copy[at] = random.below(256);
    }
    const functions = await functionsOf(
      copy.subarray(0, random.below(4) === 0 ? random.below(copy.length) : copy.length),
    );
    if (typeof functions !== 'string') functions.at(random.below(copy.length));
  }
}
