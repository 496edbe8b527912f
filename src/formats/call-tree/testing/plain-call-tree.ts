/**
 * A second reading of call trees in text: expressions on whole lines and a stack of objects, by the rules of
 * docs/formats/call-tree.md, without any code of the reader.
 */
import { decodeUtf8, stringAt } from '../../../base/text.js';
import { CALL_KINDS, type CallGraph } from '../../../models/callgraph/call-graph.js';
import type { Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';

/** A call in words: `caller @bcis kind declared -> target, target`. */
export interface PlainTree {
  readonly entries: string[];
  readonly methods: string[];
  readonly calls: string[];
  /** Lines by kind: entries, methods with `id=`, calls, targets. */
  readonly counts: readonly [number, number, number, number];
  readonly faulty: boolean;
}

interface Node {
  readonly method: string | undefined;
  readonly call: Call | undefined;
}

interface Call {
  readonly caller: string;
  readonly words: string;
  readonly targets: string[];
}

const LINE =
  /^((?:│ {3}| {4}|\? {3})*)(?:[├└]── |\?{3} )(entry|directly calls|virtually calls|interfacially calls|is overridden by|is implemented by) (.+)$/s;
const PARTS = /^(.+) (id|id-ref)=(\d+)(?: @bci=([\d>-]+))? *$/s;
const ENTRY = /^(.+) (id|id-ref)=(\d+)(?: *|(, parsing reason:.*))$/s;
const BCIS = /^-?\d{1,9}(?:->-?\d{1,9})*$/;

export class PlainReading {
  readonly #counts: [number, number, number, number] = [0, 0, 0, 0];
  readonly #entries: { method: string; reason: string }[] = [];
  readonly #calls: Call[] = [];
  readonly #nodes: (Node | undefined)[] = [];
  readonly #textOf = new Map<number, string>();
  readonly #idOf = new Map<string, number>();
  readonly #listed = new Set<string>();
  #faulty = false;
  #continues = false;
  #ended = false;

  read(bytes: Uint8Array): PlainTree {
    const text = decodeUtf8(bytes, 0, bytes.length).replace(/^\ufeff/, '');
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const line of lines) this.#line(line.replace(/\r$/, ''));
    if (!this.#ended) this.#faulty = true;
    for (const method of this.#idOf.keys()) if (!this.#listed.has(method)) this.#faulty = true;
    return {
      entries: this.#entries.map(({ method, reason }) => `${method}: ${reason}`),
      methods: [...this.#idOf].map(([method, id]) => `${id} ${method}`).sort(),
      calls: this.#calls.map(({ caller, words, targets }) => `${caller} ${words} -> ${targets.join('; ')}`).sort(),
      counts: this.#counts,
      faulty: this.#faulty,
    };
  }

  #line(line: string): void {
    const [, indent = '', words = '', rest = ''] = LINE.exec(line) ?? [];
    const kind = words.split(' ')[0];
    const isTree = words !== '' && (kind === 'entry' ? entryParts(rest) : callParts(kind ?? '', rest)) !== undefined;
    if (!isTree) {
      this.#other(line.trim());
      return;
    }
    this.#continues = this.#ended = false;
    const depth = Array.from(indent).length / 4;
    if (depth > this.#nodes.length) this.#faulty = true;
    while (this.#nodes.length < depth) this.#nodes.push(undefined);
    this.#nodes.length = depth;
    this.#nodes.push(kind === 'entry' ? this.#entry(rest, depth) : this.#call(kind ?? '', rest, depth));
  }

  #other(text: string): void {
    this.#ended = text === '';
    if (text === '' || text === 'VM Entry Points') return;
    const last = this.#entries.at(-1);
    if (text.startsWith('at ') && this.#continues && last !== undefined) last.reason += `\n${text}`;
    else this.#faulty = true;
  }

  #entry(rest: string, depth: number): Node {
    const { text, word, id, reason } = entryParts(rest) ?? { text: '', word: '', id: 0, reason: '' };
    this.#counts[0]++;
    if (depth > 0) this.#faulty = true;
    const method = this.#method(text, word, id);
    this.#entries.push({ method, reason });
    this.#continues = true;
    return { method, call: undefined };
  }

  #call(kind: string, rest: string, depth: number): Node | undefined {
    const { text, word, id, bcis } = callParts(kind, rest) ?? { text: '', word: '', id: 0, bcis: '' };
    const above = this.#nodes[depth - 1];
    const isTarget = kind === 'is';
    if (depth === 0 || (above !== undefined && (isTarget ? above.call : above.method) === undefined))
      this.#faulty = true;
    const isVirtual = !isTarget && kind !== 'directly';
    const method = isVirtual ? undefined : this.#method(text, word, id);
    if (!isVirtual) this.#counts[3]++;
    if (isTarget) {
      if (method !== undefined) above?.call?.targets.push(method);
      return { method, call: undefined };
    }
    this.#counts[2]++;
    if (above?.method === undefined) return isVirtual ? undefined : { method, call: undefined };
    if (!BCIS.test(bcis)) this.#faulty = true;
    const at = BCIS.test(bcis) ? bcis.split('->').map(Number).join('->') : '-5';
    const declared = isVirtual ? `virtual ${text}` : 'direct';
    const call: Call = {
      caller: above.method,
      words: `@${at} ${declared}`,
      targets: method === undefined ? [] : [method],
    };
    this.#calls.push(call);
    return { method, call: isVirtual ? call : undefined };
  }

  #method(text: string, word: string, id: number): string {
    const close = text.lastIndexOf('):');
    const open = text.lastIndexOf('(', close);
    const dot = text.lastIndexOf('.', open);
    // Brackets before the name, or a name without characters, are no method.
    if (close < 1 || open < 1 || dot < 1 || dot + 1 === open) this.#faulty = true;
    else if (!isTypes(text.slice(open + 1, close)) || !isType(text.slice(close + 2))) this.#faulty = true;
    const known = this.#textOf.get(id);
    if (known !== undefined && known !== text) this.#faulty = true;
    if (known === undefined) {
      this.#textOf.set(id, text);
      if ((this.#idOf.get(text) ?? -1) >= 0) this.#faulty = true;
      else this.#idOf.set(text, id);
    } else if (!this.#idOf.has(text)) this.#idOf.set(text, -1);
    if (word === 'id') {
      this.#counts[1]++;
      if (this.#listed.has(text)) this.#faulty = true;
      this.#listed.add(text);
    }
    return text;
  }
}

const LARGEST = 0x7fffffff;

function callParts(kind: string, rest: string) {
  if (kind === 'virtually' || kind === 'interfacially') {
    const [, text, bcis = ''] = /^(.+) @bci=([\d>-]+) *$/s.exec(rest) ?? [];
    return text === undefined ? undefined : { text, word: '', id: -1, bcis };
  }
  const [, text, word = '', id, bcis] = PARTS.exec(rest) ?? [];
  if (text === undefined || Number(id) > LARGEST || (kind === 'directly') !== (bcis !== undefined)) return undefined;
  return { text, word, id: Number(id), bcis: bcis ?? '' };
}

/** The last id that the reason, or the end of the line, follows. */
function entryParts(rest: string) {
  for (const mark of [...rest.matchAll(/ id=\d{1,10}(?=, parsing reason:)/g)].reverse()) {
    const end = (mark.index ?? 0) + mark[0].length;
    const [, text, word = '', id] = ENTRY.exec(rest.slice(0, end)) ?? [];
    if (text !== undefined && Number(id) <= LARGEST)
      return { text, word, id: Number(id), reason: rest.slice(end + ', parsing reason:'.length).trim() };
    return undefined;
  }
  const [, text, word = '', id] = ENTRY.exec(rest) ?? [];
  return text === undefined || Number(id) > LARGEST ? undefined : { text, word, id: Number(id), reason: '' };
}

/** What a recording has, in the same words. */
export function plainGraph({ program, callGraph, sections }: Recording): PlainTree {
  if (callGraph === undefined) throw new Error('no call graph');
  const { sites, entries, reasons, methods } = callGraph;
  const node = (id: number): string => nodeText(program, id);
  const calls = Array.from({ length: sites.length }, (_, site) => {
    const bcis = sites.bcis.subarray(sites.bciStart[site], sites.bciStart[site + 1]).join('->');
    const isVirtual = CALL_KINDS[sites.kind[site]] === 'virtual';
    const words = `@${bcis} ${isVirtual ? `virtual ${nodeText(program, sites.declared[site], false)}` : 'direct'}`;
    return `${node(sites.caller[site])} ${words} -> ${calleesOf(callGraph, site).map(node).join('; ')}`;
  });
  const count = (name: string): number => sections.find((section) => section.name === name)?.entries ?? -1;
  return {
    entries: Array.from(entries.function, (id, i) => `${node(id)}: ${stringAt(reasons, entries.reason[i])}`),
    methods: Array.from(methods, (id) => `${program.functions.fileId[id]} ${node(id)}`).sort(),
    calls: calls.sort(),
    counts: [count('entries'), count('methods'), count('call sites'), count('targets')],
    faulty: false,
  };
}

function calleesOf({ sites, targets }: CallGraph, site: number): number[] {
  return Array.from(targets.callee.subarray(sites.first[site], sites.first[site + 1]));
}

function nodeText(program: Program, id: number, withLoader = true): string {
  const { functions, classes, names } = program;
  const own = stringAt(names, functions.name[id]);
  const holder = functions.class[id];
  if (holder < 0) return own;
  const module = classes.module?.[holder] ?? -1;
  const loader = withLoader && module >= 0 ? `${stringAt(names, module)}:` : '';
  const [from, to] = [functions.signatureStart[id], functions.signatureStart[id + 1]];
  const [returns, ...parameters] = Array.from(functions.signature.subarray(from, to), (type) =>
    typeText(stringAt(names, classes.name[type])),
  );
  return `${loader}${stringAt(names, classes.name[holder])}.${own}(${parameters.join(', ')}):${returns}`;
}

/** `[Ljava.lang.String;` → `java.lang.String[]`. */
function typeText(name: string): string {
  const [, brackets = '', element = ''] = /^(\[*)(.*)$/s.exec(name) ?? [];
  if (brackets === '') return name;
  const primitive = { Z: 'boolean', B: 'byte', C: 'char', S: 'short', I: 'int', J: 'long', F: 'float', D: 'double' }[
    element
  ];
  return (primitive ?? element.slice(1, -1)) + '[]'.repeat(brackets.length);
}

function isTypes(list: string): boolean {
  return list === '' || list.split(', ').every(isType);
}

function isType(type: string): boolean {
  return /^[^[\](),;]+$/s.test(type.replace(/(?:\[\])+$/, ''));
}
