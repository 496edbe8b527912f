/**
 * Writes call graphs as GraphML (graphml.graphdrawing.org): a node a method, an edge a target of a call, so that two methods may have
 * several edges. Memory: 4 bytes a function and a chunk of 1 MiB.
 */
import { NONE } from '../../../base/flavor.js';
import { stringAt } from '../../../base/text.js';
import { plural } from '../../../base/units.js';
import { CALL_KINDS, type CallGraph } from '../../../models/callgraph/call-graph.js';
import { className, functionSignature } from '../../../models/program/names.js';
import type { FunctionId, Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import type { WriteOptions, Written } from '../../capabilities/writer.js';
import { textChunks } from '../../shared/text-chunks.js';
import { requireCallGraph } from '../graph-notes.js';

/** Data of nodes and edges: id, what it belongs to, name, type. */
const KEYS = [
  ['name', 'node', 'string'],
  ['class', 'node', 'string'],
  ['loader', 'node', 'string'],
  ['entry', 'node', 'boolean'],
  ['reason', 'node', 'string'],
  ['bcis', 'edge', 'string'],
  ['kind', 'edge', 'string'],
  ['site', 'edge', 'int'],
  ['declared', 'edge', 'string'],
  ['count', 'edge', 'double'],
] as const;

/** Throws `UsageError` for recordings without a call graph. */
export function writeGraphml(recording: Recording, { work }: WriteOptions = {}): Written {
  const graph = requireCallGraph(recording);
  const dropped: string[] = [];
  return {
    dropped,
    chunks: {
      *[Symbol.iterator]() {
        const writer = new GraphmlWriter(recording.program, graph);
        yield* textChunks(writer.text(), work);
        dropped.splice(0, dropped.length, ...writer.dropped());
      },
    },
  };
}

class GraphmlWriter {
  readonly #program: Program;
  readonly #graph: CallGraph;
  /** By function: its node, or -1. */
  readonly #nodeOf: Int32Array;
  #unprintable = 0;

  constructor(program: Program, graph: CallGraph) {
    this.#program = program;
    this.#graph = graph;
    this.#nodeOf = new Int32Array(program.functions.length).fill(NONE);
    graph.methods.forEach((id, node) => {
      this.#nodeOf[id] = node;
    });
  }

  *text(): Iterable<string> {
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n';
    for (const [name, of, type] of KEYS)
      yield `<key id="${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>\n`;
    yield '<graph edgedefault="directed">\n';
    const reasons = this.#reasons();
    for (const [node, id] of this.#graph.methods.entries()) yield this.#node(node, id, reasons.get(id));
    for (let target = 0; target < this.#graph.targets.length; target++) yield this.#edge(target);
    yield '</graph>\n</graphml>\n';
  }

  /** Entries and their reasons. */
  #reasons(): Map<FunctionId, string> {
    const { entries, reasons } = this.#graph;
    const found = new Map<FunctionId, string>();
    for (let entry = 0; entry < entries.length; entry++) {
      const [id, reason] = [entries.function[entry], stringAt(reasons, entries.reason[entry])];
      const before = found.get(id);
      found.set(id, before === undefined || before === '' || before === reason ? reason : `${before}; ${reason}`);
    }
    return found;
  }

  #node(node: number, id: FunctionId, reason: string | undefined): string {
    const { classes, functions, names } = this.#program;
    const holder = functions.class[id];
    const loader = classes.module?.[holder] ?? NONE;
    const data = [
      this.#data('name', functionSignature(this.#program, id)),
      holder < 0 ? '' : this.#data('class', className(this.#program, holder)),
      loader < 0 ? '' : this.#data('loader', stringAt(names, loader)),
      reason === undefined ? '' : this.#data('entry', 'true'),
      reason === undefined || reason === '' ? '' : this.#data('reason', reason),
    ];
    return `<node id="n${node}">${data.join('')}</node>\n`;
  }

  #edge(target: number): string {
    const { sites, targets } = this.#graph;
    const site = targets.site[target];
    const declared = sites.declared[site];
    const count = targets.count?.[target] ?? Number.NaN;
    const data = [
      this.#data('bcis', sites.bcis.subarray(sites.bciStart[site], sites.bciStart[site + 1]).join('->')),
      this.#data('kind', CALL_KINDS[sites.kind[site]] ?? 'unknown'),
      this.#data('site', String(site)),
      declared < 0 ? '' : this.#data('declared', functionSignature(this.#program, declared)),
      Number.isNaN(count) ? '' : this.#data('count', String(count)),
    ];
    const [from, to] = [this.#nodeOf[sites.caller[site]], this.#nodeOf[targets.callee[target]]];
    return `<edge id="e${target}" source="n${from}" target="n${to}">${data.join('')}</edge>\n`;
  }

  #data(key: (typeof KEYS)[number][0], text: string): string {
    return `<data key="${key}">${this.#escaped(text)}</data>`;
  }

  /** XML has no form for most control characters: they are replaced, and counted. */
  #escaped(text: string): string {
    const printable = text.replace(UNPRINTABLE, '\ufffd');
    if (printable !== text) this.#unprintable++;
    return printable.replace(/[&<>\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  }

  dropped(): string[] {
    const { sites } = this.#graph;
    let without = 0;
    for (let site = 0; site < sites.length; site++) if (sites.first[site] === sites.first[site + 1]) without++;
    return [
      ...(without > 0 ? [`${plural(without, 'call')} without a target`] : []),
      ...(this.#unprintable > 0 ? [`control characters of ${plural(this.#unprintable, 'text')}`] : []),
    ];
  }
}

/** Characters that XML 1.0 does not allow. */
const UNPRINTABLE = /(?![\t\n\r\u007f-\u009f])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;
