/** Stripped profiles as files: sizes, names, and the reported notes. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fixture, readBytes, readText } from '../formats/iprof/testing/iprof-documents.js';
import { strippableKinds } from './strip.js';
import { stripProfile } from './strip.node.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-strip-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const whole = fixture('all-sections-1.1.0.iprof');

describe('a stripped file', () => {
  test('reports its unpacked size, and the number of symbols left', async () => {
    const plain = await stripProfile(await readBytes(whole), at('plain.iprof'));
    const packed = await stripProfile(await readBytes(whole), at('packed.iprof.gz'));
    deepStrictEqual(plain.bytes, { before: whole.length, after: statSync(at('plain.iprof')).size });
    deepStrictEqual(packed.bytes, plain.bytes);
    const { types, methods } = JSON.parse(readFileSync(at('plain.iprof'), 'utf8'));
    deepStrictEqual([plain.classes.after, plain.functions.after], [types.length, methods.length]);
    deepStrictEqual(plain.unexplained, { sections: [], elements: 0 });
  });

  test('without names has no data that may contain names', async () => {
    const json = {
      ...JSON.parse(new TextDecoder().decode(whole)),
      secretProfiles: ['shop.Cart'],
      otherProfiles: [1],
    };
    const options = { anonymise: { salt: 'pepper' } };
    const { unexplained } = await stripProfile(await readText(JSON.stringify(json)), at('nameless.iprof'), options);
    deepStrictEqual(unexplained.sections, ['ceConditionalProfilesV2', 'secretProfiles', 'otherProfiles']);
    ok(!/shop|secret/.test(readFileSync(at('nameless.iprof'), 'utf8')));
  });

  test('is not written if nothing would be left, nor as another format', async () => {
    const recording = await readBytes(whole);
    await rejects(stripProfile(recording, at('none.iprof'), { kinds: [] }), /would remove every entry of test\.iprof/);
    await rejects(
      stripProfile(recording, at('none.iprof'), { kinds: [], inputs: ['in.iprof'] }),
      /would remove every entry of in\.iprof/,
    );
    await rejects(stripProfile(recording, at('none.collapsed')), /strip writes only \.iprof/);
    await rejects(
      stripProfile(recording, at('none.iprof'), { anonymise: { keep: '(' } }),
      /not a regular expression: \(/,
    );
    ok(!existsSync(at('none.iprof')) && !existsSync(at('none.collapsed')));
  });
});

test('kinds that can be chosen', () => {
  equal(strippableKinds().join(), 'call,branch,receiver,instanceof,monitor,sample');
});
