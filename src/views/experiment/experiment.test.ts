/** Processes and what the system counted of them, against what gprofng prints of the same experiments. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session } from '../../session/session.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

async function opened(t: { after(run: () => Promise<void>): void }, path: string): Promise<Session> {
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {}, inlinedFrames: false });
  t.after(() => session.close());
  return session;
}

const NAMES = ['descend', 'java17', 'pauses', 'threads-sync', 'synthetic-hwc'];
const EXAMPLE = join(ROOT, 'examples', 'experiment', 'store.er.tar.gz');

/** Lines of gprofng's statistics by label, the same keys as in our rows. */
const LABELS: Readonly<Record<string, string>> = {
  user: 'User CPU',
  system: 'System CPU',
  trap: 'Trap CPU',
  locks: 'User Lock',
  data_faults: 'Data Page Fault',
  text_faults: 'Text Page Fault',
  kernel_faults: 'Kernel Page Fault',
  stopped: 'Stopped',
  cpu_waits: 'Wait CPU',
  sleep: 'Sleep',
  duration: 'Duration (sec.)',
};
const COUNTS: Readonly<Record<string, string>> = {
  minor_faults: 'Minor Page Faults',
  major_faults: 'Major Page Faults',
  swaps: 'Process swaps',
  blocks_read: 'Input blocks',
  blocks_written: 'Output blocks',
  signals: 'Signals handled',
  voluntary_switches: 'Voluntary context switches',
  involuntary_switches: 'Involuntary context switches',
};

/** The texts behind these labels; `0.` of nothing is 0.000. */
function textsOf(part: string, labels: Readonly<Record<string, string>>): Record<string, string> {
  const texts = Object.entries(labels).map(([key, label]) => {
    const [, text = ''] = new RegExp(`^ *${label.replace(/[().]/g, '\\$&')}: +([\\d.]+)`, 'm').exec(part) ?? [];
    return [key, text === '0.' ? '0.000' : text];
  });
  return Object.fromEntries(texts);
}

function secondsOf(row: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, (Number(row[key]) / 1e9).toFixed(3)]));
}

function countsOf(row: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, String(row[key])]));
}

describe('what the system counted', () => {
  for (const name of NAMES)
    test(`of ${name} and of its samples is what gprofng prints`, async (t) => {
      const folder = sharedData(t, 'experiments');
      if (folder === undefined) return;
      const session = await opened(t, join(folder, `${name}.er.tar.gz`));
      const expected = (file: string): string => readFileSync(join(folder, 'expected', name, `${file}.txt`), 'utf8');
      const { rows } = await ask(session, { view: 'usage', page: { limit: 0 } });
      const [, ...parts] = expected('statistics').split(/^Experiment: .*$/m);
      // The peer leaves out processes without events.
      const { rows: processes } = await ask(session, { view: 'processes', page: { limit: 0 } });
      const shown = rows.filter(({ process }) => process === 1 || processes[process - 1]?.events !== 0);
      equal(shown.length, parts.length);
      for (const [i, part] of parts.entries()) {
        const row = shown[i] ?? {};
        deepEqual(secondsOf(row, Object.keys(LABELS)), textsOf(part, LABELS));
        deepEqual(countsOf(row, Object.keys(COUNTS)), textsOf(part, COUNTS));
      }
      const samples = await ask(session, { view: 'usage', options: { by: 'sample' }, page: { limit: 0 } });
      const each = expected('sample_detail')
        .split(/^ *Sample Number: \d+$/m)
        .slice(1);
      const own = samples.rows.filter(({ process }) => process === 1 || processes[process - 1]?.events !== 0);
      equal(own.length, each.length);
      for (const [i, part] of each.entries())
        deepEqual(secondsOf(own[i] ?? {}, Object.keys(LABELS)), textsOf(part, LABELS));
    });
});

describe('processes', () => {
  for (const name of NAMES)
    test(`of ${name} are those of the header that gprofng prints`, async (t) => {
      const folder = sharedData(t, 'experiments');
      if (folder === undefined) return;
      const session = await opened(t, join(folder, `${name}.er.tar.gz`));
      const { rows } = await ask(session, { view: 'processes', page: { limit: 0 } });
      const header = readFileSync(join(folder, 'expected', name, 'header.txt'), 'utf8');
      const parts = header.split(/^-{64}$/m);
      const shown = rows.filter(({ process, events }) => process === 1 || events > 0);
      deepEqual(
        shown.map(({ pid, parent, command, duration, recorded }) => [pid, parent, command, duration, recorded]),
        parts.map((part) => {
          const [, pid, parent] = /pid (\d+), ppid (\d+)/.exec(part) ?? [];
          const [, command] = /Target command \(\d+-bit\): '(.*)'/.exec(part) ?? [];
          const nanoseconds = (label: string): number => {
            const [, whole = '', rest = ''] = new RegExp(`^${label}: (\\d+)\\.(\\d{9})$`, 'm').exec(part) ?? [];
            return Number(whole) * 1e9 + Number(rest);
          };
          return [
            Number(pid),
            Number(parent),
            command,
            nanoseconds('Experiment Ended'),
            nanoseconds('Data Collection Duration'),
          ];
        }),
      );
    });

  test('machine, kinds of data and descendants', async (t) => {
    const session = await opened(t, EXAMPLE);
    const { rows, machine, data, headlines, started } = await ask(session, { view: 'processes' });
    deepEqual(
      rows.map(({ command, descendant, ended }) => [command, descendant, ended]),
      [
        ['./store', null, true],
        ['(fork)', '_f1', true],
      ],
    );
    ok(machine.cpus > 0 && (machine.memory ?? 0) > 1e9 && (started ?? 0) > 1.7e12);
    deepEqual(
      data.map(({ kind, interval }) => [kind, interval]),
      [
        ['memory', null],
        ['io', null],
        ['clock', 10_007_000],
      ],
    );
    match(headlines.join('\n'), /Recorded: native memory; input and output; clock samples every 10\.01 ms/);
  });

  test('pauses of the recorder are not in the time that was recorded', async (t) => {
    const folder = sharedData(t, 'experiments');
    if (folder === undefined) return;
    const session = await opened(t, join(folder, 'pauses.er.tar.gz'));
    const { pauses, rows } = await ask(session, { view: 'processes' });
    equal(pauses.length, 3);
    const paused = pauses.reduce((sum, { from, to }) => sum + to - from, 0);
    equal((rows[0]?.recorded ?? 0) + paused, rows[0]?.duration);
  });

  test('a recording without them, and a scope, have no answer', async (t) => {
    const jfr = await opened(t, join(ROOT, 'examples', 'jfr', 'shop.jfr.gz'));
    await rejects(ask(jfr, { view: 'processes' }), /does not describe its processes/);
    const session = await opened(t, EXAMPLE);
    const scope = [{ kind: 'thread', pattern: '.' } as const];
    await rejects(ask(session, { view: 'usage', scope }), /cannot be selected by a scope/);
  });
});
