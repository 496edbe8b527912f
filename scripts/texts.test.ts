/** What the product says below its fronts: each code is explained, and no text speaks in flags. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from './testing/programs.js';
import { findTexts } from './texts.js';

const { noteCodes, errorCodes, flags } = findTexts(ROOT);

/** The codes in the table below a heading of docs/notes.md. */
function documentedCodes(heading: string): string[] {
  const page = readFileSync(join(ROOT, 'docs/notes.md'), 'utf8');
  const [section = ''] = page.slice(page.indexOf(`## ${heading}`) + 3).split('\n## ');
  return [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code = '']) => code);
}

test('docs/notes.md explains all codes of notes, and no others', () => {
  assert.ok(noteCodes.size > 100);
  assert.deepEqual(documentedCodes('Codes of notes'), [...noteCodes].sort());
});

test('docs/notes.md explains all codes of errors, and no others', () => {
  assert.ok(errorCodes.size > 100);
  assert.deepEqual(documentedCodes('Codes of errors'), [...errorCodes].sort());
});

/** Texts with flags, and why they are none of ours. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/formats/known/json.ts: output of `jfr print --json`': 'a flag of another tool, in the name of its output',
  'src/analysis/stale/verdict.ts: contradicts --old-classes: ':
    'a cell of `pgo stale`: cells are texts in every output',
  'src/questions/catalogue/calls.ts: --observed examples/points-to/shop.collapsed': 'a part of examples',
  'src/questions/catalogue/pgo.ts: examples/loops/loops.iprof --classes examples/loops': 'a part of examples',
  'src/questions/catalogue/recording.ts: --classes examples/loops': 'a part of examples',
  'src/questions/catalogue/recording.ts:  --source-path examples/loops': 'a part of examples',
  'src/questions/catalogue/entry.ts: classes that the profile was recorded with, for an exact answer; same syntax as --classes':
    'help of the command line, which the description of an input is',
  'src/questions/catalogue/recording.ts: with --counts: class path, for receiver types that inherit a method':
    'help of the command line, which the description of an input is',
};

test('no text below the fronts has a flag of the command line', () => {
  assert.deepEqual([...flags].sort(), Object.keys(ALLOWED).sort());
});

const folder = mkdtempSync(join(tmpdir(), 'kansoku-texts-'));
after(() => rmSync(folder, { recursive: true }));

test('texts, templates and phrases are searched; comments, fronts and tests are not', () => {
  const files = {
    'src/views/said.ts': [
      "import { note } from '../base/note.js';",
      '/** Omit --comment. */',
      "note('plain', 'Omit --by.');",
      `note(few ? 'few' : 'many', \`\${count} rows (--limit 0).\`, { about: { column: 'code' } });`,
      "const entry = { examples: ['functions FILE --by line'], code: 'x' };",
      "const word = 'java -- -jar a-- b';",
      `throw new UsageError('no', { code: 'refused', advice: phrase\`\${a} and --of\` });`,
      "export const REMEDY = { code: 'remedy', advice: 'Omit it.' };",
      "log.add({ code: 'a-problem', severity: 'info', advice: 'none' });",
      "class Refusal { static readonly code = 'usual'; readonly code = 'own'; }",
    ],
    'src/views/said.test.ts': ["note('tested', '--tested');"],
    'src/formats/other.ts': ["note('other', 'a note of another kind');"],
    'src/cli/front.ts': ["new UsageError('--front');"],
  };
  for (const [path, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), lines.join('\n'));
  }
  const said = findTexts(folder);
  assert.deepEqual([...said.noteCodes], ['plain', 'few', 'many']);
  assert.deepEqual([...said.errorCodes].sort(), ['refused', 'remedy', 'usual']);
  assert.deepEqual(said.flags, [
    'src/views/said.ts: Omit --by.',
    'src/views/said.ts:  rows (--limit 0).',
    'src/views/said.ts:  and --of',
  ]);
});
