/** Laws that the numbers of every HPROF text obey: sums have all data of the file, each once. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  exclusiveByStack,
  functionByStack,
  inclusiveByFunction,
  inclusiveByStack,
} from '../../../analysis/stacks/stack-values.js';
import type { Recording } from '../../../models/recording.js';
import { column } from '../../../models/table.js';
import { sharedData } from '../../../testing/shared-data.js';
import type { ContentSection } from './hprof-content.js';
import { seenByReader } from './hprof-seen.js';
import { type HprofText, hprofFixtures, hprofTexts, readTwice } from './hprof-texts.node.js';

const NS_PER_MS = 1e6;

function texts(t: TestContext): HprofText[] {
  const folder = sharedData(t, 'hprof/agent');
  return folder === undefined ? [] : [...hprofTexts(folder), ...hprofFixtures()];
}

function sum(numbers: Iterable<number>): number {
  let all = 0;
  for (const number of numbers) all += number;
  return all;
}

/** Totals that headings print lack their 33rd bit where they are negative. */
function totalOf({ total }: ContentSection): number {
  return total < 0 ? total + 2 ** 32 : total;
}

function functionSums(recording: Recording, id: string): { exclusive: Float64Array; inclusive: Float64Array } {
  const { profile, program } = recording;
  const metric = profile?.metrics.find((one) => one.id === id);
  if (profile === undefined || metric === undefined)
    return { exclusive: new Float64Array(), inclusive: new Float64Array() };
  const functions = functionByStack(profile.stacks, program);
  const values = exclusiveByStack(profile, metric);
  const exclusive = new Float64Array(program.functions.length);
  values.forEach((value, stack) => {
    exclusive[functions[stack]] += value;
  });
  const inclusive = inclusiveByFunction(
    profile.stacks,
    functions,
    inclusiveByStack(profile.stacks, values),
    program.functions.length,
  );
  return { exclusive, inclusive };
}

describe('conservation', () => {
  for (const [kind, id, unit] of [
    ['CPU SAMPLES', 'samples', 1],
    ['CPU TIME (ms)', 'time', NS_PER_MS],
  ] as const) {
    test(`the sum over functions is the total of ${kind}`, async (t) => {
      for (const text of texts(t)) {
        const { recording } = await readTwice(text);
        const sections = seenByReader(recording).sections.filter((section) => section.kind === kind && section.ended);
        const total = sum(sections.map(totalOf)) * unit;
        const { exclusive, inclusive } = functionSums(recording, id);
        assert.ok(Math.abs(sum(exclusive) - total) <= total * 1e-9, `${text.name}: ${sum(exclusive)} of ${total}`);
        // Inclusive values are sums of the same doubles in another order.
        exclusive.forEach((value, of) => {
          assert.ok(inclusive[of] >= value * (1 - 1e-9), `${text.name}: function ${of}`);
          assert.ok(inclusive[of] <= total * (1 + 1e-9), `${text.name}: function ${of}`);
        });
      }
    });
  }

  test('the values of rows are their printed shares, to the rounding', async (t) => {
    for (const text of texts(t)) {
      const { recording, truth } = await readTwice(text);
      const { sections, values, remainders } = seenByReader(recording);
      sections.forEach((section, i) => {
        if (section.rows.length === 0) return;
        const all = sum(values[i] ?? []) + (remainders[i] ?? 0);
        // Of time a row's value is its share, which two neighbouring roundings bound; of counts and bytes it is exact.
        const isTime = section.kind === 'CPU TIME (ms)' || section.kind === 'MONITOR TIME';
        const slack = isTime ? 1.5 : section.kind === 'SITES' ? 0.51 + 5000 / all : 0.501;
        section.rows.forEach(({ share }, row) => {
          const part = ((values[i]?.[row] ?? 0) / all) * 10000;
          assert.ok(Math.abs(part - share) <= slack, `${text.name} ${section.named} ${row}: ${part} for ${share}`);
        });
        if (section.kind === 'MONITOR TIME') {
          const factor = truth.jvmti ? 1e12 : NS_PER_MS;
          assert.ok(Math.abs(all - totalOf(section) * factor) <= all * 1e-9, `${text.name}: ${all}`);
        }
      });
    }
  });
});

describe('threads', () => {
  test('end after their start, and start before a dump that has them', async (t) => {
    for (const text of texts(t)) {
      const { recording, truth } = await readTwice(text);
      const { threads } = recording.profile ?? {};
      if (threads === undefined) continue;
      const [started, ended] = [column(threads, 'started'), column(threads, 'ended')];
      const starts = truth.items.filter((item) => item === 'thread-start').length;
      const ends = truth.items.filter((item) => item === 'thread-end').length;
      assert.equal(started.filter((at: number) => at >= 0).length, starts, text.name);
      assert.equal(ended.filter((at: number) => at >= 0).length, ends, text.name);
      for (let row = 0; row < threads.length; row++)
        assert.ok(ended[row] < 0 || ended[row] > started[row], `${text.name}: thread ${row}`);
    }
  });

  test('waited for the time in the file, at most the announced one', async (t) => {
    for (const text of texts(t)) {
      const { recording } = await readTwice(text);
      const waits = seenByReader(recording).waits.map((line) => line.split(' '));
      const open = new Map<string, number>();
      for (const [how = '', , time, thread = ''] of waits) {
        if (how === 'wait') open.set(thread, Number(time));
        const longest = open.get(thread) ?? 0;
        // A monitor is entered again before the wait is over: on a busy machine that takes a while.
        if (how === 'waited' && longest > 0) assert.ok(Number(time) <= longest + 1000, `${text.name}: ${time}`);
      }
    }
  });
});
