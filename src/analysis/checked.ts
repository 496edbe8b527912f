/** All that is wrong with a recording: what reading met, and what only a check finds. */
import { joinProblems, type Problems } from '../base/problems.js';
import { type OpenRecording, type Stage, type Subject, type Use, use } from '../models/open-recording.js';
import type { Recording } from '../models/recording.js';

/** A kept problem with its words. */
const PROBLEM = 200;

const checkedStage: Stage<Problems, void> = {
  name: 'check',
  version: 1,
  key: () => '',
  run: ([{ source, snapshot }]) => checkedProblems(snapshot.recording, source.check),
  bytes: ({ list }) => list.length * PROBLEM,
};

/** Problems of the whole recording, whatever the scope. */
export function checkedUse({ source, snapshot }: Subject): Use<Problems> {
  return use(checkedStage, [{ source, snapshot, scope: [] }], undefined);
}

export function checkedProblems(recording: Recording, check: OpenRecording['check']): Problems {
  return check === undefined ? recording.problems : joinProblems(recording.problems, check(recording));
}
