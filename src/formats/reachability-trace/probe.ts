/** Traces: a heading such as `Type a.B is reachable`, and a reason below it. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { filledLines } from '../shared/head-text.js';

const TRACES = [
  { what: 'types', first: /^Type \S{1,400} is marked as (?:instantiated|reachable|allocated|in-heap)$/ },
  { what: 'methods', first: /^Method \S.{1,400} is (?:called|intrinsic)$/ },
  { what: 'fields', first: /^Field \S{1,400} is (?:written|read|accessed unsafely|folded)$/ },
] as const;

export function probeTrace(head: Head): Guess {
  const [first, second] = filledLines(head, 'keep', 2).map((line) => line.trimEnd());
  const trace = TRACES.find((candidate) => candidate.first.test((first ?? '').slice(0, 500)));
  if (trace === undefined) return NO_GUESS;
  const reason =
    /^\s{0,40}(?:at |scanning |reading |trying |type |field |str: |root |\?\?\? |\u00e2\u0094|\u251c|\u2514|[\w$.]{1,200}@)/.test(
      second ?? '',
    );
  const because = `it says why ${trace.what} are reachable: "${(first ?? '').slice(0, 80)}"`;
  return { confidence: reason ? 0.95 : 0.4, because };
}
