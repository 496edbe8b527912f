/**
 * Writes speedscope's own JSON (docs/formats/speedscope.md): a profile for each thread, its rows in their order. Cost: the
 * plan, then one or two passes over the rows of the metric; a chunk of about 1 MiB.
 */
import { doubled } from '../../base/columns/columns.js';
import type { Phrase } from '../../base/phrase.js';
import { encodeUtf8, stringAt } from '../../base/text.js';
import { plural } from '../../base/units.js';
import { NO_LINE } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import type { WriteOptions, Written } from '../capabilities/writer.js';
import { frameName } from '../shared/frame-text.js';
import { CLOSE_LIST, OPEN_LIST } from '../shared/json-bytes.js';
import { fragment, JsonWriter } from '../shared/json-writer.js';
import { notHeld, type WrittenValues, writtenValues } from '../shared/written-values.js';
import type { SpeedscopeResidue } from './model.js';
import { baseName, isTimeline, type PlannedProfile, planOf, type SpeedscopePlan } from './write-plan.js';

const SCHEMA = 'https://www.speedscope.app/file-format-schema.json';
const OPENS = fragment('{"type":"O","frame":');
const CLOSES = fragment('{"type":"C","frame":');
const AT = fragment(',"at":');
const END = fragment('}');
const UNITS: Readonly<Record<string, string>> = { ns: 'nanoseconds', bytes: 'bytes' };

/** Writes the values of one metric. Throws `UsageError` if there are no stacks with values. */
export function writeSpeedscope(recording: Recording, options: WriteOptions = {}): Written {
  const values = writtenValues(recording, options.metric);
  const dropped: Phrase[] = [];
  let plan: SpeedscopePlan | undefined;
  const planned = (): SpeedscopePlan => {
    plan ??= planOf(recording, values);
    return plan;
  };
  return {
    dropped,
    estimate: () => planned().bytes,
    chunks: {
      *[Symbol.iterator]() {
        const writer = new ProfileWriter(recording, values, planned());
        for (const chunk of writer.chunks()) {
          options.work?.signal?.throwIfAborted();
          options.work?.progress?.({ phase: 'writing', done: writer.written, total: undefined, unit: 'bytes' });
          yield chunk;
        }
        dropped.splice(0, dropped.length, ...lost(recording, values), ...writer.replaced());
      },
    },
  };
}

function lost(recording: Recording, values: WrittenValues): Phrase[] {
  const units = ['count', 'samples', 'none', ...Object.keys(UNITS)];
  const lines = notHeld(recording, values, { threads: true, times: isTimeline(recording, values), units });
  if (residueOf(recording)?.evented === true)
    lines.push('returns: when a function returns and is called again at once, one call is written');
  return lines;
}

function residueOf({ format, residue }: Recording): SpeedscopeResidue | undefined {
  return format === 'speedscope' && isResidue(residue) ? residue : undefined;
}

function isResidue(residue: unknown): residue is SpeedscopeResidue {
  return typeof residue === 'object' && residue !== null && 'columns' in residue && 'evented' in residue;
}

class ProfileWriter {
  readonly #recording: Recording;
  readonly #values: WrittenValues;
  readonly #out = new JsonWriter();
  readonly #plan: SpeedscopePlan;
  readonly #frameOf: Int32Array;
  #path = new Int32Array(64);
  #illegible = 0;

  constructor(recording: Recording, values: WrittenValues, plan: SpeedscopePlan) {
    this.#recording = recording;
    this.#values = values;
    this.#plan = plan;
    this.#frameOf = plan.frameOf;
  }

  get written(): number {
    return this.#out.written;
  }

  replaced(): string[] {
    return this.#illegible === 0
      ? []
      : [`invalid UTF-8 in ${plural(this.#illegible, 'name')}: written as replacement characters`];
  }

  *chunks(): Generator<Uint8Array> {
    const out = this.#out;
    out.text(fragment(`{"$schema":"${SCHEMA}","shared":{"frames":`));
    yield* this.#frames();
    out.text(fragment('},"profiles":['));
    for (const [index, profile] of this.#plan.profiles.entries()) {
      if (index > 0) out.text(fragment(','));
      yield* this.#profile(profile);
    }
    out.text(fragment('],"name":'));
    this.#string(baseName(this.#recording.name));
    out.text(fragment(',"activeProfileIndex":0,"exporter":"kansoku"}\n'));
    yield out.take();
  }

  *#frames(): Generator<Uint8Array> {
    const { program } = this.#recording;
    const columns = residueOf(this.#recording)?.columns;
    const out = this.#out;
    out.open(OPEN_LIST);
    for (const location of this.#plan.used) {
      out.separate();
      out.text(fragment('{"name":'));
      const name = frameName(program, location);
      if (name.includes('\ufffd')) this.#illegible++;
      this.#string(name);
      const file = program.functions.file?.[program.locations.function[location]] ?? -1;
      if (file >= 0) {
        out.text(fragment(',"file":'));
        this.#string(stringAt(program.names, file));
      }
      const line = program.locations.line?.[location] ?? NO_LINE;
      if (line > 0) out.text(fragment(`,"line":${line}`));
      const col = columns?.[location] ?? 0;
      if (col > 0) out.text(fragment(`,"col":${col}`));
      out.text(fragment('}'));
      if (out.full) yield out.take();
    }
    out.close(CLOSE_LIST);
  }

  *#profile({ name, type, start, samples }: PlannedProfile): Generator<Uint8Array> {
    const out = this.#out;
    const unit = UNITS[this.#values.metric.unit] ?? 'none';
    out.text(fragment(`{"type":"${type}","name":`));
    this.#string(name);
    out.text(fragment(`,"unit":"${unit}","startValue":`));
    out.number(start);
    let end = start;
    for (const { weight } of samples()) end += weight;
    yield* type === 'sampled' ? this.#sampled(samples) : this.#evented(samples, start);
    out.text(fragment(',"endValue":'));
    out.number(end);
    out.text(fragment('}'));
  }

  *#sampled(samples: PlannedProfile['samples']): Generator<Uint8Array> {
    const out = this.#out;
    out.text(fragment(',"samples":'));
    out.open(OPEN_LIST);
    for (const { stack } of samples()) {
      out.separate();
      out.open(OPEN_LIST);
      for (let i = this.#pathBelow(-1, stack) - 1; i >= 0; i--) {
        out.separate();
        out.integer(this.#path[i]);
      }
      out.close(CLOSE_LIST);
      if (out.full) yield out.take();
    }
    out.close(CLOSE_LIST);
    out.text(fragment(',"weights":'));
    out.open(OPEN_LIST);
    for (const { weight } of samples()) {
      out.separate();
      out.number(weight);
      if (out.full) yield out.take();
    }
    out.close(CLOSE_LIST);
  }

  /** Between two samples only the frames close and open that they do not have in common. */
  *#evented(samples: PlannedProfile['samples'], start: number): Generator<Uint8Array> {
    const out = this.#out;
    out.text(fragment(',"events":'));
    out.open(OPEN_LIST);
    let open = -1;
    let now = start;
    for (const { stack, weight } of samples()) {
      yield* this.#change(open, stack, now);
      open = stack;
      now += weight;
    }
    yield* this.#change(open, -1, now);
    out.close(CLOSE_LIST);
  }

  *#change(from: number, to: number, at: number): Generator<Uint8Array> {
    const out = this.#out;
    const { parent, location } = this.#values.profile.stacks;
    const common = commonStack(parent, from, to);
    for (let id = from; id !== common; id = parent[id]) {
      this.#event(CLOSES, this.#frameOf[location[id]], at);
      if (out.full) yield out.take();
    }
    for (let i = this.#pathBelow(common, to) - 1; i >= 0; i--) {
      this.#event(OPENS, this.#path[i], at);
      if (out.full) yield out.take();
    }
  }

  #event(type: Uint8Array, frame: number, at: number): void {
    const out = this.#out;
    out.separate();
    out.text(type);
    out.integer(frame);
    out.text(AT);
    out.number(at);
    out.text(END);
  }

  /** The frames of a stack below an ancestor of it go to `#path`, leaf first; how many there are. */
  #pathBelow(ancestor: number, stack: number): number {
    const { parent, location } = this.#values.profile.stacks;
    let depth = 0;
    for (let id = stack; id !== ancestor; id = parent[id]) {
      if (depth === this.#path.length) this.#path = doubled(this.#path);
      this.#path[depth++] = this.#frameOf[location[id]];
    }
    return depth;
  }

  #string(text: string): void {
    const bytes = encodeUtf8(text);
    this.#out.string(bytes, 0, bytes.length);
  }
}

/** The deepest stack that both have in common; parents have smaller numbers than children. */
function commonStack(parent: Int32Array, one: number, other: number): number {
  let [a, b] = [one, other];
  while (a !== b)
    if (a > b) a = parent[a];
    else b = parent[b];
  return a;
}
