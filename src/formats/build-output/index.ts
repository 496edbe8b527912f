/** Figures that GraalVM Native Image writes of a build in JSON. Format: docs/formats/build-output.md. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import type { Format } from '../format.js';
import { outlineOf } from '../shared/json-outline.js';

export const analysisStatistics: Format = {
  id: 'analysis-statistics',
  title: 'statistics of a points-to analysis (analysis_stats)',
  article: '',
  extensions: [],
  probe: probeStatistics,
  read: async (source, work) => (await import('./read.js')).readStatistics(source, work),
};

export const buildOutput: Format = {
  id: 'native-image-build-output',
  title: 'build output of GraalVM Native Image in JSON',
  extensions: [],
  probe: probeBuildOutput,
  read: async (source, work) => (await import('./read.js')).readBuildOutput(source, work),
};

function probeStatistics(head: Head): Guess {
  const { root, keys } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const total = keys.find((key) => /^total_(?:reachable_(?:types|methods|fields)|call_edges)$/.test(key));
  const app = keys.find((key) => /^app_(?:reachable_(?:types|methods|fields)|call_edges)$/.test(key));
  if (total === undefined) return NO_GUESS;
  if (app === undefined) return { confidence: 0.5, because: `a key ${total}` };
  return { confidence: 1, because: `keys ${total} and ${app}` };
}

function probeBuildOutput(head: Head): Guess {
  const { root, marks } = outlineOf(head);
  if (root !== 'object') return NO_GUESS;
  const sections = ['general_info', 'analysis_results', 'image_details', 'resource_usage'].filter(
    (key) => marks.get(key)?.kind === 'object',
  );
  const ofGraal = ['general_info/graal_compiler', 'general_info/graalvm_version', 'general_info/java_version'];
  const isOfGraal = sections.includes('general_info') && ofGraal.some((path) => marks.has(path));
  if (sections.length >= 2) {
    const isSure = isOfGraal || sections.includes('analysis_results');
    return { confidence: isSure ? 1 : 0.7, because: `keys ${sections.join(', ')}` };
  }
  return isOfGraal ? { confidence: 0.6, because: 'general_info of a native-image build' } : NO_GUESS;
}
