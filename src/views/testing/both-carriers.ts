/** Tests of what a question answers on both carriers of the workspace. */
import { deepStrictEqual, rejects } from 'node:assert/strict';
import { UsageError } from '../../base/errors.js';
import type { Question } from '../../session/session.js';
import { directWorkspace } from '../../session/workspace/direct.node.js';
import { workerWorkspace } from '../../session/workspace/worker.node.js';
import type { ResultOf, ViewName } from '../index.js';

/** Some recordings, opened by both carriers: their ids are `r1`, `r2` … */
export interface BothCarriers {
  /** The answer, which is the same on both. */
  ask<Name extends ViewName>(question: Question<Name>): Promise<ResultOf<Name>>;
  /** Both refuse the question with an error of this code. */
  refuse(question: Question<ViewName>, code: string): Promise<void>;
}

/** Opens recordings until the test ends. */
export async function openedByBoth(
  test: { after: (end: () => Promise<void>) => void },
  names: readonly string[],
): Promise<BothCarriers> {
  const [direct, worker] = [directWorkspace(), workerWorkspace()];
  test.after(async () => {
    await Promise.all([direct.end(), worker.end()]);
  });
  const request = { names, cache: false };
  for (const workspace of [direct, worker]) await workspace.open(request);
  return {
    ask: async (question) => {
      const answer = await direct.ask(question);
      deepStrictEqual(
        JSON.parse(JSON.stringify(await worker.ask(question))),
        JSON.parse(JSON.stringify(answer)),
        JSON.stringify(question),
      );
      return answer;
    },
    refuse: async (question, code) => {
      for (const workspace of [direct, worker])
        await rejects(workspace.ask(question), (error) => error instanceof UsageError && error.code === code);
    },
  };
}
