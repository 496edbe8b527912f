/** Reports of GraalVM Native Image in JSON. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import type { KnownKind } from '../format.js';
import { outlineOf } from '../shared/json-outline.js';
import { guess } from './marks.js';

function probeDashboard(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const parts = ['points-to/type-flows', 'code-breakdown/code-size', 'heap-breakdown/heap-size'];
  const part = parts.find((path) => marks.get(path)?.kind === 'array');
  return part === undefined ? NO_GUESS : guess(1, `it has ${part.replace('/', '.')}`);
}

export const POINTS_TO_JSON_KINDS: readonly KnownKind[] = [
  {
    id: 'native-image-dashboard',
    title: 'dump for the GraalVM dashboard in JSON (DashboardAll, DashboardPointsTo, DashboardCode, DashboardHeap)',
    advice:
      'It holds type flows, code sizes and heap sizes for a tool that was withdrawn. Of the same build, Kansoku reads the call tree (-H:PrintAnalysisCallTreeType=CSV), object tree, heap histogram and build output.',
    probe: probeDashboard,
  },
];
