/**
 * How fast the page of a timeline draws in a real Chromium: script time of each frame, measured in the page.
 *
 *   node dist/bench/timeline/run.js [SPANS] [THREADS] [SEED]
 *
 * Prints p50, p95 and maximum of each kind of movement, the time to the first picture and the size of the heap.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { timelineHtml } from '../../src/cli/render/timeline-html.js';
import { SAMPLE_EVENTS } from '../../src/models/events/sample.js';
import { WAIT_EVENTS, WAIT_REASONS } from '../../src/models/events/wait.js';
import { StackBuilder } from '../../src/models/profile/stack-builder.js';
import { THREADS } from '../../src/models/profile/tables.js';
import { ProgramBuilder } from '../../src/models/program/program-builder.js';
import { ask, type Session, sessionOf } from '../../src/session/session.js';
import { Random } from '../../src/testing/random.js';
import { drawnRecording } from '../../src/testing/recordings.js';
import { measurePage, mouseMovements, repeat, say } from '../frames.js';

const [spans = 1_000_000, threads = 500, seed = 1] = process.argv.slice(2).map(Number);

/** Waits of four reasons, one after the other on each thread, and a fifth as many samples. */
function generate(): Session {
  const random = new Random(seed);
  const program = new ProgramBuilder();
  const named = THREADS.builder();
  for (let i = 0; i < threads; i++) named.add({ name: program.name(`http-nio-8080-exec-${i}`) });
  const waits = WAIT_EVENTS.having(['time']).builder();
  const samples = SAMPLE_EVENTS.having(['thread', 'time']).builder();
  const now = new Float64Array(threads);
  const reasons = (['park', 'enter', 'object-wait', 'sleep'] as const).map((reason) => WAIT_REASONS.indexOf(reason));
  for (let i = 0; i < spans; i++) {
    const thread = i % threads;
    const waited = 10_000 + random.below(random.below(50) === 0 ? 50_000_000 : 500_000);
    const time = (now[thread] ?? 0) + random.below(300_000);
    waits.add({ thread, time, reason: reasons[random.below(4)] ?? 0, waited });
    if (i % 5 === 0) samples.add({ stack: -1, thread, time: time - 1, count: 1 });
    now[thread] = time + waited;
  }
  const profile = {
    stacks: new StackBuilder().finish(),
    events: [waits.finish(), samples.finish()],
    metrics: [],
    threads: named.finish(),
  };
  return sessionOf([drawnRecording({ program: program.finish(), profile })]);
}

function movements(page: Page): Record<string, () => Promise<void>> {
  const { keyboard } = page;
  return {
    ...mouseMovements(page, 300),
    'walk and zoom': async () => {
      await keyboard.press('Escape');
      await repeat(page, 60, (i) => keyboard.press(['ArrowDown', 'ArrowRight', 'Enter', '-'][i % 4] ?? 'Enter'));
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'kansoku-bench-timeline-'));
const file = join(folder, 'timeline.html');
const session = generate();
const started = performance.now();
const result = await ask(session, { view: 'timeline', options: { buckets: 1, rows: true }, page: { limit: 0 } });
const asked = performance.now();
writeFileSync(file, timelineHtml(result));
say(
  `${result.lane_rows?.length} rows of ${threads} threads; made in ${Math.round(asked - started)} ms, written in ${Math.round(performance.now() - asked)} ms, ${(statSync(file).size / 1e6).toFixed(1)} MB`,
);
await measurePage(file, 'timeline-ready', [900, 400], movements);
rmSync(folder, { recursive: true });
