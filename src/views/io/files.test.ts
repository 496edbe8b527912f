/** Input and output by file: of an experiment against what gprofng prints, of drawn calls, and of a recording of JFR. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session } from '../../session/session.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

async function opened(t: { after(run: () => Promise<void>): void }, path: string): Promise<Session> {
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {}, inlinedFrames: false });
  t.after(() => session.close());
  return session;
}

/** Rows of gprofng's lists: seconds of reading, writing, other calls and failed ones, and the name. */
function rowsOfPeer(text: string): { times: readonly string[]; name: string }[] {
  return text.split('\n').flatMap((line) => {
    const [, ...cells] = /^([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +(.*)$/.exec(line) ?? [];
    const [name = '', ...times] = [...cells].reverse();
    return name === '' || name === '<Total>' ? [] : [{ times: times.reverse(), name }];
  });
}

/** `0.001`, `0.` of nothing, as gprofng writes nanoseconds in seconds. */
const seconds = (time: number): string => (time === 0 ? '0.' : (time / 1e9).toFixed(3));

const PEER_NAMES: Readonly<Record<string, string>> = {
  '<pipe(), socket(), or other fds>': '<unnamed>',
  '<Other IO activity>': '<no file>',
};

describe('input and output of an experiment', () => {
  test('the times of each file are those that gprofng prints', async (t) => {
    const folder = sharedData(t, 'experiments');
    if (folder === undefined) return;
    const session = await opened(t, join(folder, 'io-trace.er.tar.gz'));
    for (const [by, list] of [
      ['file', 'ioactivity'],
      ['opening', 'iodetail'],
    ] as const) {
      const expected = rowsOfPeer(readFileSync(join(folder, 'expected', 'io-trace', `${list}.txt`), 'utf8'));
      const { rows } = await ask(session, { view: 'io-files', options: { by }, page: { limit: 0 } });
      const ownLines = rows.map(({ read_time, write_time, other_time, error_time, descriptor, name }) => {
        const number = descriptor === null ? '' : `, FD=${descriptor}`;
        return `${[read_time, write_time, other_time, error_time].map(seconds).join(' ')} ${name}${by === 'opening' ? number : ''}`;
      });
      const expectedLines = expected.map(({ times, name }) => {
        const [, file = name, descriptor = ''] = /^(.*) \(IOVFD=\d+(.*)\)$/.exec(name) ?? [];
        return `${times.join(' ')} ${PEER_NAMES[file] ?? file}${by === 'opening' ? descriptor : ''}`;
      });
      // The peer leaves out what nobody opened; it is in the row of files without a name.
      deepEqual(ownLines.filter((row) => !row.startsWith('0. 0. 0.000 0. <unnamed>')).sort(), expectedLines.sort());
    }
  });

  test('a descriptor of each process is its own, and calls in scope keep their files', async (t) => {
    const session = await opened(t, join(ROOT, 'examples', 'experiment', 'store.er.tar.gz'));
    const filesOf = async (thread: string) => {
      const scope = [{ kind: 'thread', pattern: thread } as const];
      const { rows } = await ask(session, { view: 'io-files', scope, page: { limit: 0, sort: 'name' } });
      return rows.map(({ name, reads, writes, others, errors }) => [name, reads, writes, others, errors]);
    };
    deepEqual(await filesOf('^_f1 '), [['copy.bin', 0, 100, 2, 0]]);
    deepEqual(await filesOf('^thread 1'), [
      ['<no file>', 0, 0, 1, 0],
      ['no/such/file', 0, 0, 0, 1],
      ['records.bin', 5, 400, 4, 0],
      ['records.idx', 0, 1, 2, 0],
    ]);
    const late = [{ kind: 'filter', expression: 'operation = file-read' } as const];
    const { rows } = await ask(session, { view: 'io-files', options: { by: 'opening' }, scope: late });
    deepEqual(
      rows.map(({ name, read, descriptor }) => [name, read, descriptor]),
      [['records.bin', 25600, 3]],
    );
  });
});

test('input and output of JFR is by path or host; it has no descriptors', async (t) => {
  const session = await opened(t, join(ROOT, 'examples', 'jfr', 'shop.jfr.gz'));
  const { rows, read } = await ask(session, { view: 'io-files' });
  deepEqual(
    rows.map(({ name, reads, writes }) => [name.replace(/:\d+$/, ':port'), reads, writes]),
    [
      ['127.0.0.1:port', 435, 0],
      ['127.0.0.1:port', 1, 0],
    ],
  );
  equal(
    rows.reduce((sum, row) => sum + row.read, 0),
    read,
  );
  await rejects(ask(session, { view: 'io-files', options: { by: 'opening' } }), /no descriptors/);
});

test('a recording without calls has no answer', async (t) => {
  const session = await opened(t, join(ROOT, 'examples', 'experiment', 'shop.er.tar.gz'));
  await rejects(ask(session, { view: 'io-files' }), /no calls of input and output/);
});
