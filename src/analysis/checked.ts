/** All problems of a recording: those found by reading, and those that only a check finds. */
import { joinProblems, type Problems } from '../base/problems.js';
import { type OpenRecording, type Stage, type StageUse, type Subject, use } from '../models/open-recording.js';
import type { Recording } from '../models/recording.js';

/** Bytes of a kept problem with its text. */
const PROBLEM = 200;

const checkedStage: Stage<Problems, void> = {
  name: 'check',
  version: 1,
  key: () => '',
  run: ([{ source, snapshot }]) => checkedProblems(snapshot.recording, source.check),
  bytes: ({ list }) => list.length * PROBLEM,
  columns: {
    version: 1,
    toColumns: (problems) => problems,
    fromColumns: (columns) => (isProblems(columns) ? columns : undefined),
  },
};

/** The store guarantees the content; a check of the shape is enough. */
function isProblems(columns: unknown): columns is Problems {
  return typeof columns === 'object' && columns !== null && 'list' in columns && 'counts' in columns;
}

/** Problems of the whole recording, independent of the scope. */
export function checkedUse({ source, snapshot }: Subject): StageUse<Problems> {
  return use(checkedStage, [{ source, snapshot, scope: [] }], undefined);
}

export function checkedProblems(recording: Recording, check: OpenRecording['check']): Problems {
  return check === undefined ? recording.problems : joinProblems(recording.problems, check(recording));
}
