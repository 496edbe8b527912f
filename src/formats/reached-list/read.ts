/**
 * Reads lists of what a points-to analysis reached (docs/formats/reached-list.md): methods become functions and the methods of a call graph
 * without calls, classes become classes. Packages and fields have no place in the models: they are counted, and their names are kept.
 * Memory: a window of 1 MiB, and the names.
 */
import { ByteInterner } from '../../base/columns/hash.js';
import { FormatError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8, type StringTable } from '../../base/text.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import { CallGraphBuilder } from '../../models/callgraph/call-graph-builder.js';
import type { Recording } from '../../models/recording.js';
import { headOf } from '../capabilities/probe.js';
import { loaderBytes, MethodAdder } from '../shared/points-to/method-text.js';
import { eachTextLine } from '../shared/text-lines.js';
import { type ListKind, listKindOf } from './probe.js';

const HEAD_BYTES = 1 << 16;
const LONGEST_LINE = 1 << 20;
const TAB = 9;
/** Flags of methods that say why they are entries. */
const ROOTS: readonly (readonly [flag: number, reason: string])[] = [
  ['r'.charCodeAt(0), 'direct root'],
  ['v'.charCodeAt(0), 'virtual root'],
];

export interface ListResidue {
  readonly kind: ListKind;
  /** Names of packages or fields, with loaders. */
  readonly names: StringTable;
}

/** Throws `FormatError` if no line is a name. */
export async function readReachedList(source: ByteSource, work: Work = {}): Promise<Recording> {
  const bytes = await readHead(source, HEAD_BYTES);
  const found = listKindOf(headOf(source.name, bytes, bytes.length < HEAD_BYTES));
  const list = new ListReader(found?.kind ?? { listed: 'methods', flags: false });
  const damage = await eachTextLine(source, list.visit, { work, longest: LONGEST_LINE });
  if (damage !== undefined) list.problems.add(damage);
  return list.finish(source.name, damage === undefined);
}

class ListReader {
  readonly problems = new ProblemLog();
  readonly #kind: ListKind;
  readonly #methods = new MethodAdder();
  readonly #graph = new CallGraphBuilder(0, { counts: false });
  readonly #names = new ByteInterner();
  #hasLoaders: boolean | undefined;
  #entries = 0;
  #lines = 0;
  #lost = false;

  constructor(kind: ListKind) {
    this.#kind = kind;
  }

  readonly visit = (bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean): void => {
    if (!ended) this.#lose('list-cut', offset, 'the last line has no end: the list is cut here');
    const tab = this.#kind.flags ? bytes.subarray(from, to).lastIndexOf(TAB) : -1;
    const end = tab < 0 ? to : from + tab;
    const fault = this.#kind.flags && tab < 0 ? 'no flags behind a tab' : this.#add(bytes, from, end, to);
    if (fault !== undefined)
      this.#lose('list-line', offset, `${fault}: ${decodeUtf8(bytes, from, Math.min(to, from + 80))}; line skipped`);
    else this.#lines++;
  };

  /** Adds the name in `bytes[from .. end)` with the flags up to `to`; what is wrong with it, if anything. */
  #add(bytes: Uint8Array, from: number, end: number, to: number): string | undefined {
    const { program } = this.#methods;
    const { listed } = this.#kind;
    if (listed === 'packages' || listed === 'fields') {
      if (from === end) return 'expected a name, found nothing';
      return this.#isNew(this.#names, bytes, from, end) ? undefined : 'listed before';
    }
    this.#hasLoaders ??= loaderBytes(bytes, from, end) > 0;
    const loader = this.#hasLoaders ? loaderBytes(bytes, from, end) : 0;
    const text = loader === 0 ? from : from + loader + 1;
    const module = loader === 0 ? NONE : program.names.add(bytes, from, from + loader);
    if (listed === 'classes') {
      if (text === end || !isName(bytes, text, end)) return 'expected the name of a class';
      const before = program.classes;
      return program.class(program.names.add(bytes, text, end), module) < before ? 'listed before' : undefined;
    }
    if (!this.#methods.isMethod(bytes, text, end)) return 'expected Class.name(types):type';
    const before = program.functions;
    const id = this.#methods.add(bytes, text, end, module);
    if (id < before) return 'listed before';
    this.#graph.method(id);
    for (const [flag, reason] of ROOTS) {
      if (end === to || !bytes.subarray(end, to).includes(flag)) continue;
      this.#graph.entry(id, reason);
      this.#entries++;
    }
    return undefined;
  }

  #isNew(names: ByteInterner, bytes: Uint8Array, from: number, to: number): boolean {
    const before = names.length;
    return names.add(bytes, from, to) === before;
  }

  #lose(code: string, offset: number, message: string): void {
    this.#lost = true;
    this.problems.add({ code, severity: 'error', offset, message });
  }

  finish(name: string, sound: boolean): Recording {
    if (this.#lines === 0)
      throw new FormatError({ format: 'reached-list', offset: 0, expected: 'a name on each line', found: 'none' });
    const { listed, flags } = this.#kind;
    const residue: ListResidue = {
      kind: this.#kind,
      names: { bytes: this.#names.bytes.finish(), offsets: this.#names.offsets.finish() },
    };
    return {
      name,
      format: 'reached-list',
      metadata: [],
      sections: [
        { name: listed, entries: this.#lines },
        ...(listed === 'methods' && flags ? [{ name: 'entries', entries: this.#entries }] : []),
      ],
      program: this.#methods.program.finish(),
      // Calls exist, but the list has none.
      ...(listed === 'methods' && { callGraph: this.#graph.finish(true) }),
      problems: this.problems.finish(),
      complete: sound && !this.#lost,
      residue,
    };
  }
}

/** Blanks, brackets of parameters and control characters are in no name of a class. */
function isName(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] <= 32 || bytes[at] === 40 || bytes[at] === 41) return false;
  return true;
}
