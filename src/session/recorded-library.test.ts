/** Lines and bytecode of methods from the copies in an experiment, against what gprofng prints for it. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInputs } from './open.node.js';
import { ask } from './session.js';

const DATA = process.env.KANSOKU_DATA;

async function opened(folder: string) {
  const options = { cache: false, announce: () => undefined, work: {}, library: {} };
  return openInputs([join(folder, 'experiments/java17.er.tar.gz')], options);
}

test('functions by line have the lines of the class files in an experiment: those that gprofng lists, with its times', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const text = readFileSync(join(DATA, 'experiments/expected/java17/lines.txt'), 'utf8');
  const row = /^ *([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+ .* (Work\S*)\(.*\), line (\d+) in "Work.java"$/gm;
  const expected = [...text.matchAll(row)].map(
    ([, self, total, name, line]) => `${name}:${line} ${Number(self)} ${Number(total)}`,
  );
  const session = await opened(DATA);
  const { rows } = await ask(session, {
    view: 'functions',
    options: { metric: 'cpu', by: 'line' },
    page: { limit: 0 },
  });
  await session.close();
  const seconds = (nanos: number | null | undefined): number => Number(((nanos ?? 0) / 1e9).toFixed(3));
  const ownRows = rows.flatMap(({ function: label, self, total }) => {
    const [, name, line] = /^(.*)\(Work\.java:(\d+)\)$/.exec(label) ?? [];
    return name === undefined ? [] : [`${name}:${line} ${seconds(self)} ${seconds(total)}`];
  });
  ok(expected.length > 10);
  deepStrictEqual(ownRows.sort(), expected.sort());
});

test('disasm takes the class files in an experiment: lines and indexes are those of gprofng, sums are those of its list', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const text = readFileSync(join(DATA, 'experiments/expected/java17/disasm-spin-user.txt'), 'utf8');
  const expected = [...text.matchAll(/\[ *(\d+)\] ([\da-f]{8}):/g)].map(
    ([, line, bci]) => `${Number(line)} ${Number.parseInt(bci ?? '', 16)}`,
  );
  const options = { cache: false, announce: () => undefined, work: {}, library: {} };
  const session = await openInputs([join(DATA, 'experiments/java17.er.tar.gz')], options);
  const { rows } = await ask(session, {
    view: 'disasm',
    options: { method: 'Work.spin', metric: 'cpu' },
    page: { limit: 0 },
  });
  const ownPlaces = rows.flatMap(({ kind, line, bci }) => (kind === 'instruction' ? [`${line} ${bci}`] : []));
  deepStrictEqual(ownPlaces, expected);
  const spent = rows.reduce((sum, { self }) => sum + (self ?? 0), 0);
  const functions = await ask(session, { view: 'functions', options: { metric: 'cpu' }, page: { limit: 0 } });
  equal(spent, functions.rows.find((row) => row.function === 'Work.spin(long)')?.self);
  await session.close();
});
