/** The difference of two reported call graphs, as a stage. */
import { UsageError } from '../../base/errors.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { unitedUse } from '../identity/united.js';
import { type ChangedCalls, type ChangedRows, changedCalls } from './changed-calls.js';
import { type JoinedGraph, joinedGraph } from './joined-graph.js';
import { type NewPart, newPart } from './new-part.js';

/** One side, and what the other side lacks of it. */
export interface ChangedSide extends JoinedGraph {
  readonly part: NewPart;
}

export interface CallChanges {
  readonly base: ChangedSide;
  readonly now: ChangedSide;
  readonly calls: ChangedCalls;
}

const changesStage: Stage<CallChanges, void> = {
  name: 'changed calls',
  version: 1,
  key: () => '',
  needs: (subjects) => [unitedUse(subjects)],
  run: async (subjects, _, get, work) => {
    const { functions } = await get(unitedUse(subjects));
    const graphs = subjects.map(({ snapshot: { recording } }, i) => {
      if (recording.callGraph === undefined)
        throw new UsageError(`${recording.name}: no call graph`, { code: 'no-call-graph' });
      return joinedGraph(recording.callGraph, functions.rows[i], functions.length);
    });
    const [base, now] = graphs;
    return {
      base: { ...base, part: await newPart(base, now, work) },
      now: { ...now, part: await newPart(now, base, work) },
      calls: changedCalls(base, now),
    };
  },
  bytes: ({ base, now, calls }) => sideBytes(base) + sideBytes(now) + rowBytes(calls.sites) + rowBytes(calls.targets),
};

/** The columns of a joined graph that its report does not have. */
function sideBytes({ index, has, reach, part }: ChangedSide): number {
  const { sites, targets } = index.graph;
  const ofFunctions = 4 * (5 * has.length + reach.order.length) + 2 * has.length;
  return ofFunctions + 4 * (4 * sites.length + 3 * targets.length + 4 * part.causes.length);
}

function rowBytes({ row }: ChangedRows): number {
  return 9 * row.length;
}

/** From the first subject to the second. */
export function callChangesUse(base: Subject, now: Subject): StageUse<CallChanges> {
  return use(changesStage, [base, now], undefined);
}
