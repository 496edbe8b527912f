/** Damage at any byte of an archive or compressed file (zip, tar, gzip) is a problem of its recordings. */
import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { KansokuError, UnreadableError } from '../../base/errors.js';
import { amount, kindsAt } from '../../testing/amount.js';
import { openInputs } from '../open.node.js';
import { ask } from '../session.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-carrier-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const ONE = `main;work 5\nmain;rest 3\n${'main;deep;deeper;deepest 1\n'.repeat(6)}`;
const TWO = 'other;work 7\n';

/** Archives of ONE and TWO: members stored, deflated, and deflated with their sizes behind them; tar; zip in zip. */
const MAKE = `
import io, sys, tarfile, zipfile
one, two = (text.encode() for text in sys.argv[2:4])
class Pipe(io.RawIOBase):
    def __init__(self, f): self.f = f
    def writable(self): return True
    def write(self, b): return self.f.write(b)
def make(name, method, wrap):
    with wrap(open(f'{sys.argv[1]}/{name}', 'wb')) as f, zipfile.ZipFile(f, 'w') as z:
        z.writestr('one', one, method)
        z.writestr('two', two, method)
make('stored.zip', zipfile.ZIP_STORED, lambda f: f)
make('deflated.zip', zipfile.ZIP_DEFLATED, lambda f: f)
make('streamed.zip', zipfile.ZIP_DEFLATED, Pipe)
with tarfile.open(f'{sys.argv[1]}/x.tar', 'w', format=tarfile.USTAR_FORMAT) as t:
    for name, text in (('one', one), ('two', two)):
        member = tarfile.TarInfo(name)
        member.size = len(text)
        t.addfile(member, io.BytesIO(text))
`;

/** For each length on the first line that many bytes of an archive: whether Python's zipfile finds both members whole. */
const ORACLE = `
import io, sys, zipfile
one, two = (text.encode() for text in sys.argv[1:3])
lengths = sys.stdin.buffer.readline().split()
for length in lengths:
    data = sys.stdin.buffer.read(int(length))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            whole = {name: z.read(name) for name in z.namelist()} == {'one': one, 'two': two}
        print('whole' if whole else 'damaged')
    except NotImplementedError:
        print('unknown')
    except Exception as e:
        print('damaged')
`;

before(() => {
  const script = spawnSync('python3', ['-W', 'ignore', '-c', MAKE, folder, ONE, TWO], { encoding: 'utf8' });
  equal(script.status, 0, script.stderr);
});

/** The result of opening an input: the problems of all its recordings, and their values by function. */
async function opened(name: string): Promise<{ codes: string[]; complete: boolean; values: unknown } | undefined> {
  const options = { cache: false, announce: () => undefined, work: {} };
  const session = await openInputs([name], options).catch((error: unknown) => {
    ok(error instanceof KansokuError, String(error));
    return undefined;
  });
  if (session === undefined) return undefined;
  const { recordings, ids } = session;
  const values: [string, unknown][] = [];
  for (const [place, { name: recordingName }] of recordings.entries()) {
    const { rows } = await ask(session, { view: 'functions', recording: ids[place] ?? '' });
    values.push([recordingName.replace(/^.*!\//, ''), rows.map((row) => [row.function, row.self])]);
  }
  await session.close();
  return {
    codes: recordings.flatMap(({ problems }) => problems.list.map(({ code }) => code)),
    complete: recordings.every(({ complete }) => complete),
    values,
  };
}

describe('every byte of an archive, flipped and cut', () => {
  for (const name of ['stored.zip', 'deflated.zip', 'streamed.zip'])
    test(`${name}: members that Python finds damaged have a problem, and so have all that read differently`, async () => {
      const whole = readFileSync(at(name));
      const damaged: Buffer[] = [];
      for (let i = 0, place = 0; place < whole.length; i++, place += amount(1, 8))
        for (const mask of kindsAt(i, [0x01, 0x20, 0xff, 0])) {
          const bytes = Buffer.from(whole);
          bytes[place] ^= mask;
          damaged.push(mask === 0 ? whole.subarray(0, place) : bytes);
        }
      const input = Buffer.concat([Buffer.from(`${damaged.map(({ length }) => length).join(' ')}\n`), ...damaged]);
      const oracle = spawnSync('python3', ['-W', 'ignore', '-c', ORACLE, ONE, TWO], { input, encoding: 'utf8' });
      equal(oracle.status, 0, oracle.stderr);
      const verdicts = oracle.stdout.trimEnd().split('\n');
      equal(verdicts.length, damaged.length);
      const truth = await opened(at(name));
      deepStrictEqual(truth?.codes, []);
      for (const [i, bytes] of damaged.entries()) {
        writeFileSync(at('damaged'), bytes);
        const answer = await opened(at('damaged'));
        if (answer === undefined || answer.codes.length > 0) continue;
        ok(verdicts[i] !== 'damaged', `${name}, damage ${i}: no problem`);
        deepStrictEqual(answer, truth, `${name}, damage ${i}: read otherwise without a problem`);
      }
    });
});

/** A copy of an archive with some bytes changed. */
function changed(name: string, change: (bytes: Buffer) => Buffer | undefined): string {
  const bytes = readFileSync(at(name));
  writeFileSync(at('changed'), change(bytes) ?? bytes);
  return at('changed');
}

const SECOND_HEADER = Buffer.from('PK\u0003\u0004');
const LIST = Buffer.from('PK\u0001\u0002');

describe('problems of the archive', () => {
  test('a damaged list is a problem of every recording, and of a member named on the command line', async () => {
    const path = changed('stored.zip', (bytes) => void bytes.fill(0, bytes.indexOf(LIST), bytes.indexOf(LIST) + 4));
    const all = await opened(path);
    deepStrictEqual([all?.codes, all?.complete], [['zip-list-damaged', 'zip-list-damaged'], false]);
    const oneMember = await opened(`${path}!/one`);
    // The member itself was read to its end.
    deepStrictEqual([oneMember?.codes, oneMember?.complete], [['zip-list-damaged'], true]);
  });

  test("a lost member is a problem of the archive's recordings, not of a member named on the command line", async () => {
    const path = changed(
      'stored.zip',
      (bytes) => void bytes.fill(0, bytes.indexOf(SECOND_HEADER, 1), bytes.indexOf(SECOND_HEADER, 1) + 4),
    );
    const all = await opened(path);
    deepStrictEqual([all?.codes, all?.complete], [['zip-damaged'], false]);
    deepStrictEqual((await opened(`${path}!/one`))?.codes, []);
    const options = { cache: false, announce: () => undefined, work: {} };
    await rejects(openInputs([`${path}!/two`], options), (error) => {
      ok(error instanceof UnreadableError);
      match(error.message, /!\/two: its header in the archive \(byte \d+\) is damaged or missing$/);
      return true;
    });
  });

  test('a list that lacks members', async () => {
    const path = changed('stored.zip', (bytes) => void bytes.writeUInt16LE(1, bytes.length - 12));
    const all = await opened(path);
    deepStrictEqual(all?.codes, ['zip-list-damaged', 'zip-list-damaged']);
    deepStrictEqual(all?.values, (await opened(at('stored.zip')))?.values);
  });

  test('a header of a tar archive, damaged or overwritten with zeros', async () => {
    for (const fill of [1, 0]) {
      const path = changed('x.tar', (bytes) => void bytes.fill(fill, 1024, 1536));
      const all = await opened(path);
      deepStrictEqual(all?.codes[0], 'tar-damaged-header');
      equal(all?.complete, false);
    }
  });

  test('are reported through archives in archives and gzip, each once', async () => {
    const cut = readFileSync(at('x.tar')).subarray(0, 1024 + 512 + 5);
    writeFileSync(at('cut.tar.gz'), gzipSync(cut).subarray(0, -4));
    const answer = await opened(at('cut.tar.gz'));
    // The second member is cut so early that nothing of it is recognised.
    deepStrictEqual(answer?.codes, ['gzip-damaged', 'tar-cut']);
    const script = `import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as z: z.write(sys.argv[2], 'in.tar')`;
    equal(spawnSync('python3', ['-c', script, at('outer.zip'), at('x.tar')]).status, 0);
    const outer = readFileSync(at('outer.zip'));
    outer.writeUInt16LE(7, outer.length - 12);
    writeFileSync(at('outer.zip'), outer);
    deepStrictEqual((await opened(`${at('outer.zip')}!/in.tar!/one`))?.codes, ['zip-list-damaged']);
  });

  test('an unreadable gzipped file is an error with the reason', async () => {
    const bytes = gzipSync(ONE);
    bytes[10] = 0xff;
    writeFileSync(at('broken.gz'), bytes);
    const options = { cache: false, announce: () => undefined, work: {} };
    await rejects(openInputs([at('broken.gz')], options), /broken\.gz: the gzip data is damaged/);
  });

  test('an intact folder has none', async () => {
    mkdirSync(at('whole'));
    writeFileSync(at('whole/one'), ONE);
    deepStrictEqual(await opened(at('whole')), {
      codes: [],
      complete: true,
      values: (await opened(at('whole/one')))?.values,
    });
  });
});
