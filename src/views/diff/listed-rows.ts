/** Which rows of a difference a question lists, and sums over all of them. */
import type { Changes } from './changes.js';
import { nameFilter } from './name-filter.js';
import { STATES, type VerdictState } from './verdict.js';

/** The rows that a difference lists, and sums over all its rows. */
export interface ListedRows {
  readonly matching: readonly number[];
  /** In their order. */
  readonly shownRows: readonly number[];
  /** Sum of all changes, whatever their sign. */
  readonly moved: number;
  readonly joined: ReturnType<typeof joinCounts>['joined'];
  readonly together: number;
  readonly states: Record<VerdictState, number>;
  /** Whether some row that is shown has several names, or was not joined exactly. */
  readonly hasNames: boolean;
  readonly hasJoins: boolean;
}

/** Ids of the rows. */
export function bytesOfRows({ matching, shownRows }: ListedRows): number {
  return 8 * (matching.length + shownRows.length);
}

/** The rows with a matching name, those that the question leaves out apart. */
export function listedRows(
  changes: Changes,
  options: { readonly match?: string | undefined; readonly same: boolean; readonly all: boolean },
): ListedRows {
  const { judged: judgement, names, join } = changes;
  const { value, base } = judgement.self;
  const isMatch = nameFilter(options.match);
  const matching = judgement.rows.filter((id) => options.match === undefined || isMatch(changes.name(id)));
  const hidden = hiddenStates(options);
  const shownRows = inOrder(
    changes,
    matching.filter((id) => !hidden.has(STATES[judgement.state[id]])),
  );
  return {
    matching,
    shownRows,
    moved: judgement.rows.reduce((sum, id) => sum + Math.abs(value[id] - base[id]), 0),
    ...joinCounts(changes),
    states: countStates(changes, matching),
    hasNames: shownRows.some((id) => names(id) > 1),
    hasJoins: shownRows.some((id) => join(id) !== 'exact'),
  };
}

/** States whose rows are not shown. */
function hiddenStates({ same, all }: { readonly same: boolean; readonly all: boolean }): ReadonlySet<VerdictState> {
  if (all) return new Set();
  return new Set<VerdictState>(same ? ['noise'] : ['noise', 'same']);
}

/** Orders rows: the requested kind first, then by size. */
function inOrder({ judged: judgement, foremost }: Changes, rows: readonly number[]): number[] {
  const { weight } = judgement;
  const heaviestFirst = (list: readonly number[]) => [...list].sort((a, b) => weight[b] - weight[a] || a - b);
  const first = rows.filter(foremost);
  if (first.length === 0) return heaviestFirst(rows);
  return [...heaviestFirst(first), ...heaviestFirst(rows.filter((id) => !foremost(id)))];
}

function joinCounts({ judged: judgement, join, names }: Changes) {
  const joined = { exact: 0, 'by name': 0, ambiguous: 0, 'one side': 0 };
  let together = 0;
  for (const id of judgement.rows) {
    joined[join(id)]++;
    if (names(id) > 1) together++;
  }
  return { joined, together };
}

function countStates({ judged: judgement }: Changes, rows: readonly number[]): Record<VerdictState, number> {
  const states = { new: 0, gone: 0, changed: 0, noise: 0, same: 0 };
  for (const id of rows) states[STATES[judgement.state[id]]]++;
  return states;
}
