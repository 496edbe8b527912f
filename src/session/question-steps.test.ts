/**
 * The steps that a question lists are those that can change its answer: others are refused, or leave its rows as they are; and each of those can be
 * applied to a recording that has an answer.
 */
import { deepEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../base/errors.js';
import type { ScopeStep } from '../models/scope.js';
import { allQuestions } from '../questions/catalogue/index.js';
import { ROOT } from '../testing/shared-data.js';
import { openInputs } from './open.node.js';
import { ask, type Session } from './session.js';

const STEPS: readonly ScopeStep[] = [
  { kind: 'focus', pattern: '.' },
  { kind: 'ignore', pattern: '^java' },
  { kind: 'hide', pattern: '^java' },
  { kind: 'show', pattern: '^java' },
  { kind: 'thread', pattern: '.' },
  { kind: 'process', processes: '1' },
  { kind: 'origin', origins: ['own'] },
  { kind: 'state', states: ['runnable'] },
  { kind: 'filter', expression: 'duration > 1ms' },
  { kind: 'filter', expression: 'count > 1' },
  { kind: 'time', from: 0, to: 1e8 },
  { kind: 'at', event: 'jdk.ThreadPark#1' },
  { kind: 'during', events: 'jdk.ThreadPark' },
  { kind: 'view-mode', mode: 'user' },
  { kind: 'dump', number: 1 },
];

const RECORDINGS = [
  'jfr/shop.jfr.gz',
  'krisfoster-binary-tree.iprof',
  'heap/graph.hprof.gz',
  'experiment/shop.er.tar.gz',
  'experiment/store.er.tar.gz',
  'jvmpi/contended.jvmpi',
];

async function rowsOf(session: Session, question: string, scope: readonly ScopeStep[]): Promise<unknown> {
  const result = await ask(session, { question, options: {}, scope });
  return JSON.parse(JSON.stringify('rows' in result ? result.rows : result));
}

test('steps that a question does not list change nothing of its answer, and it takes those that it lists', async () => {
  const questions = (await allQuestions()).filter(({ steps, hasScope }) => hasScope && steps !== undefined);
  ok(questions.length > 8);
  const changedBy = new Set<string>();
  /** By question and step: whether a recording takes the step. */
  const isTaken = new Map<string, boolean>();
  let answers = 0;
  for (const name of RECORDINGS) {
    const session = await openInputs([join(ROOT, 'examples', name)], {
      cache: false,
      announce: () => undefined,
      work: {},
    });
    for (const { id, steps = [] } of questions) {
      const rows = await rowsOf(session, id, []).catch(() => undefined);
      if (rows === undefined) continue;
      answers++;
      for (const step of STEPS) {
        const scoped: unknown = await rowsOf(session, id, [step]).catch((error: unknown): unknown => {
          ok(error instanceof UsageError, `${id} ${step.kind}: ${String(error)}`);
          return undefined;
        });
        if (steps.includes(step.kind)) {
          const key = `${id}: ${step.kind}`;
          isTaken.set(key, scoped !== undefined || isTaken.get(key) === true);
          continue;
        }
        if (scoped === undefined) continue;
        try {
          deepEqual(scoped, rows);
        } catch {
          changedBy.add(`${id}: ${step.kind}, ${name}`);
        }
      }
    }
    await session.close();
  }
  ok(answers > 8);
  deepEqual([...changedBy], []);
  deepEqual(
    [...isTaken].flatMap(([key, is]) => (is ? [] : [key])),
    [],
  );
});
