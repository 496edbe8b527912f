/** Compares a recording with the second reading of its file; the oracle of the damage tests. */
import { isDeepStrictEqual } from 'node:util';
import { stringAt } from '../../../../base/text.js';
import { SAMPLE_EVENTS } from '../../../../models/events/sample.js';
import { SITE_EVENTS } from '../../../../models/events/site.js';
import { TRACES } from '../../../../models/profile/tables.js';
import { FUNCTION_KINDS } from '../../../../models/program/program.js';
import type { Recording } from '../../../../models/recording.js';
import type { Judge } from '../../../../testing/fuzz/fuzzed-reader.js';
import { HPROF_THREADS } from '../../../shared/hprof/threads.js';
import { type PlainFile, plainRecords } from './plain-records.js';

const UNKNOWN = '<Unknown>';

interface Content {
  readonly traces: readonly { readonly serial: number; readonly thread: number; readonly frames: readonly string[] }[];
  /** Number, name, group and object. */
  readonly threads: readonly (readonly (string | number)[])[];
  /** Dump, serial of the trace, and values; sites also have their class. */
  readonly samples: readonly (readonly (string | number)[])[];
  readonly sites: readonly (readonly (string | number)[])[];
}

/** `Class.getName()` of a name in the spelling of a virtual machine. */
export function binaryName(name: string): string {
  const inArray = /^\[.*;$/s.test(name);
  const element = inArray ? name.slice(0, -1) : name;
  const suffix = /(?:[+/]0x[0-9a-f]+|\/\d+)$/.exec(element)?.[0] ?? '';
  const plain = element.slice(0, element.length - suffix.length);
  return (plain.includes('.') ? plain : plain.replaceAll('/', '.')) + suffix.replace('+', '/') + (inArray ? ';' : '');
}

/** The content as the second reading has it. */
function contentOf(plain: PlainFile): Content {
  const className = (serial: number): string => {
    const name = plain.names.get(plain.classes.get(serial)?.name ?? 0n);
    return name === undefined ? UNKNOWN : binaryName(name);
  };
  const frameText = (id: bigint): string => {
    const frame = plain.frames.get(id);
    if (frame === undefined) return UNKNOWN;
    const method = plain.names.get(frame.method) ?? UNKNOWN;
    return `${className(frame.of)}.${method}(${plain.names.get(frame.source) ?? ''}:${Math.max(-3, frame.line) === frame.line ? frame.line : -1})`;
  };
  const dumps = dumpsOf(plain);
  const starts = plain.starts.map(({ serial, object, name, group }) => [
    serial,
    plain.names.get(name) ?? `<thread ${serial}>`,
    plain.names.get(group) ?? '',
    Number(object),
  ]);
  return {
    traces: plain.traces.map(({ serial, thread, frames }) => ({
      serial,
      thread: thread === 0 ? -1 : thread,
      frames: frames.map(frameText),
    })),
    threads: starts,
    samples: plain.samples.flatMap(({ offset, rows }) =>
      rows.map(([count = 0, trace = 0]) => [dumps.get(offset) ?? -1, trace, count]),
    ),
    sites: plain.sites.flatMap(({ offset, rows }) =>
      rows.map(([type = 0, of = 0, trace = 0, ...values]) => [
        dumps.get(offset) ?? -1,
        trace,
        type === 2 && !/^\[|\[\]$/.test(className(of))
          ? `${className(of)}[]`
          : siteName(type, of, className(of), plain),
        ...values,
      ]),
    ),
  };
}

const PRIMITIVES = ['', '', '', '', 'boolean', 'char', 'float', 'double', 'byte', 'short', 'int', 'long'];

function siteName(type: number, of: number, name: string, plain: PlainFile): string {
  const primitive = PRIMITIVES[type] ?? '';
  return primitive !== '' && !plain.classes.has(of) ? `${primitive}[]` : name;
}

/** A dump writes heap, sites and samples, each once and in this order. */
function dumpsOf({ records }: PlainFile): Map<number, number> {
  const dumps = new Map<number, number>();
  let dump = -1;
  let before = 9;
  let open = false;
  for (const { tag, offset } of records) {
    if (tag === 0x2c) open = false;
    const rank = tag === 0x0c || (tag === 0x1c && !open) ? 1 : tag === 0x06 ? 2 : tag === 0x0d ? 3 : 0;
    if (tag === 0x0c || tag === 0x1c) open = tag === 0x1c;
    if (rank === 0) continue;
    if (rank <= before) dump++;
    before = rank;
    dumps.set(offset, dump);
  }
  return dumps;
}

/** The content as the reader sees it. */
function seenBy(recording: Recording): Content {
  const { program, profile } = recording;
  if (profile === undefined) throw new Error('no profile');
  const { names, functions, classes, locations } = program;
  const text = (id: number): string => (id < 0 ? '' : stringAt(names, id));
  const frameText = (location: number): string => {
    const of = locations.function[location] ?? 0;
    const name = text(functions.name[of] ?? -1);
    if (FUNCTION_KINDS[functions.kind[of] ?? 0] === 'pseudo') return name;
    const declaring = text(classes.name[functions.class[of] ?? 0] ?? -1);
    return `${declaring}.${name}(${text(functions.file?.[of] ?? -1)}:${locations.line?.[location] ?? 0})`;
  };
  const framesOf = (leaf: number): string[] => {
    const frames: string[] = [];
    for (let stack = leaf; stack >= 0; stack = profile.stacks.parent[stack] ?? -1)
      frames.push(frameText(profile.stacks.location[stack] ?? 0));
    return frames.filter((frame) => frame !== '<Truncated-stack>' && frame !== '<no Java callstack recorded>');
  };
  const threads = profile.threads && HPROF_THREADS.rows(profile.threads);
  const traces = profile.traces && TRACES.rows(profile.traces);
  const serialOf = (trace: number): number => traces?.serial[trace] ?? -1;
  const samples = SAMPLE_EVENTS.of(profile);
  const sites = SITE_EVENTS.of(profile);
  const rows = (length: number): number[] => Array.from({ length }, (_, row) => row);
  return {
    traces: rows(traces?.length ?? 0).map((row) => {
      const thread = traces?.thread[row] ?? -1;
      return {
        serial: serialOf(row),
        thread: thread < 0 ? -1 : (threads?.number[thread] ?? -1),
        frames: framesOf(traces?.stack[row] ?? -1),
      };
    }),
    threads: rows(threads?.length ?? 0)
      .filter((row) => (threads?.started[row] ?? -1) >= 0)
      .sort((a, b) => (threads?.started[a] ?? 0) - (threads?.started[b] ?? 0))
      .map((row) => [
        threads?.number[row] ?? -1,
        text(threads?.name[row] ?? -1),
        text(threads?.group[row] ?? -1),
        threads?.object[row] ?? -1,
      ]),
    samples: rows(samples?.length ?? 0)
      .filter((row) => (samples?.trace?.[row] ?? -1) >= 0)
      .map((row) => [samples?.dump?.[row] ?? -1, serialOf(samples?.trace?.[row] ?? -1), samples?.count[row] ?? -1]),
    sites: rows(sites?.length ?? 0)
      .filter((row) => (sites?.trace?.[row] ?? -1) >= 0)
      .map((row) => [
        sites?.dump[row] ?? -1,
        serialOf(sites?.trace?.[row] ?? -1),
        text(classes.name[sites?.class[row] ?? 0] ?? -1),
        sites?.live_bytes[row] ?? -1,
        sites?.live_objects[row] ?? -1,
        sites?.allocated_bytes[row] ?? -1,
        sites?.allocated_objects[row] ?? -1,
      ]),
  };
}

/** The first difference between a recording and the second reading of its file, whose records must all be sound. */
export function difference(plain: PlainFile, recording: Recording): string | undefined {
  const wanted = contentOf(plain);
  const seen = seenBy(recording);
  // Behind the traces of the file are those that are only referred to.
  const traces = seen.traces.slice(0, wanted.traces.length);
  for (const part of ['traces', 'threads', 'samples', 'sites'] as const) {
    const found = part === 'traces' ? traces : seen[part];
    const at = wanted[part].findIndex((one, i) => !isDeepStrictEqual(one, found[i]));
    if (at >= 0 || found.length !== wanted[part].length)
      return `${part}[${at}] is ${JSON.stringify(found[at])}, not ${JSON.stringify(wanted[part][at])}`;
  }
  const counts = new Map<number, number>();
  for (const { tag } of plain.records) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const names = recording.sections.find(({ name }) => name === 'UTF8')?.entries ?? 0;
  return names === (counts.get(1) ?? 0) ? undefined : `${names} names, not ${counts.get(1) ?? 0}`;
}

/** Whole records must be read as they are; where one is broken, that must show, with all traces before it. */
export function hprofFileOracle(): Judge {
  return (mutated, outcome) => {
    const plain = plainRecords(mutated);
    if (plain === undefined) {
      const isPart = mutated[0] === 0x1c;
      const accepted = outcome.kind === 'read' && !isPart;
      return { input: 'damaged', ...(accepted && { fault: { code: 'accepted', detail: 'a file without a head' } }) };
    }
    const input = plain.broken >= 0 || plain.miscounted.length > 0 ? 'damaged' : 'sound';
    if (outcome.kind === 'refused')
      return plain.records.length === 0 ? { input } : { input, fault: { code: 'refused', detail: outcome.message } };
    const { recording, problems } = outcome;
    for (const offset of plain.broken >= 0 ? [] : plain.miscounted.slice(0, 5))
      if (!problems.list.some((problem) => problem.code === 'hprof-count' && problem.offset === offset))
        return { input, fault: { code: 'silent', detail: `the wrong count at ${offset} is not reported` } };
    if (plain.broken < 0) {
      const detail = difference(plain, recording);
      return detail === undefined ? { input } : { input, fault: { code: 'content', detail } };
    }
    const shown = problems.list.some(
      ({ severity, offset }) => severity !== 'info' && (offset ?? Infinity) <= plain.broken,
    );
    if (!shown)
      return { input, fault: { code: 'silent', detail: `the damage at byte ${plain.broken} is not reported` } };
    const serials = seenBy(recording).traces.map(({ serial }) => serial);
    const before = plain.traces.slice(0, -1).map(({ serial }) => serial);
    const isThere = before.every((serial, i) => serials[i] === serial);
    return isThere
      ? { input }
      : { input, fault: { code: 'lost', detail: `traces before byte ${plain.broken} are missing` } };
  };
}

/** Beginnings of records, their lengths and their bodies. */
export function hprofFileEdges(bytes: Uint8Array): number[] {
  const records = plainRecords(bytes)?.records ?? [];
  return [0, 13, ...records.flatMap(({ offset }) => [offset, offset + 5, offset + 9])].filter(
    (at) => at < bytes.length,
  );
}
