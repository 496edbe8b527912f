/** Differences of object trees by root, against the lines below each root. */
import { deepEqual, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const TREE = readFileSync(join(ROOT, 'examples/points-to/object_tree_shop.txt'), 'utf8');

/** By root: lines with `id=` below it; or its own lines, if its value is not suppressed. */
function linesOf(text: string, ofRoots: boolean): Map<string, number> {
  const counts = new Map<string, number>();
  const lines = text.split('\n');
  let root = '';
  for (const [i, line] of lines.entries()) {
    const [, name, rest] = /^[├└]── root (.*?) (value:|id-ref=|toString=)/.exec(line) ?? [];
    root = name ?? root;
    const isObject = rest === 'id-ref=' || (rest === 'value:' && / id=\d+ /.test(lines[i + 1] ?? ''));
    counts.set(root, (counts.get(root) ?? 0) + (ofRoots ? Number(isObject) : Number(/ id=\d+ /.test(line))));
  }
  return counts;
}

/** The third root is removed. */
const SMALLER = (() => {
  const lines = TREE.split('\n');
  const starts = lines.flatMap((line, i) => (/^[├└]── root /.test(line) ? [i] : []));
  return [...lines.slice(0, starts[2]), ...lines.slice(starts[3])].join('\n');
})();

describe('a difference of heaps by root', () => {
  const differenceOf = async (metric: string) => {
    const session = await openSession([TREE, SMALLER].map((text, i) => memorySource(`tree ${i}`, Buffer.from(text))));
    return ask(session, { view: 'diff', base: 'r2', options: { by: 'root', metric, all: true }, page: { limit: 0 } });
  };

  it('joins roots with and without loader', async () => {
    const loaded = TREE.replace(/── root (?=\S)/g, '── root app:');
    const session = await openSession([loaded, TREE].map((text, i) => memorySource(`tree ${i}`, Buffer.from(text))));
    const { states } = await ask(session, { view: 'diff', base: 'r2', options: { by: 'root', metric: 'roots' } });
    deepEqual([states.new, states.gone, states.changed], [0, 0, 0]);
  });

  for (const [metric, ofRoots] of [
    ['live-objects', false],
    ['roots', true],
  ] as const)
    it(`has the ${metric} of each root on both sides`, async () => {
      const [before, after] = [linesOf(SMALLER, ofRoots), linesOf(TREE, ofRoots)];
      const expectedRows = [...after]
        .map(([name, now]) => `${name} ${before.get(name) ?? 0} ${now}`)
        .filter((row) => !row.endsWith(' 0 0'));
      deepEqual(
        (await differenceOf(metric)).rows.map(({ name, base, value }) => `${name} ${base} ${value}`).sort(),
        expectedRows.sort(),
      );
    });

  it('has two metrics', () => rejects(differenceOf('calls'), /not all recordings have the metric calls/));
});
