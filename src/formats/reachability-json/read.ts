/**
 * Reads reachability dumps (docs/formats/reachability-json.md) of any size in one pass. Methods become functions and the methods of a call
 * graph without calls. Memory: the names, 8 bytes a method, a window of 1 MiB.
 */
import { Float64Builder } from '../../base/columns/columns.js';
import { FormatError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { encodeUtf8, type StringId } from '../../base/text.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { CallGraphBuilder } from '../../models/callgraph/call-graph-builder.js';
import type { Recording } from '../../models/recording.js';
import { Scanner } from '../shared/json-scanner.js';
import { readDocument } from '../shared/json-windows.js';
import { MethodAdder } from '../shared/points-to/method-text.js';
import { type Contents, ReachabilityDocument } from './document.js';

const LARGEST = 1 << 26;

/** Throws `FormatError` if there is no package. */
export async function readReachability(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const scanner = new Scanner();
  const reached = new Reached();
  const document = new ReachabilityDocument(scanner, problems, reached);
  const { whole } = await readDocument(source, scanner, document, problems, { work, largest: LARGEST });
  if (reached.counts.packages === 0)
    throw new FormatError({
      format: 'reachability-json',
      offset: problems.finish().list[0]?.offset ?? 0,
      expected: 'a list of modules with packages',
      found: problems.finish().list[0]?.message ?? 'no package',
    });
  const { program, callGraph } = reached.finish();
  const { modules, packages, types, methods, fields, bytes } = reached.counts;
  return {
    name: source.name,
    format: 'reachability-json',
    metadata: [],
    sections: [
      { name: 'modules', entries: modules },
      { name: 'packages', entries: packages },
      { name: 'types', entries: types },
      { name: 'methods', entries: methods },
      { name: 'fields', entries: fields },
      { name: 'bytes of code', entries: bytes },
    ],
    program,
    callGraph,
    problems: problems.finish(),
    complete: whole && !document.lost,
    residue: undefined,
  };
}

class Reached implements Contents {
  readonly counts = { modules: 0, packages: 0, types: 0, methods: 0, fields: 0, bytes: 0 };
  readonly #methods = new MethodAdder();
  readonly #graph = new CallGraphBuilder(0, { counts: false });
  readonly #sizes = new Float64Builder();
  #module: StringId = NONE;
  #package = '';
  #type = '';
  #method = NONE;

  /** A module may have a name; it is before its packages. */
  module(name: string): void {
    this.#module = this.#methods.program.name(name);
  }

  leaveModule(): void {
    this.counts.modules++;
    this.#module = NONE;
  }

  package(name: string): void {
    this.counts.packages++;
    this.#package = name;
  }

  type(name: string): void {
    this.counts.types++;
    this.#type = this.#package === '' ? name : `${this.#package}.${name}`;
    this.#methods.program.class(this.#methods.program.name(this.#type), this.#module);
  }

  method(signature: string): boolean {
    // The dump has no return types.
    const text = encodeUtf8(`${this.#type}.${signature}:?`);
    this.#method = NONE;
    // A name has no dot; in the whole text it would end the class.
    if (signature.slice(0, signature.lastIndexOf('(')).includes('.')) return false;
    if (!this.#methods.isMethod(text, 0, text.length)) return false;
    this.#method = this.#methods.add(text, 0, text.length, this.#module);
    this.#graph.method(this.#method);
    this.counts.methods++;
    return true;
  }

  size(bytes: number): void {
    if (this.#method < 0) return;
    while (this.#sizes.length <= this.#method) this.#sizes.push(Number.NaN);
    this.#sizes.values[this.#method] = bytes;
    this.counts.bytes += bytes;
  }

  field(): void {
    this.counts.fields++;
  }

  finish(): Required<Pick<Recording, 'program' | 'callGraph'>> {
    const graph = this.#graph.finish(true);
    const sizes = this.#sizes.finish();
    const codeBytes = Float64Array.from(graph.methods, (id) => sizes[id] ?? Number.NaN);
    return { program: this.#methods.program.finish(), callGraph: { ...graph, codeBytes } };
  }
}
