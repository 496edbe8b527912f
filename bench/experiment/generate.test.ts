/** Generated heap traces: we and gprofng find what the generator wrote, and the same functions. */
import { deepEqual } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openInputs } from '../../src/session/open.node.js';
import { ask } from '../../src/session/session.js';
import { generate } from './generate.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-generated-'));
after(() => rmSync(folder, { recursive: true }));

const METRICS = ['heap-leaked', 'heap-leaks', 'heap-bytes', 'heap-allocations'];

for (const threads of [1, 3]) {
  test(`a heap trace of ${threads} threads`, async (t) => {
    if (spawnSync('gprofng', ['--version']).status !== 0) return t.skip('gprofng is not installed');
    const path = join(folder, `${threads}.er`);
    const facts = generate(path, 0.8, threads);
    const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
    const functions = new Map<string, number[]>();
    const sums: number[] = [];
    for (const metric of METRICS) {
      const result = await ask(session, { view: 'functions', options: { metric }, page: { limit: 0 } });
      sums.push(result.metric.sum);
      for (const row of result.rows) {
        const name = row.function.replace(' ([generated code])', '');
        functions.set(name, [...(functions.get(name) ?? []), row.total ?? 0]);
      }
    }
    await session.close();
    deepEqual([sums[0], sums[2], sums[3]], [facts.leaked, facts.bytes, facts.allocations]);
    const printed = execFileSync('gprofng', ['display', 'text', '-functions', path], { encoding: 'utf8', cwd: folder });
    const peer = printed.split('\n').flatMap((line): [string, number[]][] => {
      const [, values = '', name = ''] = /^((?:\s*\d+){4})\s+(\S+)$/.exec(line) ?? [];
      return name === '' ? [] : [[name, values.trim().split(/\s+/).map(Number)]];
    });
    deepEqual(new Map([['<Total>', sums], ...functions]), new Map(peer));
  });
}
