/** Opening with made-up formats: sets of files, sources that stay open, and closing. */
import { deepStrictEqual, equal, match, rejects } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FormatError } from '../base/errors.js';
import { readHead } from '../bytes/byte-source.js';
import { commandLineText } from '../cli/render/spelling.js';
import type { SetFormat } from '../formats/capabilities/sets.js';
import type { Format } from '../formats/format.js';
import { picture } from '../testing/pictures/picture.js';
import { drawnRecording } from '../testing/recordings.js';
import { type OpenOptions, openInputs } from './open.node.js';
import { ask } from './session.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-open-'));
after(() => rmSync(folder, { recursive: true }));

function written(files: Record<string, string>): string {
  const root = mkdtempSync(join(folder, 'tree-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const drawn = (name: string) => drawnRecording({ ...picture('App.main'), name });
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Files that begin with DRAWN; of a folder with a and b, both are one recording. */
const sets: SetFormat = {
  claims: ({ members }) => {
    const paths = new Set(members.map(({ path }) => path));
    const folders = [...paths].filter((path) => path.endsWith('/a')).map((path) => path.slice(0, -2));
    const recordings = folders
      .filter((each) => paths.has(`${each}/b`))
      .map((each) => ({
        folder: each,
        parts: new Map([
          ['a', `${each}/a`],
          ['b', `${each}/b`],
        ]),
      }));
    return recordings.length === 0 ? undefined : { title: 'drawn set', because: 'a and b', recordings };
  },
  read: async (tree, { folder: folderName, parts }) => {
    const texts = await Promise.all(
      [...parts.values()].map(async (path) => latin1(await readHead(await tree.open(path), 100))),
    );
    return drawn(`${folderName}: ${texts.join(' ')}`);
  },
};

const drawnFormat: Format = {
  id: 'drawn',
  title: 'drawn file',
  extensions: [],
  probe: ({ text }) => ({ confidence: text.startsWith('DRAWN') ? 1 : 0, because: 'it begins with DRAWN' }),
  read: async (source) => drawn(latin1(await readHead(source, 100))),
  sets,
};

const options = (format: Format, messages: string[] = []): OpenOptions => ({
  cache: false,
  announce: (message) => messages.push(commandLineText(message)),
  work: {},
  formats: [format],
});

describe('sets of files', () => {
  test('are one recording each; other files beside them are separate recordings', async () => {
    const messages: string[] = [];
    const root = written({
      'one/a': 'DRAWN A',
      'one/b': 'B',
      'two/a': 'x',
      'two/b': 'y',
      'c/a': 'DRAWN alone',
      note: '?',
    });
    const session = await openInputs([root], options(drawnFormat, messages));
    deepStrictEqual(
      session.recordings.map(({ name }) => name),
      ['one: DRAWN A B', 'two: x y', 'DRAWN alone'],
    );
    match(messages.join(), /skipped 1 file/);
    equal((await ask(session, { view: 'functions', recording: 'r2' })).rows.length, 1);
    await session.close();
  });
});

const nothing = () => Promise.reject(new Error('nothing asks for events'));

/** The same files, whose events are read from the source as long as it is open. */
function keeping(closed: string[]): Format {
  return {
    ...drawnFormat,
    events: {
      outline: nothing,
      reader: (source) => {
        Object.defineProperty(source, 'close', { value: async () => closed.push(source.name) });
        return { read: nothing, parts: async function* () {} };
      },
    },
  };
}

describe('sources', () => {
  test('that are read later stay open until the session is closed, once', async () => {
    const root = written({ plain: 'DRAWN plain', 'packed.gz': '' });
    writeFileSync(join(root, 'packed.gz'), gzipSync('DRAWN packed'));
    const names = [join(root, 'plain'), join(root, 'packed.gz')];
    const closed: string[] = [];
    const session = await openInputs(names, options(keeping(closed)));
    deepStrictEqual(closed, []);
    equal((await ask(session, { view: 'functions', recording: 'r2' })).rows.length, 1);
    await session.close();
    deepStrictEqual(closed, names);
  });

  test('are closed if a later input cannot be opened', async () => {
    const root = written({ good: 'DRAWN good', bad: 'DRAWN bad' });
    const closed: string[] = [];
    const failing: Format = {
      ...keeping(closed),
      read: (source, work) => {
        if (source.name.endsWith('bad'))
          throw new FormatError({ format: 'drawn', offset: 0, expected: 'sense', found: 'none' });
        return drawnFormat.read(source, work);
      },
    };
    await rejects(openInputs([join(root, 'good'), join(root, 'bad')], options(failing)), FormatError);
    deepStrictEqual(closed, [join(root, 'good')]);
  });
});
