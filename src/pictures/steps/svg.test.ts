/** The picture of steps: the numbers of its result, and nothing where a step has none. */
import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import { type StepsResult, ticksTo } from './chart.js';
import { stepsPage } from './page.js';
import { stepsSvg } from './svg.js';

const session = await openInputs([join(ROOT, 'examples/jfr/shop.jfr.gz')], {
  cache: false,
  announce: () => undefined,
  work: {},
});
after(() => session.close());

const groupsBy = (by: string, value?: string): Promise<StepsResult> =>
  ask(session, {
    view: 'event-groups',
    options: { types: ['jdk.JavaMonitorEnter'], by: [by], ...(value !== undefined && { value }) },
    page: { limit: 0 },
  });

/** Tooltips of steps, as lines. */
function tooltips(svg: string): string[][] {
  return [...svg.matchAll(/<g><title>([^<]*)<\/title>/g)].map(([, text = '']) => text.split('\n'));
}

describe('a picture of steps', () => {
  test('has each step with its numbers; lines have as many points as there are values', async () => {
    const result = await groupsBy('time:100ms', 'duration');
    const svg = stepsSvg(result, []);
    const steps = tooltips(svg);
    equal(steps.length, result.total);
    const empty = steps.filter((lines) => lines.includes('p99: none')).length;
    const [valued, none] = [
      result.rows.filter(({ p99 }) => p99 !== null),
      result.rows.filter(({ p99 }) => p99 === null),
    ];
    ok(valued.length > 3 && none.length > 3, 'the recording has steps of both kinds');
    equal(empty, none.length);
    const paths = [...svg.matchAll(/<path d="(M[^"]*)" fill="none" stroke="#c53030"/g)].map(([, path = '']) => path);
    equal(paths.length, 1);
    equal(paths[0]?.match(/[ML]/g)?.length, valued.length);
    // A line begins anew behind each gap.
    const starts = result.rows.filter(
      ({ p99 }, i) => p99 !== null && (result.rows[i - 1]?.p99 ?? null) === null,
    ).length;
    equal(paths[0]?.match(/M/g)?.length, starts);
  });

  test('has bars that are as high as their numbers', async () => {
    const result = await groupsBy('duration:20ms');
    const bars = [...stepsSvg(result, []).matchAll(/height="([\d.]+)" fill="#7aa6d8"/g)].map(([, height]) =>
      Number(height),
    );
    const counts = result.rows.map(({ events }) => events).filter((count) => count > 0);
    equal(bars.length, counts.length);
    const scale = (bars[0] ?? 0) / (counts[0] ?? 1);
    for (const [i, count] of counts.entries())
      ok(Math.abs((bars[i] ?? 0) - count * scale) < 0.1, `${bars[i]} for ${count}`);
  });

  test('needs steps', async () => {
    const result = await groupsBy('eventThread');
    throws(
      () => stepsSvg(result, []),
      (error) => error instanceof UsageError && error.code === 'no-steps',
    );
    await rejects(groupsBy('time:0s'), UsageError);
  });

  test('is a page without scripts, with the numbers as a table', async () => {
    const result = await groupsBy('time:100ms', 'duration');
    const page = stepsPage(result, [], () => "default-src 'none'");
    equal([...page.matchAll(/<tr>/g)].length, result.total + 1);
    ok(!page.includes('<script'));
  });

  test('has axes that reach their largest number at round steps', () => {
    deepEqual(
      [0, 1, 7, 100, 1234].map((most) => ticksTo(most).at(-1)),
      [0, 1, 8, 100, 1500],
    );
  });
});
