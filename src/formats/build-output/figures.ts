/**
 * The figures that the builder defines, by their paths: schema build-output 0.9.4 and older, and what `-H:+PrintAnalysisStatistics` writes. -1 is what
 * the builder writes for a number that it does not have.
 */
import { dictionary } from '../../base/dictionary.js';

export type FigureKind = 'count' | 'bytes' | 'seconds' | 'milliseconds' | 'ratio';

export interface Figure {
  readonly title: string;
  readonly kind: FigureKind;
}

export type Figures = Readonly<Record<string, Figure>>;

function figures(kind: FigureKind, titles: Readonly<Record<string, string>>): [string, Figure][] {
  return Object.entries(titles).map(([path, title]) => [path, { title, kind }]);
}

/** The same four numbers of types (`classes` before 0.9.2), methods and fields. */
function analysisTitles(key: string, title = key): Record<string, string> {
  return {
    [`analysis_results/${key}/reachable`]: `reachable ${title}`,
    [`analysis_results/${key}/total`]: `${title} in all`,
    [`analysis_results/${key}/reflection`]: `${title} for reflection`,
    [`analysis_results/${key}/jni`]: `${title} for JNI`,
  };
}

export const BUILD_FIGURES: Figures = dictionary(
  Object.fromEntries([
    ...figures('count', {
      ...analysisTitles('types'),
      ...analysisTitles('classes', 'types'),
      ...analysisTitles('methods'),
      ...analysisTitles('fields'),
      'analysis_results/methods/foreign_downcalls': 'foreign downcalls',
      'analysis_results/methods/foreign_upcalls': 'foreign upcalls',
      'image_details/code_area/compilation_units': 'compilation units',
      'image_details/image_heap/objects/count': 'objects in the image heap',
      'image_details/image_heap/resources/count': 'resources',
      'image_details/runtime_compiled_methods/count': 'methods compiled at run time',
      'resource_usage/garbage_collection/count': 'collections while building',
      'resource_usage/cpu/parallelism': 'threads',
      'resource_usage/cpu/total_cores': 'cores',
    }),
    ...figures('bytes', {
      'image_details/total_bytes': 'image',
      'image_details/code_area/bytes': 'code area',
      'image_details/image_heap/bytes': 'image heap',
      'image_details/image_heap/resources/bytes': 'resources, size',
      'image_details/debug_info/bytes': 'debug information',
      'image_details/runtime_compiled_methods/graph_encoding_bytes': 'graphs of methods compiled at run time',
      'resource_usage/memory/peak_rss_bytes': 'peak memory',
      'resource_usage/memory/system_total': 'memory of the machine',
      'resource_usage/garbage_collection/max_heap': 'largest heap allowed',
    }),
    ...figures('seconds', {
      'resource_usage/total_secs': 'build time',
      'resource_usage/garbage_collection/total_secs': 'time of collections',
    }),
    ...figures('ratio', { 'resource_usage/cpu/load': 'load' }),
  ]),
);

/** Of all code, and of the code of the program alone (`app_`). */
const COUNTED = dictionary<string>({
  reachable_types: 'reachable types',
  reachable_methods: 'reachable methods',
  reachable_fields: 'reachable fields',
  call_edges: 'calls',
  type_checks: 'type checks',
  removable_type_checks: 'removable type checks',
});

export const STATISTICS_FIGURES: Figures = dictionary(
  Object.fromEntries([
    ...Object.entries(COUNTED).flatMap(([key, title]) =>
      figures('count', { [`total_${key}`]: title, [`app_${key}`]: `${title} of the program` }),
    ),
    ...figures('milliseconds', {
      typeflow_time_ms: 'time of type flows',
      verify_time_ms: 'time of checks',
      features_time_ms: 'time of features',
      total_analysis_time_ms: 'time of the analysis',
    }),
    ...figures('bytes', { total_memory_bytes: 'memory' }),
  ]),
);

/** Pairs of which the first cannot be larger than the second. */
export const PARTS: readonly (readonly [part: string, whole: string])[] = [
  ...['types', 'classes', 'methods', 'fields'].flatMap((each): [string, string][] =>
    ['reachable', 'reflection', 'jni'].map((part) => [
      `analysis_results/${each}/${part}`,
      `analysis_results/${each}/total`,
    ]),
  ),
  ['image_details/code_area/bytes', 'image_details/total_bytes'],
  ['image_details/image_heap/bytes', 'image_details/total_bytes'],
  ...Object.keys(COUNTED).map((key): [string, string] => [`app_${key}`, `total_${key}`]),
  ['total_removable_type_checks', 'total_type_checks'],
  ['app_removable_type_checks', 'app_type_checks'],
];
