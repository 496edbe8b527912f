/** `kansoku flame` as users run it: its files, their permissions, and errors. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { hasProgram } from '../../scripts/testing/programs.js';
import { ask } from '../session/session.js';
import { picture } from '../testing/pictures/picture.js';
import { picturedSession } from '../testing/pictures/pictured-session.js';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { flameSvg } from './render/flame-svg.js';
import { withTexts } from './render/spelling.js';
import { runCommand } from './testing/run-command.js';
import { spawnCommand } from './testing/spawn-command.js';

/** Small, with all sections: commands that are refused need no more. */
const PROFILE_SLICE = join(ROOT, 'src/formats/iprof/testing/fixtures/slice-0.2.0.iprof');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-flame-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const run = (...words: readonly string[]) => runCommand(['flame', ...words]);

interface CarriedData {
  readonly results: { metric: { id: string }; inverted: boolean; nodes: { length: number } }[];
  readonly omitted: string[];
}

function dataOf(page: string): CarriedData {
  const [, packed = ''] = /id="flame-data">([^<]*)</.exec(page) ?? [];
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8'));
}

/** The results that a page carries. */
const carried = (page: string): CarriedData['results'] => dataOf(page).results;

/** Calls and branches, each in `leaves` contexts of `depth` frames that end in different methods. */
function deepIprof(leaves: number, depth: number): string {
  const method = (id: number) => ({ id, name: `m${id}`, signature: [0, 1] });
  const above = Array.from({ length: depth - 1 }, (_, i) => `${i}:1`).join('<');
  const contexts = Array.from({ length: leaves }, (_, i) => `${depth + i}:0<${above}`);
  return JSON.stringify({
    version: '1.0.0',
    types: ['C', 'void'].map((name, id) => ({ id, name })),
    methods: Array.from({ length: depth + leaves }, (_, id) => method(id)),
    callCountProfiles: contexts.map((ctx) => ({ ctx, records: [5] })),
    conditionalProfiles: contexts.map((ctx) => ({ ctx, records: [3, 0, 7, 9, 1, 2] })),
  });
}

const SHOP = ['--inverted', '--focus', 'BinaryTrees'];

describe('kansoku flame', () => {
  it('names in one note the metrics that are too large for the page, and none that has no graph', async () => {
    writeFileSync(at('deep.iprof'), deepIprof(420, 500));
    equal((await run(at('deep.iprof'), '--inverted', '-o', at('deep.html'))).status, EXIT.done);
    const { results, omitted } = dataOf(readFileSync(at('deep.html'), 'utf8'));
    deepStrictEqual(
      results.map(({ metric, nodes }) => [metric.id, nodes.length]),
      [['calls', 420 * 500]],
    );
    deepStrictEqual(omitted, ['Left out for size: Branches taken.']);
  });

  it('writes one page, for its owner only, and leaves nothing else behind', async () => {
    const { status, stdout, stderr } = await run(BINARY_TREE, ...SHOP, '-o', at('out.html'));
    equal(status, EXIT.done, stderr);
    equal(stdout, '');
    match(stderr, /out\.html: \d+ boxes, .*KB\nIn scope: .*\nInverted: /);
    equal(statSync(at('out.html')).mode & 0o777, 0o600);
    deepStrictEqual(
      readdirSync(folder).filter((name) => name.startsWith('out')),
      ['out.html'],
    );
    const page = readFileSync(at('out.html'), 'utf8');
    ok(
      !/(?:src|href)\s*=|https?:\/\/(?!www\.w3\.org)/.test(page.replace(/<script.*?<\/script>/gs, '')),
      'names no other file',
    );
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const script = page.slice(page.lastIndexOf('<script>') + 8, page.lastIndexOf('</script>'));
    const style = page.slice(page.indexOf('<style>') + 7, page.indexOf('</style>'));
    deepStrictEqual(policy.split('; '), [
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      'worker-src blob:',
      "connect-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('contains the result of --json with its notes as data, and the other metrics only if none was chosen', async () => {
    const jsonResult = JSON.parse((await run(BINARY_TREE, ...SHOP, '--json')).stdout);
    const all = carried(spawnCommand(['flame', BINARY_TREE, ...SHOP, '-o', '-']).stdout);
    // Handles are for programs, which read JSON.
    deepStrictEqual(withTexts(all[0]), { ...jsonResult, stacks: null });
    equal(jsonResult.stacks.length, jsonResult.nodes.length);
    deepStrictEqual(
      all.map(({ metric, inverted }) => [metric.id, inverted]),
      [
        ['calls', true],
        ['branches', true],
        ['receivers', true],
      ],
    );
    equal((await run(BINARY_TREE, ...SHOP, '--metric', 'branches', '-o', at('one.html'))).status, EXIT.done);
    const one = carried(readFileSync(at('one.html'), 'utf8'));
    deepStrictEqual(
      one.map(({ metric }) => metric.id),
      ['branches'],
    );
  });

  it('compares with a base', async () => {
    const { status, stderr } = await run(BINARY_TREE, ...SHOP, '--base', BINARY_TREE, '-o', at('diff.html'));
    equal(status, EXIT.done, stderr);
    match(stderr, /Compared with .*krisfoster-binary-tree\.iprof/);
  });

  it('writes the readable part of a damaged file, and reports it', async () => {
    const whole = readFileSync(BINARY_TREE);
    writeFileSync(at('cut.iprof'), whole.subarray(0, whole.length * 0.6));
    const { status, stderr } = await run(at('cut.iprof'), '--inverted', '-o', at('cut.html'));
    equal(status, EXIT.partial);
    match(stderr, /Part of the input could not be read/);
    ok(carried(readFileSync(at('cut.html'), 'utf8')).length > 0);
  });

  const input = at('input.html');
  copyFileSync(PROFILE_SLICE, input);
  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['no output', [PROFILE_SLICE], /missing output file\n.*-o out\.html/],
    ['an ending of nothing', [PROFILE_SLICE, '-o', at('out.png')], /Use \.html or \.svg/],
    ['both kinds of output', [PROFILE_SLICE, '--json', '-o', at('x.html')], /exclude each other/],
    [
      'counts of places from the roots down',
      [PROFILE_SLICE, '-o', at('x.html')],
      /calls do not add up along stacks.*\nUse --inverted/,
    ],
    [
      'scaling without a base',
      [PROFILE_SLICE, '--inverted', '--normalise', '-o', at('x.html')],
      /--normalise needs a recording to compare with\nName it with --base/,
    ],
    ['a share that is none', [PROFILE_SLICE, '--inverted', '--min-share', '101', '-o', at('x.html')], /percentage/],
    ['its input', [input, '--inverted', '-o', input], /is also the input/],
    ['its base', [PROFILE_SLICE, '--base', input, '--inverted', '-o', input], /is also the input/],
    ['a folder that is not there', [PROFILE_SLICE, '--inverted', '-o', at('no/x.html')], /no such directory/],
  ];
  for (const [subject, words, message] of refused) {
    it(`does not accept ${subject}`, async () => {
      const { status, stdout, stderr } = await run(...words);
      equal(status, EXIT.usage, stderr);
      match(stderr, message);
      equal(stdout, '');
      deepStrictEqual(
        readdirSync(folder).filter((name) => name.startsWith('x.')),
        [],
      );
    });
  }
});

const READ_SVG = `
import sys, json, xml.etree.ElementTree as tree
svg = '{http://www.w3.org/2000/svg}'
root = tree.parse(sys.stdin).getroot()
assert root.tag == svg + 'svg'
def box(rect): return {k: rect.get(k) for k in ('x', 'y', 'width', 'fill')}
print(json.dumps({
    'role': root.get('role'), 'labelled': root.get('aria-labelledby'),
    'title': root.findtext(svg + 'title'), 'desc': root.findtext(svg + 'desc'),
    'tips': [t.text for t in root.iter(svg + 'title')][1:],
    'boxes': [box(r) for r in root.iter(svg + 'rect')][1:],
    'texts': [[t.text, s.get('x'), s.get('width')] for s in root.iter(svg + 'svg') for t in s.findall(svg + 'text') if s is not root],
}))`;

describe('the SVG', () => {
  const rows = [
    ['@count', '60', '30', '10'],
    ['', '<script>alert(1)', 'A&B.c', 'A&B.c'],
    ['', '観測点.計測', '"d"'],
  ];
  const source = picture(rows.map((row) => row.map((cell) => cell.padEnd(20)).join('')).join('\n'));

  it('is well-formed, with numbers as tooltips and texts within their boxes', async (t) => {
    if (!hasProgram(t, 'python3')) return;
    const svg = flameSvg(await ask(picturedSession(source), { view: 'flame' }));
    const { status, stdout, stderr } = spawnSync('python3', ['-c', READ_SVG], { input: svg, encoding: 'utf8' });
    equal(status, 0, stderr);
    const read = JSON.parse(stdout);
    equal(read.role, 'img');
    equal(read.labelled, 'title description');
    equal(read.title, 'Flame graph of count: picture 1');
    match(read.desc, /100 total, 4 boxes\./);
    deepStrictEqual(read.tips, [
      'all count, self 0, total 100, 100.00 % of all',
      '<script>alert(1), self 0, total 60, 60.00 % of all',
      'A&B.c, self 10, total 40, 40.00 % of all',
      '観測点.計測, self 60, total 60, 60.00 % of all',
      '"d", self 30, total 30, 30.00 % of all',
    ]);
    const widths = read.boxes.map((box: { width: string }) => Math.round(Number(box.width)));
    deepStrictEqual(widths, [1183, 710, 473, 710, 355]);
    for (const [text, x, width] of read.texts) {
      const box = read.boxes.find((one: { x: string }) => one.x === x);
      ok(box !== undefined && Number(width) <= Number(box.width), text);
    }
    ok(!/<script|https?:\/\/(?!www\.w3\.org\/2000\/svg")/.test(svg), 'no script, nothing from elsewhere');
  });

  it('leaves out invisible boxes, and reports it', async () => {
    const { status, stderr } = await run(BINARY_TREE, '--inverted', '-o', at('out.svg'));
    equal(status, EXIT.done, stderr);
    match(stderr, /Omitted: [\d,]+ of 20,159 nodes \(less than 0\.10 % of all\)/);
    match(readFileSync(at('out.svg'), 'utf8'), /Omitted: /);
    ok(statSync(at('out.svg')).size < 200_000);
    equal(statSync(at('out.svg')).mode & 0o777, 0o600);
  });
});
