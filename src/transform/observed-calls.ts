/** The calls that a profile saw, for formats that contain call graphs and no profile. */
import { observedGraph } from '../analysis/callgraph/observed-graph.js';
import { plural } from '../base/units.js';
import { CALL_EVENTS } from '../models/events/call.js';
import type { Recording } from '../models/recording.js';

/** Formats of graphs for other programs. Reports of an analysis are no such: in them, a call that is missing cannot happen. */
const GRAPHS: readonly string[] = ['cypher', 'graphml'];

/**
 * The recording with a call graph, and what of its profile the graph lacks. The recording itself if it has a graph, for other formats, and without
 * counted calls.
 */
export function withObservedCalls(
  recording: Recording,
  format: string,
): { recording: Recording; dropped: readonly string[] } {
  const { callGraph, profile, program } = recording;
  const calls = CALL_EVENTS.of(profile);
  if (callGraph !== undefined || profile === undefined || calls === undefined || !GRAPHS.includes(format))
    return { recording, dropped: [] };
  const others = profile.events.filter(({ kind, length }) => kind !== CALL_EVENTS.kind && length > 0);
  const apart = rootCalls(recording);
  return {
    recording: { ...recording, callGraph: observedGraph(profile, program) },
    dropped: [
      ...(apart > 0
        ? [`${plural(apart, 'call')} of methods that were not inlined: their callers are not recorded`]
        : []),
      ...(others.length > 0
        ? [
            `${plural(
              others.reduce((sum, { length }) => sum + length, 0),
              'event',
            )} of other types (${others.map(({ kind }) => kind).join(', ')}), but for the calls that they show`,
          ]
        : []),
    ],
  };
}

/** Counted calls without a recorded caller. */
function rootCalls({ profile }: Recording): number {
  const calls = CALL_EVENTS.of(profile);
  let sum = 0;
  for (let row = 0; row < (calls?.length ?? 0); row++)
    if (profile !== undefined && profile.stacks.parent[calls?.stack[row] ?? 0] < 0) sum += calls?.count[row] ?? 0;
  return sum;
}
