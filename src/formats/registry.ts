/** All formats: how other rooms access them. To add one, see docs/architecture.md. */
import { classHistogram } from './class-histogram/index.js';
import { collapsed } from './collapsed/index.js';
import type { Format, KnownKind } from './format.js';
import { hprof } from './hprof/index.js';
import { hprofText } from './hprof-text/index.js';
import { iprof } from './iprof/index.js';
import { jfr } from './jfr/index.js';
import { KNOWN_KINDS } from './known/kinds.js';
import { speedscope } from './speedscope/index.js';
import { threadDump } from './thread-dump/index.js';

const EACH: readonly Format[] = [iprof, jfr, hprof, hprofText, collapsed, speedscope, classHistogram, threadDump];

export const FORMATS: readonly Format[] = EACH.map(withRecordsBeside);

/** The format with the records of all log formats: whichever of them a log was recognised by, all are read. */
function withRecordsBeside(format: Format): Format {
  const { inLogs: own } = format;
  if (own === undefined) return format;
  const beside = EACH.flatMap(({ inLogs }) => (inLogs === undefined || inLogs === own ? [] : [inLogs.kind]));
  return { ...format, read: (source, work) => own.read(source, work, beside) };
}

/** Kinds that are recognised but not read yet. */
export const NAMED_KINDS: readonly KnownKind[] = KNOWN_KINDS;

/** The format with this id; undefined if there is none, as for recordings merged from several formats. */
export function formatOf(id: string): Format | undefined {
  return FORMATS.find((format) => format.id === id);
}
