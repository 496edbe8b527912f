/** Recognises traces in Chrome's event format: an array of events, or an object with `traceEvents`. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { outlineOf } from '../shared/json-outline.js';

export function probeChromeTrace(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root === 'array') {
    if (marks.get('[]/ph')?.kind !== 'string') return NO_GUESS;
    return ['ts', 'pid', 'name'].some((key) => marks.has(`[]/${key}`))
      ? { confidence: 0.95, because: 'an array of events with ph and ts' }
      : { confidence: 0.4, because: 'an array of objects with ph' };
  }
  if (marks.get('traceEvents')?.kind !== 'array') return NO_GUESS;
  if (marks.has('traceEvents[]/ph')) return { confidence: 1, because: 'traceEvents with ph' };
  return marks.has('traceEvents[]')
    ? { confidence: 0.4, because: 'a key traceEvents' }
    : { confidence: 0.8, because: 'traceEvents, empty or truncated' };
}
