/** A second ask of a question computes nothing over whole tables again: it runs no stage. */
import { deepStrictEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openInputs } from '../session/open.node.js';
import { ask, type Question, type Session } from '../session/session.js';
import { ROOT } from '../testing/shared-data.js';
import type { ViewName } from './index.js';

/** Stages whose value is put together of kept ones at each ask. */
const PASSING: ReadonlySet<string> = new Set(['call graph with its index']);

/** A question, and a stage that its first ask runs: by default, the one of parts of answers. */
type Case = readonly [question: Question<ViewName>, stage?: string];

const KEPT_PART = 'part of an answer';

/** The stages that an ask runs, by what it reports when they begin. */
async function stagesOf(session: Session, question: Question<ViewName>): Promise<string[]> {
  const stages: string[] = [];
  await ask(session, question, { progress: ({ phase }) => stages.push(phase) });
  return stages.filter((stage) => !PASSING.has(stage));
}

function runsNothingAgain(name: string, files: readonly string[], questions: readonly Case[]): void {
  describe(name, () => {
    for (const [question, stage = KEPT_PART] of questions)
      test(`${question.view} ${JSON.stringify(question.options ?? {})}`, async () => {
        const inputs = files.map((file) => join(ROOT, 'examples', ...file.split('/')));
        const session = await openInputs(inputs, { announce: () => undefined, work: {}, cache: false });
        try {
          ok((await stagesOf(session, question)).includes(stage));
          deepStrictEqual(await stagesOf(session, question), []);
        } finally {
          await session.close();
        }
      });
  });
}

runsNothingAgain(
  'a recording of JFR',
  ['jfr/shop.jfr.gz'],
  [
    [{ view: 'summary' }, 'contention by function'],
    [{ view: 'functions' }],
    [{ view: 'callers', options: { function: 'main' } }],
    [{ view: 'tree', options: { durations: true } }, 'durations below nodes'],
    [{ view: 'flame', options: { samples: true } }],
    [{ view: 'sites', options: { by: 'class' } }, 'allocation sites'],
    [{ view: 'monitors', options: { contention: true } }, 'contention'],
    [{ view: 'threads' }, 'lives of threads'],
    [{ view: 'gc' }, 'garbage collection'],
    [{ view: 'gc-groups', options: { by: 'cause' } }],
    [{ view: 'timeline', options: { rows: true } }, 'timeline'],
    [{ view: 'event-groups', options: { types: ['*'], by: ['thread'] } }],
  ],
);

runsNothingAgain(
  'a report of calls',
  ['points-to/call_tree_shop-1.txt'],
  [
    [{ view: 'summary' }, 'summary of calls'],
    [{ view: 'calls-why', options: { method: '*main*' } }],
    [{ view: 'calls-callers', options: { method: '*main*' } }],
    [{ view: 'calls-tree' }],
    [{ view: 'calls-graph', options: { method: '*main*' } }],
    [{ view: 'calls-entries' }],
    [{ view: 'calls-groups', options: { by: 'class' } }],
    [{ view: 'calls-cut', options: { by: 'class' } }],
    [{ view: 'calls-check', options: { forbid: ['*main*'] } }],
  ],
);

runsNothingAgain(
  'two thread dumps',
  ['threads/dump-1.txt', 'threads/dump-2.txt'],
  [[{ view: 'threads', base: 'r2' }], [{ view: 'thread-groups' }, 'groups of threads'], [{ view: 'monitors' }]],
);

runsNothingAgain(
  'a PGO profile',
  ['krisfoster-binary-tree.iprof'],
  [[{ view: 'pgo-hot' }], [{ view: 'pgo-branches' }], [{ view: 'pgo-receivers' }]],
);

runsNothingAgain(
  'two reports of calls',
  ['points-to/call_tree_shop-2.txt', 'points-to/call_tree_shop-1.txt'],
  [[{ view: 'calls-diff', base: 'r2' }], [{ view: 'calls-diff', base: 'r2', options: { by: 'site' } }]],
);

runsNothingAgain(
  'two heap dumps',
  ['heap/cache-after.hprof.gz', 'heap/cache-before.hprof.gz'],
  [[{ view: 'heap-paths', options: { class: '.*' } }], [{ view: 'diff', base: 'r2' }]],
);

runsNothingAgain(
  'an experiment',
  ['experiment/store.er.tar.gz'],
  [
    [{ view: 'functions', scope: [{ kind: 'hide', pattern: 'main' }] }],
    [{ view: 'sites', options: { memory: 'native' } }, 'allocation sites'],
    [{ view: 'io-files' }],
    [{ view: 'io-sizes' }],
    [{ view: 'memory' }],
  ],
);
