/** Reports of GraalVM Native Image in JSON. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import type { KnownKind } from '../format.js';
import { outlineOf } from '../shared/json-outline.js';
import { guess } from './marks.js';

function probeStatistics(head: Head): Guess {
  const { root, keys } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const total = keys.filter((key) => /^total_(?:reachable_(?:types|methods|fields)|call_edges)$/.test(key));
  const app = keys.filter((key) => /^app_(?:reachable_(?:types|methods|fields)|call_edges)$/.test(key));
  if (total.length > 0 && app.length > 0) return guess(1, `keys ${total[0]} and ${app[0]}`);
  return total.length > 0 ? guess(0.5, `a key ${total[0]}`) : NO_GUESS;
}

function probeBuildOutput(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const sections = ['general_info', 'analysis_results', 'image_details', 'resource_usage'].filter(
    (key) => marks.get(key)?.kind === 'object',
  );
  const graal = ['general_info/graal_compiler', 'general_info/graalvm_version', 'general_info/java_version'];
  const isGraal = sections.includes('general_info') && graal.some((path) => marks.has(path));
  if (sections.length >= 2)
    return guess(isGraal || sections.includes('analysis_results') ? 1 : 0.7, `keys ${sections.join(', ')}`);
  return isGraal ? guess(0.6, 'general_info of a native-image build') : NO_GUESS;
}

function probeDashboard(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const parts = ['points-to/type-flows', 'code-breakdown/code-size', 'heap-breakdown/heap-size'];
  const part = parts.find((path) => marks.get(path)?.kind === 'array');
  return part === undefined ? NO_GUESS : guess(1, `it has ${part.replace('/', '.')}`);
}

export const POINTS_TO_JSON_KINDS: readonly KnownKind[] = [
  {
    id: 'analysis-statistics',
    title: 'statistics of a points-to analysis (analysis_stats)',
    article: '',
    advice: 'It is a JSON object of totals; any JSON viewer shows it.',
    probe: probeStatistics,
  },
  {
    id: 'native-image-build-output',
    title: 'build output of GraalVM Native Image in JSON',
    advice: 'It is a JSON object of totals; any JSON viewer shows it.',
    probe: probeBuildOutput,
  },
  {
    id: 'native-image-dashboard',
    title: 'GraalVM dashboard dump in JSON',
    advice: 'It holds type flows, code sizes and heap sizes; the tool that displayed it was withdrawn.',
    probe: probeDashboard,
  },
];
