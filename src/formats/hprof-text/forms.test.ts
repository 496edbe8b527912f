/** Texts that locales, mails, logs and shells changed have the same content as the untouched ones. */
import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { detect } from '../../session/inputs/detect.js';
import { ask, sessionOf } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import { hprofText } from './index.js';

const FOLDER = join(ROOT, 'src', 'formats', 'hprof-text', 'testing', 'fixtures');
const NAMES = ['both-cpu-samples.txt', 'contend-monitor.txt', 'jvmpi.txt'];

const eachLine = (change: (line: string) => string) => (text: string) => text.split('\n').map(change).join('\n');

const FORMS: readonly (readonly [name: string, change: (text: string) => string])[] = [
  ['decimal commas', (text) => text.replace(/(\d)\.(\d\d%)/g, '$1,$2')],
  ['eight blanks', eachLine((line) => line.replace(/^\t/, '        '))],
  ['no-break spaces', eachLine((line) => line.replace(/^\t/, '\u00a0\u202f'))],
  ['escaped tabs', eachLine((line) => line.replace(/^\t/, '#011'))],
  // Lines of heap dumps need their indentation.
  ['no indentation of frames', eachLine((line) => line.replace(/^\t(?=\S+\([^()]*\)$|<empty>$)/, ''))],
  ['indented', eachLine((line) => `    ${line}`)],
  ['quoted', eachLine((line) => (line === '' ? '>' : `> ${line}`))],
  ['CR LF', (text) => text.replaceAll('\n', '\r\n')],
  ['CR', (text) => text.replaceAll('\n', '\r')],
];

async function answers(bytes: Uint8Array): Promise<unknown> {
  const source = memorySource('x', bytes);
  const recording = await (await detect(source)).read(source);
  const session = sessionOf([recording]);
  const functions = await ask(session, { view: 'functions', page: { limit: 0 } });
  return {
    rows: functions.rows,
    metadata: recording.metadata,
    sections: recording.sections,
    complete: recording.complete,
    codes: Object.keys(recording.problems.counts),
  };
}

for (const name of NAMES) {
  test(`${name} in every form, alone and in UTF-16 without a mark`, async () => {
    const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll('\r\n', '\n');
    const plainAnswers = await answers(Buffer.from(text));
    let trials = 0;
    for (const [form, change] of FORMS) {
      const changed = change(text);
      if (changed === text) continue;
      trials++;
      deepEqual(await answers(Buffer.from(changed)), plainAnswers, form);
      deepEqual(await answers(Buffer.from(changed, 'utf16le')), plainAnswers, `${form}, UTF-16`);
    }
    ok(trials >= 8, `${trials} forms`);
  });
}

async function written(text: string): Promise<string> {
  const recording = await hprofText.read(memorySource('x', Buffer.from(text)));
  const output = await hprofText.writer?.file?.write(recording, {});
  return Buffer.concat([...(output?.chunks ?? [])]).toString();
}

test('a text in another form is written back as the agent writes it', async () => {
  const text = readFileSync(join(FOLDER, 'both-cpu-samples.txt'), 'utf8');
  for (const [form, change] of FORMS) ok((await written(change(text))) === (await written(text)), form);
});
