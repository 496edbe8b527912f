/** Every view of a recording of every profiler: an answer, or the reason why there is none. Nothing else, and no answer without content. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { KansokuError } from '../base/errors.js';
import { ROOT } from '../testing/shared-data.js';
import { isViewName, VIEWS, type ViewName } from '../views/index.js';
import { openInputs } from './open.node.js';
import { ask, type Session } from './session.js';

/** One file of each format, the function that questions are about, and the views that must answer. */
const FILES: readonly (readonly [path: string, function_: string, answers: readonly ViewName[]])[] = [
  ['pprof/fixtures/warehouse-cpu.pb.gz', 'main.pack', []],
  ['pprof/fixtures/warehouse-heap.pb.gz', 'main.pack', []],
  ['perf-script/fixtures/own-depot-fields.perf.txt.gz', 'main', ['threads', 'timeline']],
  ['otlp/testing/fixtures/layout-1.11.otlp', 'main', ['threads', 'timeline']],
  ['cpuprofile/fixtures/node20-warehouse.cpuprofile', 'a', ['timeline']],
  ['heapprofile/fixtures/node20-warehouse.heapprofile', 'a', []],
  ['firefox-processed/fixtures/own-depot-v70.json', 'main', ['threads', 'timeline']],
  ['speedscope/fixtures/depot.speedscope.json', 'main', ['threads', 'timeline']],
  ['collapsed/fixtures/ap44-threads.collapsed', 'main', ['threads']],
];

/** What all of these recordings have: stacks with values. */
const ALWAYS: readonly ViewName[] = [
  'summary',
  'check',
  'functions',
  'callers',
  'tree',
  'flame',
  'event-types',
  'diff',
];

/** Views of two recordings. */
const COMPARING: ReadonlySet<ViewName> = new Set(['diff', 'calls-diff', 'calls-unreached']);

const optionsOf = (name: string): Readonly<Partial<Record<ViewName, object>>> => ({
  callers: { function: name },
  source: { name },
  disasm: { method: name },
  events: { types: ['sample'] },
  'event-groups': { types: ['sample'], by: ['thread'] },
  'heap-inspect': { object: '0x10' },
  'heap-paths': { object: '0x10' },
  'calls-why': { method: name },
  'calls-callers': { method: name },
  'calls-graph': { method: name },
  'calls-groups': { by: 'package' },
  'calls-check': { forbid: ['java.util.**'] },
  'calls-smallest-cut': { bytes: '10' },
  'pgo-inlining': { method: name },
});

for (const [path, name, answers] of FILES)
  describe(path, () => {
    let session: Session;
    before(async () => {
      const file = join(ROOT, 'src', 'formats', path);
      session = await openInputs([file, file], { cache: false, announce: () => undefined, work: {} });
    });
    after(() => session.close());

    for (const view of Object.keys(VIEWS).filter(isViewName))
      test(view, async () => {
        const options = optionsOf(name)[view] ?? {};
        try {
          const sides = { recording: 'r1', ...(COMPARING.has(view) ? { base: 'r2' } : {}) };
          const result = await ask(session, { view, ...sides, options });
          assert.ok(JSON.stringify(result).length > 20, 'an empty answer');
        } catch (error) {
          assert.ok(error instanceof KansokuError, String(error));
          assert.ok(error.message.length > 10 && error.code !== 'failed', error.message);
          assert.ok(![...ALWAYS, ...answers].includes(view), error.message);
        }
      });
  });
