/** The dump of what was mapped where in each process, in the order of time as gprofng has it. */
import type { MapEvent } from '../../../formats/experiment/index.js';
import { byBytes, hex, nanos, nanoseconds } from '../numbers.js';
import type { Experiment } from '../peer/experiment.js';

interface Mapped {
  readonly at: bigint;
  readonly size: number;
  readonly time: number;
  readonly name: string;
  unloaded: number;
}

/** What happens to a part of memory: it is mapped, or what begins there is not any more. */
type Step = { readonly time: number } & ({ readonly mapped: Mapped } | { readonly unmapped: bigint });

type Functions = Experiment['functions'];

/** Code that may run, and that only: such a part names a load object. */
const CODE = 5;

export function mapDump({ processes, functions }: Experiment): string {
  const heads = 'Address         Size (hex)              Load time     Unload time    Checksum  Name';
  // Load objects that one process knows are known in all later ones.
  const known = new Set<string>();
  return processes
    .map(({ name, map }) => {
      const lines = mappedOf(map, known, functions).map(lineOf);
      return `Experiment ${name}\n${heads}\n${lines.map((line) => `${line}\n`).join('')}\n`;
    })
    .join('');
}

function lineOf({ at, size, time, name, unloaded }: Mapped): string {
  const times = `${nanos(time).padStart(15)} ${nanos(unloaded).padStart(15)}`;
  return `${hex(at, 8)}  ${String(size).padStart(8)} (${hex(size, 8)}) ${times}  "${name}"`;
}

function mappedOf(map: readonly MapEvent[], known: Set<string>, functions: Functions): Mapped[] {
  const steps: Step[] = [];
  for (const each of stepsOf(map, known, functions)) insert(steps, each);
  const active = new Map<bigint, Mapped>();
  const all: Mapped[] = [];
  for (const step of steps)
    if ('mapped' in step) {
      all.push(step.mapped);
      active.set(step.mapped.at, step.mapped);
    } else {
      const found = active.get(step.unmapped);
      if (found !== undefined) found.unloaded = step.time;
      active.delete(step.unmapped);
    }
  return all;
}

/** Behind all that are not later; one that is out of order comes before others of its time. */
function insert(steps: Step[], step: Step): void {
  const last = steps.at(-1);
  if (last === undefined || last.time <= step.time) {
    steps.push(step);
    return;
  }
  const at = steps.findIndex(({ time }) => time >= step.time);
  steps.splice(at, 0, step);
}

function* stepsOf(map: readonly MapEvent[], known: Set<string>, functions: Functions): Iterable<Step> {
  /** Where compiled methods are, by their ids. */
  const compiled = new Map<string, bigint>();
  let parts: Omit<Mapped, 'time' | 'unloaded'>[] = [];
  for (const { kind, attributes, method } of map) {
    const id = attributes.get('methodId') ?? '';
    const time = nanoseconds(attributes.get('tstamp'));
    const at = BigInt(attributes.get('vaddr') ?? 0);
    const size = Number(attributes.get('size') ?? 0);
    const name = attributes.get('name') ?? '';
    const object = attributes.get('object');
    if (kind === 'unmap') yield { time, unmapped: compiled.get(id) ?? at };
    else if (method !== undefined) {
      compiled.set(id, at);
      const of = functions[method]?.name;
      if (of !== undefined) yield { time, mapped: { at, size, time, name: of, unloaded: 0 } };
    } else if (object === 'segment') {
      if (Number(attributes.get('modes')) === CODE) known.add(name);
      if (!known.has(name)) continue;
      const file = `<${name.slice(name.lastIndexOf('/') + 1)}>`;
      yield { time, mapped: { at, size, time, name: file, unloaded: 0 } };
    } else if (object === 'dynfunc') parts.push({ at, size, name: attributes.get('funcname') ?? name });
    else if (object === 'function') {
      const all = parts.length === 0 ? [{ at, size, name }] : withGaps(parts, { at, size, name });
      for (const part of all) yield { time, mapped: { ...part, time, unloaded: 0 } };
      parts = [];
    }
  }
}

/** The functions of a part of memory, with one for each gap. */
function withGaps(
  parts: readonly Omit<Mapped, 'time' | 'unloaded'>[],
  { at, size, name }: Omit<Mapped, 'time' | 'unloaded'>,
): Omit<Mapped, 'time' | 'unloaded'>[] {
  const found: Omit<Mapped, 'time' | 'unloaded'>[] = [];
  let next = at;
  const fill = (to: bigint): void => {
    if (next < to) found.push({ at: next, size: Number(to - next), name: `<static>@0x${next.toString(16)} (${name})` });
  };
  for (const part of [...parts].sort((a, b) => Number(a.at - b.at) || byBytes(a.name, b.name))) {
    fill(part.at);
    found.push(part);
    next = part.at + BigInt(part.size);
  }
  fill(at + BigInt(size));
  return found;
}
