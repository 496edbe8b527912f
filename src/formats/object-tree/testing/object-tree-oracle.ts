/**
 * The expected content of object trees, by regular expressions and a tree of plain objects, without any code of the reader. The rules
 * are those of docs/formats/object-tree.md. Texts are one character a byte.
 */
import { isDeepStrictEqual } from 'node:util';
import type { StringTable } from '../../../base/text.js';
import { REFERENCE_KINDS, ROOTS } from '../../../models/heap/heap-graph.js';
import type { Recording } from '../../../models/recording.js';
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';
import { faultOf, mustShow } from '../../iprof/testing/iprof-oracle.js';
import { isResidue } from '../residue.js';

/** Name or index of a field or element, its declared type, the id of its object, and its text. */
type SeenReference = [name: string | number, declared: string | null, target: number | null, text: string | null];
export interface SeenObject {
  type: string | null;
  readonly text: string;
  listed: boolean;
  readonly references: SeenReference[];
}
type SeenRoot = [name: string, object: number | null, text: string | null, type: string | null];

export interface SeenTree {
  readonly roots: SeenRoot[];
  readonly objects: Map<number, SeenObject>;
}

interface Line {
  readonly depth: number;
  readonly body: string;
}

const GLYPHS = /^((?:\xe2\x94\x82 {3}| {4}|\? {3})*)(?:\xe2\x94[\x94\x9c]\xe2\x94\x80\xe2\x94\x80 |\?\?\? )/;
const ENDS = / (?:fields:|\(no fields\)|elements \(excluding null\):|\(no elements\))$/;
const SUPPRESSED = / \(expansion suppressed\)$/;

export function objectTreeOracle(): Judge {
  return (mutated, outcome) => {
    const text = Buffer.from(mutated).toString('latin1');
    if (/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(text)) return { input: 'ambiguous' };
    const { tree, lost, lines } = naiveTree(text);
    const input = lost > 0 ? 'damaged' : 'sound';
    if (outcome.kind === 'refused')
      return { input, ...faultOf(lines === 0 ? undefined : { code: 'refused', detail: outcome.message }) };
    const { recording } = outcome;
    if (lost > 0) {
      const hidden = mustShow(mutated, outcome, 'a line that is none of a tree');
      if (hidden !== undefined || recording.complete)
        return { input, fault: hidden ?? { code: 'silent', detail: 'the recording is complete' } };
    } else if (!recording.complete || recording.problems.list.some(({ severity }) => severity === 'error'))
      return { input, fault: { code: 'false alarm', detail: recording.problems.list[0]?.message ?? '' } };
    const seen = seenTree(recording);
    if (isDeepStrictEqual(seen, tree)) return { input };
    return {
      input,
      fault: { code: 'differs', detail: `${JSON.stringify([...tree.objects])}\n${JSON.stringify([...seen.objects])}` },
    };
  };
}

/** Complete lines; a text with line feeds is one line. `others`: lines that belong to none. */
function linesOf(text: string): { lines: Line[]; others: number } {
  const lines: Line[] = [];
  let others = 0;
  let open: string | undefined;
  const close = (): void => {
    if (open !== undefined) lines.push(lineOf(open));
    open = undefined;
  };
  const ended = text.split('\n');
  const last = ended.pop() ?? '';
  const each = [...ended.map((line) => line.replace(/\r$/, '')), ...(last === '' ? [] : [last])];
  for (const line of each) {
    if (GLYPHS.test(line)) {
      close();
      if (mayGoOn(line)) open = line;
      else lines.push(lineOf(line));
    } else if (open !== undefined && (line !== '' || !isWhole(open))) {
      open = `${open}\n${line}`;
      if (!mayGoOn(open)) close();
    } else {
      close();
      if (line.trim() !== '' && line.trim() !== 'Heap roots') others++;
    }
  }
  close();
  return { lines, others };
}

function lineOf(line: string): Line {
  const glyphs = GLYPHS.exec(line);
  return {
    depth: (glyphs?.[1]?.replaceAll('\xe2\x94\x82', ' ').length ?? 0) / 4,
    body: line.slice(glyphs?.[0].length ?? 0),
  };
}

/** The parts of a body with a text: what precedes it, and its id. */
function headOf(line: string) {
  const { depth, body } = lineOf(line);
  const isRoot = depth === 0 && body.startsWith('root ');
  const from = isRoot ? 'root'.length : 0;
  const at = body.indexOf(' toString=', from);
  if (at < 0) return undefined;
  const index = isRoot ? null : /^\[(\d+)\](?: |$)/.exec(body.slice(0, at));
  const isIndex = index !== null && Number(index[1]) < 2 ** 31;
  const head = body.slice(isIndex ? index[0].length : isRoot ? 'root '.length : 0, at);
  const id = /^(.*) id(-ref)?=(\d+)$/s.exec(head);
  const hasId = id !== null && Number(id[3]) < 2 ** 31;
  return {
    index: isIndex ? Number(index[1]) : undefined,
    head: hasId ? (id[1] ?? '') : head,
    id: hasId ? Number(id[3]) : undefined,
    isReference: hasId && id[2] !== undefined,
    text: body.slice(at + ' toString='.length),
  };
}

/** Whether the next line may belong to a line: its text has no end. */
function mayGoOn(line: string): boolean {
  const parts = headOf(line);
  if (parts === undefined) return false;
  if (parts.isReference) return true;
  return !(parts.id === undefined ? SUPPRESSED : ENDS).test(parts.text);
}

function isWhole(line: string): boolean {
  const parts = headOf(line);
  return parts?.isReference === true && parts.head !== '';
}

interface Node {
  readonly kind: 'root' | 'field' | 'object' | 'nothing';
  readonly root?: SeenRoot;
  readonly field?: SeenReference;
  readonly object?: SeenObject;
}

/** The tree of a text; `lost` counts what must be reported. */
export function naiveTree(text: string): { tree: SeenTree; lost: number; lines: number } {
  const found = linesOf(text);
  const builder = new NaiveTree();
  let good = 0;
  for (const line of found.lines) if (builder.add(line)) good++;
  const unlisted = builder.finish();
  return { tree: builder.tree, lost: builder.lost + found.others + unlisted, lines: good };
}

class NaiveTree {
  readonly tree: SeenTree = { roots: [], objects: new Map() };
  lost = 0;
  #nodes: Node[] = [];

  finish(): number {
    this.#cut(0);
    return [...this.tree.objects.values()].filter(({ listed }) => !listed).length;
  }

  /** False if it is no line of a tree. */
  add({ depth, body }: Line): boolean {
    const line = `${'    '.repeat(depth)}??? ${body}`;
    const parts = headOf(line);
    const isRoot = depth === 0 && body.startsWith('root ');
    const value = /^(.+) (value:|value=null)$/s.exec(body);
    const good =
      parts === undefined
        ? body === ' null' || (value !== null && !(isRoot && (value[2] !== 'value:' || (value[1] ?? '').length < 6)))
        : (parts.head !== '') !== (parts.id === undefined && parts.index !== undefined) &&
          (parts.isReference || (parts.id === undefined ? SUPPRESSED : ENDS).test(parts.text)) &&
          !(isRoot && parts.id !== undefined && !parts.isReference);
    if (!good) {
      this.lost++;
      return false;
    }
    if (depth > this.#nodes.length) this.lost++;
    this.#cut(depth);
    while (this.#nodes.length < depth) this.#nodes.push({ kind: 'nothing' });
    this.#nodes[depth] = this.#node(depth, isRoot, body, parts, value) ?? { kind: 'nothing' };
    return true;
  }

  #cut(depth: number): void {
    for (const { root, field, kind } of this.#nodes.slice(depth))
      if ((kind === 'root' && root?.[1] === null && root[2] === null) || (kind === 'field' && field?.[2] === null))
        this.lost++;
    this.#nodes = this.#nodes.slice(0, depth);
  }

  #node(
    depth: number,
    isRoot: boolean,
    body: string,
    parts: ReturnType<typeof headOf>,
    value: RegExpExecArray | null,
  ): Node | undefined {
    if (isRoot) return this.#root(body, parts);
    const above: Node = this.#nodes[depth - 1] ?? { kind: 'nothing' };
    if (depth === 0) {
      this.lost++;
      return undefined;
    }
    if (parts?.id !== undefined) return this.#object(above, { ...parts, id: parts.id });
    const text = parts === undefined ? null : parts.text.replace(SUPPRESSED, '');
    if (above.kind === 'root' && text !== null && parts?.index === undefined) {
      const root = above.root;
      if (root === undefined || root[2] !== null) this.lost++;
      else root[2] = text;
      if (root !== undefined) root[3] = typeText(parts?.head ?? '');
    } else if (above.object === undefined) this.lost++;
    else if (body === ' null' && parts === undefined) above.object.references.push([-1, null, null, null]);
    else if (parts?.index !== undefined) above.object.references.push([parts.index, null, null, text]);
    else {
      const [, name = '', declared] = /^(.+?|.+):([^:]*)$/s.exec(parts?.head ?? value?.[1] ?? '') ?? [];
      const whole = parts?.head ?? value?.[1] ?? '';
      const field: SeenReference = [
        name === '' ? whole : name,
        declared === undefined ? null : typeText(declared),
        null,
        text,
      ];
      above.object.references.push(field);
      if (value?.[2] === 'value:' && parts === undefined) return { kind: 'field', field };
    }
    return undefined;
  }

  #root(body: string, parts: ReturnType<typeof headOf>): Node | undefined {
    const name = parts?.head ?? body.slice('root '.length, -' value:'.length);
    if (parts?.id !== undefined) this.#mention({ ...parts, id: parts.id }, null);
    const root: SeenRoot = [
      name,
      parts?.id ?? null,
      parts === undefined || parts.isReference ? null : parts.text.replace(SUPPRESSED, ''),
      null,
    ];
    this.tree.roots.push(root);
    return parts === undefined ? { kind: 'root', root } : undefined;
  }

  #object(above: Node, parts: NonNullable<ReturnType<typeof headOf>> & { readonly id: number }): Node | undefined {
    const object = this.#mention(parts, typeText(parts.head));
    const { index, id } = parts;
    if (above.object !== undefined && index !== undefined) above.object.references.push([index, null, id, null]);
    else if (above.kind === 'root' && above.root !== undefined && index === undefined) {
      if (above.root[1] === null) above.root[1] = id;
      else this.lost++;
    } else if (above.kind === 'field' && above.field !== undefined && index === undefined) {
      if (above.field[2] === null) above.field[2] = id;
      else this.lost++;
    } else this.lost++;
    if (parts.isReference) return undefined;
    if (object.listed) this.lost++;
    object.listed = true;
    return { kind: 'object', object };
  }

  #mention(
    { id, text, isReference }: { id: number; text: string; isReference: boolean },
    type: string | null,
  ): SeenObject {
    const own = isReference ? text : text.replace(ENDS, '');
    const known = this.tree.objects.get(id);
    if (known === undefined) {
      const object = { type, text: own, listed: false, references: [] };
      this.tree.objects.set(id, object);
      return object;
    }
    if (own !== known.text || (known.type !== null && type !== null && type !== known.type)) this.lost++;
    known.type ??= type;
    return known;
  }
}

const LETTERS: Readonly<Record<string, string>> = {
  Z: 'boolean',
  B: 'byte',
  C: 'char',
  S: 'short',
  I: 'int',
  J: 'long',
  F: 'float',
  D: 'double',
  V: 'void',
};

/** A type as in source. */
function typeText(type: string): string {
  const depth = /^\[*/.exec(type)?.[0].length ?? 0;
  if (depth === 0) return type;
  const element = type.slice(depth);
  return (LETTERS[element] ?? element.replace(/^L(.*);$/s, '$1')) + '[]'.repeat(depth);
}

/** The content of a recording that was read. */
export function seenTree({ heaps, program, residue }: Recording): SeenTree {
  const graph = heaps?.[0]?.recorded;
  const tree: SeenTree = { roots: [], objects: new Map() };
  if (graph?.texts === undefined || !isResidue(residue)) return tree;
  const { objects, references, texts } = graph;
  const text = (row: number | undefined): string | null => (row === undefined || row < 0 ? null : bytesAt(texts, row));
  const type = (id: number | undefined): string | null =>
    id === undefined || id < 0 ? null : typeText(bytesAt(program.names, program.classes.name[id]));
  const idOf = (row: number): number | null => (row < 0 ? null : objects.address[row]);
  const field = REFERENCE_KINDS.indexOf('field');
  for (let row = 0; row < objects.length; row++) {
    const own: SeenReference[] = [];
    for (let at = objects.first[row]; at < objects.first[row + 1]; at++) {
      const isField = references.kind[at] === field;
      const name = references.name[at];
      own.push([
        isField ? bytesAt(program.names, name) : name,
        type(references.declared?.[at]),
        idOf(references.target[at]),
        text(references.text?.[at]),
      ]);
    }
    tree.objects.set(objects.address[row], {
      type: type(objects.class[row]),
      text: text(objects.text?.[row]) ?? '',
      listed: !residue.unlisted.includes(row),
      references: own,
    });
  }
  const { object, detail } = ROOTS.rows(graph.roots);
  for (let row = 0; row < graph.roots.length; row++)
    tree.roots.push([
      bytesAt(program.names, detail[row]),
      idOf(object[row]),
      text(residue.rootText[row]),
      type(residue.rootType[row]),
    ]);
  return tree;
}

function bytesAt({ bytes, offsets }: StringTable, row: number): string {
  return Buffer.from(bytes.subarray(offsets[row], offsets[row + 1])).toString('latin1');
}

/** Offsets at which parts of lines begin or end. */
export function objectTreeEdges(bytes: Uint8Array): number[] {
  const edges: number[] = [];
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] === 0x20 || bytes[at] === 0x3d || bytes[at] === 0x3a || bytes[at] === 10) edges.push(at);
  return edges;
}
