/** All formats: how other rooms access them. To add one, see docs/architecture.md. */
import { analysisStatistics, buildOutput } from './build-output/index.js';
import { callTree, cypherScript, graphml } from './call-tree/index.js';
import { callgrind } from './callgrind/index.js';
import { chromeTrace } from './chrome-trace/index.js';
import { classHistogram } from './class-histogram/index.js';
import { collapsed } from './collapsed/index.js';
import { cpuprofile } from './cpuprofile/index.js';
import { experiment } from './experiment/index.js';
import { firefoxProcessed } from './firefox-processed/index.js';
import type { Export, Format, KnownKind } from './format.js';
import { heapprofile } from './heapprofile/index.js';
import { hprof } from './hprof/index.js';
import { hprofText } from './hprof-text/index.js';
import { iprof } from './iprof/index.js';
import { jfr } from './jfr/index.js';
import { jvmpi } from './jvmpi/index.js';
import { KNOWN_KINDS } from './known/kinds.js';
import { objectTree } from './object-tree/index.js';
import { otlp } from './otlp/index.js';
import { perfScript } from './perf-script/index.js';
import { pprof } from './pprof/index.js';
import { reachabilityJson } from './reachability-json/index.js';
import { reachabilityTrace } from './reachability-trace/index.js';
import { reachedList } from './reached-list/index.js';
import { speedscope } from './speedscope/index.js';
import { threadDump } from './thread-dump/index.js';

const EACH: readonly Format[] = [
  iprof,
  jfr,
  jvmpi,
  hprof,
  hprofText,
  collapsed,
  speedscope,
  cpuprofile,
  pprof,
  otlp,
  heapprofile,
  perfScript,
  callgrind,
  firefoxProcessed,
  chromeTrace,
  classHistogram,
  threadDump,
  callTree,
  reachedList,
  objectTree,
  reachabilityJson,
  analysisStatistics,
  buildOutput,
  reachabilityTrace,
  experiment,
];

export const FORMATS: readonly Format[] = EACH.map(withRecordsBeside);

/**
 * The format with the records of all log formats: whichever of them a log was recognised by, all are read, and so are those in texts of other
 * formats.
 */
function withRecordsBeside(format: Format): Format {
  const { inLogs: own, withRecords } = format;
  if (withRecords !== undefined) return withRecords(EACH.flatMap(({ inLogs }) => inLogs?.kind ?? []));
  if (own === undefined) return format;
  const beside = EACH.flatMap(({ inLogs }) => (inLogs === undefined || inLogs === own ? [] : [inLogs.kind]));
  return { ...format, read: (source, work) => own.read(source, work, beside) };
}

/** Kinds that are written only. */
export const EXPORTS: readonly Export[] = [graphml, cypherScript];

/** Kinds that are recognised but not read yet. */
export const NAMED_KINDS: readonly KnownKind[] = KNOWN_KINDS;

/** The format with this id; undefined if there is none, as for recordings merged from several formats. */
export function formatOf(id: string): Format | undefined {
  return FORMATS.find((format) => format.id === id);
}
