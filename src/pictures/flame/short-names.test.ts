/** Ever shorter names of real functions. */
import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import { flamePicture } from './picture.js';
import { listNames, shortNames } from './short-names.js';

async function pictureOf(names: readonly string[]) {
  const text = names.map((name) => `${name} 1`).join('\n');
  const session = await openSession([memorySource('stacks.txt', new TextEncoder().encode(text))]);
  return flamePicture(await ask(session, { view: 'flame' }));
}

describe('names of boxes', () => {
  it('omit parameters, package, outer classes, class', async () => {
    const picture = await pictureOf(['java/util/HashMap$Node.get;a']);
    const id = picture.names.indexOf('java.util.HashMap$Node.get');
    deepEqual(shortNames(picture, id), ['java.util.HashMap$Node.get', 'HashMap$Node.get', 'Node.get', 'get']);
  });

  it('of hidden classes say which class they belong to, and no address', async () => {
    const path = join(ROOT, 'examples/jfr/shop.jfr.gz');
    const session = await openSession([memorySource(path, gunzipSync(readFileSync(path)))]);
    const picture = flamePicture(await ask(session, { view: 'flame' }));
    const hidden = picture.names.flatMap((name, id) => (/0x[0-9a-f]{8}/.test(name) ? [id] : []));
    ok(hidden.length > 0, 'the recording has hidden classes');
    for (const id of hidden) {
      const forms = shortNames(picture, id);
      ok(
        forms.every((form) => !/^\d/.test(form)),
        forms.join(),
      );
      ok(
        forms.some((form) => /^[A-Z][\w$]*\.\w+$/.test(form)),
        forms.join(),
      );
    }
    deepEqual(
      hidden
        .map((id) => shortNames(picture, id))
        .find(([name]) => name?.includes('$$Lambda'))
        ?.slice(-2)
        .map((form) => form.replace(/^\w+\$\$/, 'X$$$$')),
      ['X$$Lambda.run', 'run'],
    );
    await session.close();
  });
});

describe('names in lists', () => {
  it('keep class and method, and mark what is omitted', () => {
    deepEqual(listNames('java.util.regex.Pattern.sequence(java.util.regex.Pattern$Node)', 'java.util.regex'), [
      'java.util.regex.Pattern.sequence(java.util.regex.Pattern$Node)',
      'java.util.regex.Pattern.sequence(…)',
      '…util.regex.Pattern.sequence(…)',
      '…regex.Pattern.sequence(…)',
      '…Pattern.sequence(…)',
    ]);
    deepEqual(listNames('shop.Main$$Lambda$100/0x00007f656800acb8.run()', 'shop'), [
      'shop.Main$$Lambda$100/0x00007f656800acb8.run()',
      '…Main$$Lambda$100/0x00007f656800acb8.run()',
      '…Main$$Lambda.run()',
    ]);
    deepEqual(listNames('java.util.concurrent.ThreadPoolExecutor$Worker.run()', 'java.util.concurrent').slice(-2), [
      '…ThreadPoolExecutor$Worker.run()',
      '…Worker.run()',
    ]);
    deepEqual(listNames('main (tracer.py)', ''), ['main (tracer.py)']);
    deepEqual(listNames('hash', ''), ['hash']);
  });
});
