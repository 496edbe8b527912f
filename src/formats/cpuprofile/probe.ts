/** Recognises V8 CPU profiles by the shape of their nodes. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { outlineOf } from '../shared/json-outline.js';

export function probeCpuProfile(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  if (marks.get('nodes[]/callFrame')?.kind === 'object')
    return { confidence: 1, because: 'nodes with a callFrame, as written since Chrome 57' };
  const old = ['callUID', 'hitCount', 'bailoutReason', 'positionTicks'].some((key) => marks.has(`head/${key}`));
  if (old && marks.get('head/functionName')?.kind === 'string')
    return { confidence: 1, because: 'a tree below head, as written before Chrome 57' };
  const hasSamples = marks.get('samples')?.kind === 'array' && (marks.has('timeDeltas') || marks.has('timestamps'));
  return hasSamples && (marks.has('nodes') || marks.has('startTime'))
    ? { confidence: 0.4, because: 'the keys samples and timeDeltas' }
    : NO_GUESS;
}
