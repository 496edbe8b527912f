/**
 * Whether a Java source looks like the one that classes were compiled from: the name of each method must appear where
 * its code begins. A cheap check for gross differences; methods that the compiler generates are skipped. Cost: the
 * lines of all methods of the file.
 */
import { ACCESS } from '../../code/java/class-file/access.js';
import type { MethodInfo } from '../../code/java/class-file/class-file.js';
import { sourceTypeName } from '../../models/program/names.js';

/** A method with lines that do not contain its name. */
export interface StrangeMethod {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

interface Lined {
  readonly method: MethodInfo;
  /** Line of the first instruction of a constructor (initialisers of fields are above it), else the smallest line. */
  readonly first: number;
  readonly from: number;
  readonly to: number;
}

/** The `isChecked` methods with names that the text does not have; `methods` are all of the file. */
export function strangeMethods(
  text: readonly string[],
  methods: readonly MethodInfo[],
  isChecked: (method: MethodInfo) => boolean,
): StrangeMethod[] {
  const lined = methods.flatMap((method) => linesOf(method) ?? []);
  return lined.flatMap(({ method, first, from, to }) => {
    const expected = isChecked(method) && !isAccessor(method, from, to) ? headOf(method) : undefined;
    if (expected === undefined) return [];
    // A method may begin with local classes: these are within it, not before it.
    const local = new RegExp(`^${escaped(method.owner.name)}\\$\\d`);
    const before = lined.reduce(
      (last, other) => (other.to < first && other.to > last && !local.test(other.method.owner.name) ? other.to : last),
      1,
    );
    const head = text.slice(Math.max(0, before - 1), first).join('\n');
    return expected.test(head) ? [] : [{ name: `${sourceTypeName(method.owner.name)}.${method.name}`, from, to }];
  });
}

function linesOf(method: MethodInfo): Lined | undefined {
  const lines = method.code()?.lineTable.map(({ line }) => line) ?? [];
  const [start] = lines;
  if (start === undefined) return undefined;
  const from = lines.reduce((low, line) => Math.min(low, line), start);
  const to = lines.reduce((high, line) => Math.max(high, line), start);
  return { method, first: method.name === '<init>' ? start : from, from, to };
}

/** The text that must appear where a method begins; undefined if the source need not name it. */
function headOf({ owner, name, access }: MethodInfo): RegExp | undefined {
  if ((access & (ACCESS.synthetic | ACCESS.bridge)) !== 0) return undefined;
  if (name === '<init>') {
    // Also the head of the class: the line of an implicit constructor. Anonymous classes have no name.
    const simple = owner.name.slice(owner.name.lastIndexOf('.') + 1);
    const simpleName = simple.slice(simple.lastIndexOf('$') + 1).replace(/^\d+/, '');
    return simpleName === '' ? undefined : word(simpleName);
  }
  if (!/^[A-Za-z_]\w*$/.test(name) || isImplied(owner, name)) return undefined;
  return word(name);
}

/** Methods of enums and records that the compiler writes. */
function isImplied({ access, superName }: MethodInfo['owner'], name: string): boolean {
  if ((access & ACCESS.enum) !== 0) return name === 'values' || name === 'valueOf';
  return superName === 'java.lang.Record' && ['toString', 'hashCode', 'equals'].includes(name);
}

/** An accessor of a record, which may be implicit: its line is that of the record, with components on further lines. */
function isAccessor({ owner, descriptor }: MethodInfo, from: number, to: number): boolean {
  return owner.superName === 'java.lang.Record' && descriptor.startsWith('()') && from === to;
}

function word(name: string): RegExp {
  return new RegExp(`(?<![\\w$.#])${escaped(name)}(?![\\w$])`);
}

function escaped(name: string): string {
  return name.replace(/[.$]/g, '\\$&');
}
