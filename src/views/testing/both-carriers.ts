/** Tests of what a question answers on both carriers of the workspace. */
import { deepStrictEqual, rejects } from 'node:assert/strict';
import { UsageError } from '../../base/errors.js';
import type { Question } from '../../session/session.js';
import { directWorkspace } from '../../session/workspace/direct.node.js';
import { workerWorkspace } from '../../session/workspace/worker.node.js';
import type { Workspace } from '../../session/workspace/workspace.js';
import { kept } from '../../testing/kept.js';
import type { ResultOf, ViewName } from '../index.js';

/** Some recordings, opened by both carriers: their ids are `r1`, `r2` … */
export interface BothCarriers {
  /** The answer, which is the same on both. */
  ask<Name extends ViewName>(question: Question<Name>): Promise<ResultOf<Name>>;
  /** Both refuse the question with an error of this code. */
  refuse(question: Question<ViewName>, code: string): Promise<void>;
}

/** Both carriers of the test process: a thread loads the modules of all views, which takes longer than most questions. */
const keptCarriers = kept(
  async () => ({ direct: directWorkspace(), worker: workerWorkspace() }),
  async ({ direct, worker }) => {
    await Promise.all([direct.end(), worker.end()]);
  },
);

/** The recordings that both carriers have open, and their ids there: those of the test that opened some last. */
let open: { readonly names: readonly string[]; readonly ids: readonly string[] } = { names: [], ids: [] };

/** Opens recordings, or goes on with those of the test before if they are the same. Tests of one process are one after the other. */
export async function openedByBoth(names: readonly string[]): Promise<BothCarriers> {
  const { direct, worker } = await keptCarriers();
  const carriers = [direct, worker];
  if (names.join('\n') !== open.names.join('\n')) open = { names, ids: await reopened(carriers, names) };
  const { ids } = open;
  return {
    ask: async (plain) => {
      const question = withIds(plain, ids);
      const answer = await direct.ask(question);
      deepStrictEqual(
        JSON.parse(JSON.stringify(await worker.ask(question))),
        JSON.parse(JSON.stringify(answer)),
        JSON.stringify(question),
      );
      return answer;
    },
    refuse: async (plain, code) => {
      const question = withIds(plain, ids);
      for (const workspace of carriers)
        await rejects(workspace.ask(question), (error) => error instanceof UsageError && error.code === code);
    },
  };
}

/** Closes what is open, then opens these recordings. Their ids, which are the same on all carriers. */
async function reopened(carriers: readonly Workspace[], names: readonly string[]): Promise<readonly string[]> {
  const lists: string[][] = [];
  for (const workspace of carriers) {
    for (const { id } of await workspace.list()) await workspace.close(id);
    lists.push((await workspace.open({ names, cache: false })).map(({ id }) => id));
  }
  const [ids = [], ...otherLists] = lists;
  for (const list of otherLists) deepStrictEqual(list, ids);
  return ids;
}

/** The question about `r1`, `r2` … with the ids of the carriers. */
function withIds<Name extends ViewName>(question: Question<Name>, ids: readonly string[]): Question<Name> {
  const idOf = (name: string): string => ids[Number(name.slice(1)) - 1] ?? name;
  const { recording, base } = question;
  return {
    ...question,
    ...(recording !== undefined && { recording: idOf(recording) }),
    ...(base !== undefined && { base: idOf(base) }),
  };
}
