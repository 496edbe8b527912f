/** Files written from recordings: the reported notes, and no remaining temporary files. */
import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { noteTexts } from '../cli/render/spelling.js';
import { fixture, readBytes } from '../formats/iprof/testing/iprof-documents.js';
import { drawn } from '../testing/pictures/random-picture.js';
import { drawnRecording } from '../testing/recordings.js';
import { convertRecording, salvageRecording } from './convert.node.js';
import { writeRecording } from './write.node.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-convert-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

const stacks = drawnRecording(
  drawn([
    { frames: ['main', 'work'], thread: 'main', time: 0, count: 2 },
    { frames: ['main', 'rest'], thread: 'main', time: 1, count: 3 },
  ]),
);
const profile = fixture('all-sections-1.1.0.iprof');

describe('convert', () => {
  test('the events within a scope, with notes', async () => {
    const { notes, dropped } = await convertRecording(stacks, at('work.collapsed'), {
      scope: [{ kind: 'focus', pattern: 'work' }],
    });
    match(noteTexts(notes).join('\n'), /^In scope: 1 of 2 events/);
    deepStrictEqual(dropped, ['the times of the events']);
    equal(read('work.collapsed'), 'main;work 2\n');
  });

  test('a scope without events is an error that names the file as the user did', async () => {
    const scope = [{ kind: 'focus', pattern: 'nosuch' }] as const;
    await rejects(convertRecording(stacks, at('none.collapsed'), { scope }), /the scope selects nothing in drawn/);
    await rejects(
      convertRecording(stacks, at('none.collapsed'), { scope, inputs: ['in.txt'] }),
      /the scope selects nothing in in\.txt/,
    );
    ok(!readdirSync(folder).some((name) => name.startsWith('none')));
  });

  test('data that a version does not support is dropped and reported', async () => {
    const { dropped } = await convertRecording(await readBytes(profile), at('old.iprof'), { version: '1.0.0' });
    match(dropped.join('\n'), /instance-of entr(y|ies): not supported by version 1\.0\.0/);
    equal(JSON.parse(read('old.iprof')).version, '1.0.0');
  });
});

test('salvage: errors, entries that were read, and a file without faults', async () => {
  const recording = await readBytes(profile.subarray(0, -40));
  const { errors, entries } = await salvageRecording(recording, at('whole.iprof'));
  ok(errors.length > 0 && errors.every(({ severity }) => severity === 'error'));
  const again = await readBytes(readFileSync(at('whole.iprof')));
  ok(again.complete);
  equal(
    entries,
    recording.sections.reduce((sum, section) => sum + section.entries, 0),
  );
});

test('a file that differs from the intended content never replaces another', async () => {
  await writeRecording(stacks, at('kept.collapsed'));
  const before = read('kept.collapsed');
  const verify = () => Promise.reject(new Error('not as it was meant'));
  await rejects(writeRecording(stacks, at('kept.collapsed'), { verify }), /not as it was meant/);
  equal(read('kept.collapsed'), before);
  deepStrictEqual(
    readdirSync(folder).filter((name) => name.startsWith('kept')),
    ['kept.collapsed'],
  );
});
