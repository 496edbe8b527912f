/** Joins what the first pass found in the parts of a dump. */
import type { ClassDumpColumns } from './class-dumps.js';
import { ClassSlots } from './class-slots.js';
import { joinRuns } from './passes/id-runs.js';
import { ARRAY_GAPS, RESIDUES, type RootColumns, type ScanPart } from './passes/scan-part.js';
import { joinChunks } from './passes/stack-chunks.js';

/** The parts as one; classes and roots in the order of the file. */
export function mergeParts(parts: readonly ScanPart[]): ScanPart {
  const slots = new ClassSlots();
  // Ascending, since which thread read which part differs from run to run.
  for (const id of Float64Array.from(parts.flatMap((part) => [...part.id])).sort())
    slots.add(Math.floor(id / 2 ** 32), id >>> 0);
  const slotsOf = parts.map(({ id }) => Int32Array.from(id, (one) => slots.add(Math.floor(one / 2 ** 32), one >>> 0)));
  const { length } = slots;
  const byClass = (key: 'instances' | 'valueBytes' | 'arrays' | 'elements'): Float64Array => {
    const sums = new Float64Array(length);
    parts.forEach((part, p) => {
      part[key].forEach((value, i) => {
        sums[slotsOf[p][i]] += value;
      });
    });
    return sums;
  };
  const residues = new Float64Array(length * RESIDUES);
  const gaps = new Float64Array(ARRAY_GAPS + length).fill(Number.POSITIVE_INFINITY);
  parts.forEach((part, p) => {
    part.residues.forEach((value, i) => {
      residues[slotsOf[p][Math.floor(i / RESIDUES)] * RESIDUES + (i % RESIDUES)] += value;
    });
    part.gaps.forEach((gap, i) => {
      const place = i < ARRAY_GAPS ? i : ARRAY_GAPS + slotsOf[p][i - ARRAY_GAPS];
      gaps[place] = Math.min(gaps[place], gap);
    });
  });
  return {
    classes: mergeClasses(parts.map(({ classes }) => classes)),
    id: slots.ids(),
    instances: byClass('instances'),
    valueBytes: byClass('valueBytes'),
    arrays: byClass('arrays'),
    elements: byClass('elements'),
    residues,
    primitiveArrays: sum(parts.map((part) => part.primitiveArrays)),
    primitiveElements: sum(parts.map((part) => part.primitiveElements)),
    primitiveResidues: sum(parts.map((part) => part.primitiveResidues)),
    gaps,
    runs: joinRuns(parts.map(({ runs }) => runs)),
    ...mergeLengths(parts, slotsOf, length),
    twice: parts.reduce((all, { twice }) => all + twice, 0),
    chunks: joinChunks(parts.map(({ chunks }) => chunks)),
    roots: mergeRoots(parts.map(({ roots }) => roots)),
    blocks: mergeBlocks(parts.map(({ blocks }) => blocks)),
    bits: parts.reduce((bits, part) => bits | part.bits, 0),
    traced:
      parts.some(({ traced }) => traced) || new Set(parts.flatMap(({ trace }) => (trace < 0 ? [] : [trace]))).size > 1,
    trace: parts.find(({ trace }) => trace >= 0)?.trace ?? -1,
    huge: parts.reduce((all, { huge }) => all + huge, 0),
    objects: parts.reduce((all, { objects }) => all + objects, 0),
  };
}

/** Instances whose values have other bytes than those of the first part with such: at least. */
function mergeLengths(
  parts: readonly ScanPart[],
  slotsOf: readonly Int32Array[],
  length: number,
): Pick<ScanPart, 'lengths' | 'others'> {
  const lengths = new Float64Array(length).fill(-1);
  const others = new Float64Array(length);
  parts.forEach((part, p) => {
    part.lengths.forEach((bytes, i) => {
      const slot = slotsOf[p][i];
      if (bytes < 0) return;
      if (lengths[slot] < 0) lengths[slot] = bytes;
      others[slot] += bytes === lengths[slot] ? part.others[i] : part.instances[i] - part.others[i];
    });
  });
  return { lengths, others };
}

function sum(columns: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(columns[0]?.length ?? 0);
  for (const column of columns) for (let i = 0; i < sums.length; i++) sums[i] += column[i];
  return sums;
}

function mergeBlocks(parts: readonly (Float64Array | undefined)[]): Float64Array | undefined {
  const all = new Set<number>();
  for (const blocks of parts) {
    if (blocks === undefined) return undefined;
    for (const block of blocks) all.add(block);
  }
  return Float64Array.from(all);
}

/** The rows of all parts, ordered by their places in the file. */
function orderOf(offsets: readonly Float64Array[]): { readonly part: number; readonly row: number }[] {
  const rows = offsets.flatMap((column, part) => Array.from(column, (offset, row) => ({ part, row, offset })));
  return rows.sort((a, b) => a.offset - b.offset);
}

function mergeRoots(parts: readonly RootColumns[]): RootColumns {
  if (parts.length === 1) return parts[0];
  const order = orderOf(parts.map(({ offset }) => offset));
  const pick = (key: 'offset' | 'object' | 'thread' | 'detail'): Float64Array =>
    Float64Array.from(order, ({ part, row }) => parts[part][key][row]);
  return {
    offset: pick('offset'),
    tag: Uint8Array.from(order, ({ part, row }) => parts[part].tag[row]),
    object: pick('object'),
    thread: pick('thread'),
    detail: pick('detail'),
  };
}

function mergeClasses(parts: readonly ClassDumpColumns[]): ClassDumpColumns {
  if (parts.length === 1) return parts[0];
  const order = orderOf(parts.map(({ offset }) => offset));
  const pick = (key: ClassColumn): Float64Array => Float64Array.from(order, ({ part, row }) => parts[part][key][row]);
  const first = new Int32Array(order.length + 1);
  order.forEach(({ part, row }, i) => {
    first[i + 1] = first[i] + parts[part].first[row + 1] - parts[part].first[row];
  });
  const members = first[order.length];
  const all = {
    memberKind: new Uint8Array(members),
    memberName: new Float64Array(members),
    memberType: new Uint8Array(members),
    high: new Uint32Array(members),
    low: new Uint32Array(members),
  };
  order.forEach(({ part, row }, i) => {
    const from = parts[part].first[row];
    const to = parts[part].first[row + 1];
    for (const key of MEMBER_COLUMNS) all[key].set(parts[part][key].subarray(from, to), first[i]);
  });
  return {
    length: order.length,
    offset: pick('offset'),
    address: pick('address'),
    trace: pick('trace'),
    parent: pick('parent'),
    loader: pick('loader'),
    signers: pick('signers'),
    domain: pick('domain'),
    instanceBytes: pick('instanceBytes'),
    first,
    ...all,
  };
}

type ClassColumn = 'offset' | 'address' | 'trace' | 'parent' | 'loader' | 'signers' | 'domain' | 'instanceBytes';
const MEMBER_COLUMNS = ['memberKind', 'memberName', 'memberType', 'high', 'low'] as const;
