/**
 * Writes `.iprof` files of every version.
 *
 * A recording read from an `.iprof` file is written as the same JSON value, or in the spelling of another version; any
 * other recording is written from its models. Format: docs/formats/iprof.md. Cost: one pass over the columns, a chunk
 * of about 1 MiB; less CPU than `JSON.stringify` needs for the same value.
 */
import type { Recording } from '../../../models/recording.js';
import type { WriteOptions, Written } from '../../capabilities/writer.js';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, OPEN_LIST, OPEN_OBJECT } from '../../shared/json-bytes.js';
import { isJsonText } from '../../shared/json-walk.js';
import { CHUNK, fragment, JsonWriter } from '../../shared/json-writer.js';
import type { IprofResidue, SectionResidue } from '../residue.js';
import type { ProfileSection } from '../vocabulary.js';
import { DropLog, ENTRY_NAMES } from './drop-log.js';
import { planSections, type SectionPlan, targetOf, type WriteTarget } from './write-layout.js';
import { EntryCursor, type RowCursor, rowCursor } from './write-rows.js';
import { type RowSource, rowSource } from './write-source.js';
import { keepsSchema, parsed, writeRespelled } from './write-verbatim.js';

/**
 * Writes a recording as `.iprof` (plain JSON; the caller compresses). Without `options.version`, a recording read from
 * an `.iprof` file keeps its version and JSON value, and any other recording becomes the newest version. Throws
 * `UsageError` for an unknown version. `chunks` can be iterated again; `dropped` is about the last iteration.
 */
export function writeIprof(recording: Recording, options: WriteOptions = {}): Written {
  return written(recording, options, false);
}

/**
 * As `writeIprof`, but omits violations of the schema of the version, so that the result is valid: elements that no
 * reader of the format can use, sections of a wrong kind. The rest keeps its unknown keys.
 */
export function salvageIprof(recording: Recording, options: WriteOptions = {}): Written {
  return written(recording, options, true);
}

function written(recording: Recording, options: WriteOptions, salvage: boolean): Written {
  const residue = residueOf(recording);
  const target = targetOf(recording, residue, options.version, salvage);
  const dropped: string[] = [];
  return {
    dropped,
    chunks: {
      *[Symbol.iterator]() {
        const drops = new DropLog();
        const writer = new DocumentWriter(recording, residue, target, drops);
        for (const chunk of writer.chunks()) {
          options.work?.signal?.throwIfAborted();
          options.work?.progress?.({ phase: 'writing', done: writer.written, total: undefined, unit: 'bytes' });
          yield chunk;
        }
        dropped.splice(0, dropped.length, ...drops.lines());
      },
    },
  };
}

/** The residue of this format in the recording; undefined for other formats and results of operations. */
function residueOf(recording: Recording): IprofResidue | undefined {
  const { format, residue } = recording;
  return format === 'iprof' && isIprofResidue(residue) ? residue : undefined;
}

function isIprofResidue(residue: unknown): residue is IprofResidue {
  return typeof residue === 'object' && residue !== null && 'sections' in residue && 'verbatim' in residue;
}

/** What `RowCursor.lost` counts. */
const WHY_LOST: Partial<Record<ProfileSection, string>> = {
  methods: 'written without its types because the declaring class is unknown',
  call: 'not at BCI 0 of a method',
  monitor: 'a count is not an integer',
};

/** An element kept as bytes. */
interface VerbatimElement {
  readonly bytes: Uint8Array;
  readonly before: number;
  readonly replaces: boolean;
}

class DocumentWriter {
  readonly #out = new JsonWriter();
  readonly #complete: boolean;
  readonly #source: RowSource;
  readonly #residue: IprofResidue | undefined;
  readonly #target: WriteTarget;
  readonly #drops: DropLog;

  constructor(recording: Recording, residue: IprofResidue | undefined, target: WriteTarget, drops: DropLog) {
    this.#complete = residue === undefined ? recording.complete : !residue.damaged;
    this.#source = rowSource(recording, residue, drops);
    this.#residue = residue;
    this.#target = target;
    this.#drops = drops;
  }

  get written(): number {
    return this.#out.written;
  }

  *chunks(): Generator<Uint8Array> {
    const entries = new Map([...this.#source.entries].map(([kind, rows]) => [kind, rows.sites]));
    const plans = planSections(this.#residue, this.#target, entries, this.#complete, this.#drops);
    const out = this.#out;
    out.open(OPEN_OBJECT);
    for (const plan of plans) yield* plan.kind === 'raw' ? this.#raw(plan) : this.#section(plan, plan.kind);
    out.close(CLOSE_OBJECT);
    yield out.take();
  }

  #key(key: string): void {
    this.#out.separate();
    this.#out.raw(fragment(JSON.stringify(key)));
    this.#out.byte(COLON);
  }

  *#raw(plan: SectionPlan): Generator<Uint8Array> {
    const raw = plan.raw ?? new Uint8Array(0);
    if (!isJsonText(raw)) {
      this.#drops.add(1, ['section', 'sections'], `${JSON.stringify(plan.key)} is not JSON`);
      return;
    }
    this.#key(plan.key);
    for (let at = 0; at < raw.length; at += CHUNK) {
      this.#out.raw(raw.subarray(at, at + CHUNK));
      if (this.#out.full) yield this.#out.take();
    }
  }

  *#section(plan: SectionPlan, kind: ProfileSection): Generator<Uint8Array> {
    const cursor = rowCursor(this.#source, plan, this.#target.strict);
    if (plan.single) yield* this.#single(plan, cursor);
    else {
      this.#key(plan.key);
      this.#out.open(OPEN_LIST);
      yield* this.#elements(plan, cursor);
      this.#out.close(CLOSE_LIST);
    }
    this.#drops.add(cursor.lost, ENTRY_NAMES[kind], WHY_LOST[kind] ?? '');
  }

  /** A section with one object as value: omitted if there is none, combined if there are several. */
  *#single(plan: SectionPlan, cursor: RowCursor): Generator<Uint8Array> {
    const kept = [...this.#verbatim(plan.source)];
    if (cursor instanceof EntryCursor && cursor.total > 1) {
      this.#key(plan.key);
      cursor.writeAsOne(this.#out);
      this.#drops.add(
        kept.length,
        ENTRY_NAMES.monitor,
        'this version has one object, which holds only the plain records',
      );
      return;
    }
    const from = this.#residue?.sections[plan.source];
    const usable = kept.some((element) => from && this.#treatment(plan, from, element).treatment !== 'drop');
    const plain = cursor.total - kept.filter((element) => element.replaces).length;
    if (plain > 0 || usable) {
      this.#key(plan.key);
      this.#out.unseparated();
    }
    yield* this.#elements(plan, cursor);
  }

  /** Rows, and the elements kept as bytes, at their places. */
  *#elements(plan: SectionPlan, cursor: RowCursor): Generator<Uint8Array> {
    const out = this.#out;
    for (const element of this.#verbatim(plan.source)) {
      yield* this.#rows(cursor, element.before);
      this.#writeElement(plan, element, cursor);
      if (out.full) yield out.take();
    }
    yield* this.#rows(cursor, cursor.total);
  }

  *#rows(cursor: RowCursor, end: number): Generator<Uint8Array> {
    while (cursor.position < end) {
      cursor.write(this.#out, end);
      if (this.#out.full) yield this.#out.take();
    }
  }

  *#verbatim(section: number): Generator<VerbatimElement> {
    const table = this.#residue?.verbatim;
    if (table === undefined || section < 0) return;
    // Sections are read one after the other, so their elements are adjacent.
    for (let i = table.section.indexOf(section); i >= 0 && i < table.length && table.section[i] === section; i++) {
      yield {
        bytes: table.bytes.subarray(table.start[i], table.start[i + 1]),
        before: table.before[i],
        replaces: table.replaces[i] === 1,
      };
    }
  }

  #writeElement(plan: SectionPlan, element: VerbatimElement, cursor: RowCursor): void {
    const from = this.#residue?.sections[plan.source];
    if (plan.kind === 'raw' || from === undefined) return;
    const noun = ENTRY_NAMES[plan.kind];
    const { treatment, why } = this.#treatment(plan, from, element);
    // A row with unusable bytes is written from the models by the next call of `#rows`.
    if (treatment === 'row') this.#drops.add(1, noun, why);
    else if (element.replaces) cursor.skip();
    if (treatment === 'verbatim') {
      this.#out.separate();
      this.#out.raw(element.bytes);
    } else if (treatment === 'respell') {
      const lost = writeRespelled(this.#out, element.bytes, from, plan, this.#target.strict);
      this.#drops.add(lost, ['key', 'keys'], `${plan.key}: they have another meaning in this version`);
    } else if (treatment === 'drop') this.#drops.add(1, noun, why);
  }

  #treatment(plan: SectionPlan, from: SectionResidue, element: VerbatimElement): Treatment {
    const json = parsed(element.bytes);
    if (json === undefined) {
      return element.replaces
        ? { treatment: 'row', why: 'unknown keys that are not JSON are omitted' }
        : { treatment: 'drop', why: 'not JSON' };
    }
    const { how, strict } = this.#target;
    if (how === 'copy') return { treatment: 'verbatim', why: '' };
    const breaks = !element.replaces || (plan.kind !== 'raw' && !keepsSchema(json.value, plan.kind, from));
    if (strict && breaks) return { treatment: 'drop', why: 'violates the schema' };
    if (element.replaces) return { treatment: 'respell', why: '' };
    const same = from.key === plan.key && from.nameKey === plan.nameKey && from.contextKey === plan.contextKey;
    return same && from.single === plan.single
      ? { treatment: 'verbatim', why: '' }
      : { treatment: 'drop', why: 'not part of the format, so its spelling in another version is unknown' };
  }
}

/** How to write an element kept as bytes. `row`: it is written from the models instead. */
interface Treatment {
  readonly treatment: 'verbatim' | 'respell' | 'row' | 'drop';
  readonly why: string;
}
