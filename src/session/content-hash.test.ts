/** Content hashes: the same for the same content, however it is packed; and those that other programs compute. */
import { equal, match, notEqual, rejects } from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { MissingError, UnreadableError, UsageError } from '../base/errors.js';
import { memorySource } from '../bytes/byte-source.js';
import { temporaryFolder } from '../testing/byte-sources.js';
import { picture } from '../testing/pictures/picture.js';
import { drawnRecording } from '../testing/recordings.js';
import { ROOT } from '../testing/shared-data.js';
import { openGrowing } from './growing.node.js';
import { openInputs } from './open.node.js';
import { contentHash, openSession, sessionOf } from './session.js';

const STACKS = 'main;work 3\nmain;rest 4\n';
const EXPERIMENT = join(ROOT, 'src/formats/experiment/fixtures/cpu-samples.er.tar.gz');

function hashOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function opened(t: TestContext, ...names: readonly string[]) {
  const session = await openInputs(names, { cache: false, announce: () => undefined, work: {} });
  t.after(() => session.close());
  return session;
}

async function hashOfInput(t: TestContext, name: string): Promise<string> {
  return contentHash(await opened(t, name));
}

describe('the content hash of', () => {
  test('a file, a compressed one and a member of an archive is that of its bytes', async (t) => {
    const folder = await temporaryFolder(t);
    writeFileSync(join(folder, 'a.collapsed'), STACKS);
    writeFileSync(join(folder, 'b.gz'), gzipSync(STACKS));
    execFileSync('tar', ['-czf', 'c.tgz', 'a.collapsed'], { cwd: folder });
    for (const name of ['a.collapsed', 'b.gz', 'c.tgz', 'c.tgz!/a.collapsed'])
      equal(await hashOfInput(t, join(folder, name)), hashOf(STACKS), name);
  });

  test('a pipe, which is read only once, is that of its bytes', async (t) => {
    const folder = await temporaryFolder(t);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    writeFileSync(join(folder, 'stacks'), STACKS);
    spawn('sh', ['-c', 'cat stacks > pipe'], { cwd: folder });
    equal(await hashOfInput(t, pipe), hashOf(STACKS));
  });

  test('bytes in memory needs nothing of Node', async (t) => {
    const session = await openSession([memorySource('a', Buffer.from(STACKS))]);
    t.after(() => session.close());
    equal(await contentHash(session), hashOf(STACKS));
  });

  test('a file that is larger than what is read at once', async (t) => {
    const folder = await temporaryFolder(t);
    const text = Array.from({ length: 150_000 }, (_, i) => `main;work${i % 1000} ${i + 1}\n`).join('');
    writeFileSync(join(folder, 'large'), text);
    equal(await hashOfInput(t, join(folder, 'large')), hashOf(text));
    const session = await openSession([memorySource('large', Buffer.from(text))]);
    equal(await contentHash(session), hashOf(text));
  });

  test('a set of files is that of the list that sha256sum makes, also in an archive', async (t) => {
    const folder = await temporaryFolder(t);
    execFileSync('tar', ['-xzf', EXPERIMENT, '-C', folder]);
    const [inner = ''] = execFileSync('ls', [folder], { encoding: 'utf8' }).split('\n');
    const list = "find . -type f -printf '%P\\n' | LC_ALL=C sort | xargs sha256sum | sha256sum";
    const [expected = ''] = execFileSync('sh', ['-c', list], { cwd: join(folder, inner), encoding: 'utf8' }).split(' ');
    match(expected, /^[0-9a-f]{64}$/);
    equal(await hashOfInput(t, join(folder, inner)), expected);
    equal(await hashOfInput(t, EXPERIMENT), expected);
    appendFileSync(join(folder, inner, 'log.xml'), '\n');
    notEqual(await hashOfInput(t, join(folder, inner)), expected);
  });

  test('each of several recordings is its own, by id', async (t) => {
    const folder = await temporaryFolder(t);
    writeFileSync(join(folder, 'a'), STACKS);
    writeFileSync(join(folder, 'b'), `${STACKS}main 1\n`);
    const session = await opened(t, join(folder, 'a'), join(folder, 'b'));
    equal(await contentHash(session, 'r2'), hashOf(`${STACKS}main 1\n`));
    equal(await contentHash(session, 'r1'), hashOf(STACKS));
    await rejects(contentHash(session, 'r3'), UsageError);
  });

  test('a large file is kept on disk by the identity that the cache has of it', async (t) => {
    const folder = await temporaryFolder(t);
    const text = 'main;work 1\n'.repeat(1_500_000);
    const path = join(folder, 'large');
    writeFileSync(path, text);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const before = process.env.XDG_CACHE_HOME;
    process.env.XDG_CACHE_HOME = join(folder, 'cache');
    t.after(() => {
      if (before === undefined) delete process.env.XDG_CACHE_HOME;
      else process.env.XDG_CACHE_HOME = before;
    });
    const phases: string[] = [];
    const hashOfFile = async () => {
      const session = await openInputs([path], { cache: true, announce: () => undefined, work: {} });
      const hash = await contentHash(session, 'r1', { progress: ({ phase }) => phases.push(phase) });
      await session.close();
      return hash;
    };
    equal(await hashOfFile(), hashOf(text));
    equal(phases.includes('hashing'), true);
    phases.length = 0;
    equal(await hashOfFile(), hashOf(text));
    equal(phases.includes('hashing'), false);
  });
});

describe('there is no content hash of', () => {
  test('a file that has changed since it was opened', async (t) => {
    const folder = await temporaryFolder(t);
    const path = join(folder, 'a');
    writeFileSync(path, STACKS);
    const session = await opened(t, path);
    appendFileSync(path, 'main 1\n');
    await rejects(contentHash(session), (error) => error instanceof UnreadableError && /changed/.test(error.message));
  });

  test('a recording that was made in memory, or that grows', async (t) => {
    await rejects(contentHash(sessionOf([drawnRecording(picture('main'))])), MissingError);
    const folder = await temporaryFolder(t);
    mkdirSync(join(folder, 'jfr'));
    cpSync(join(ROOT, 'examples/jfr/shop.jfr.gz'), join(folder, 'shop.jfr.gz'));
    const path = join(folder, 'jfr', 'shop.jfr');
    execFileSync('sh', ['-c', `gzip -dc "${join(folder, 'shop.jfr.gz')}" > "${path}"`]);
    equal(readFileSync(path).subarray(0, 3).toString(), 'FLR');
    const session = await openGrowing(path);
    t.after(() => session.close());
    await rejects(contentHash(session), MissingError);
  });
});
