/**
 * What is in an object beside the fields that a dump shows: fields that the VM adds to classes, and what keeps fields of
 * contended objects in cache lines of their own. Which JDK made the dump, its classes tell by the fields they declare.
 *
 * Sources: `javaClasses.hpp` (`*_INJECTED_FIELDS`), `continuationJavaClasses.hpp` and uses of `@Contended` in OpenJDK 8 to 25.
 */
import { TYPE_BOOLEAN, TYPE_BYTE, TYPE_INT, TYPE_LONG, TYPE_OBJECT, TYPE_SHORT } from '../tags.js';

/** Whether a class declares a field. */
export type Declares = (className: string, field: string) => boolean;

/** A field that the VM adds, by its HPROF type. */
interface AddedField {
  readonly type: number;
  /** Only if the class declares this field. */
  readonly beside?: string;
  /** Only if the class does not declare this field: it came in its place. */
  readonly without?: string;
  /** Only since JDK 15. */
  readonly since15?: true;
  /** Only since JDK 19. */
  readonly since19?: true;
}

const ADDED: ReadonlyMap<string, readonly AddedField[]> = new Map<string, readonly AddedField[]>([
  [
    'java.lang.Class',
    [
      // The class, its array class; bytes of the object, number of its references.
      { type: TYPE_LONG },
      { type: TYPE_LONG },
      { type: TYPE_INT },
      { type: TYPE_INT },
      // The source file; domain, signers and the lock of the initialization, as far as they are no fields.
      { type: TYPE_OBJECT },
      { type: TYPE_OBJECT, without: 'protectionDomain' },
      { type: TYPE_OBJECT, without: 'signers' },
      { type: TYPE_OBJECT, since19: true },
    ],
  ],
  ['java.lang.ClassLoader', [{ type: TYPE_LONG }]],
  ['java.lang.InternalError', [{ type: TYPE_BOOLEAN }]],
  ['java.lang.Module', [{ type: TYPE_LONG }]],
  ['java.lang.StackFrameInfo', [{ type: TYPE_SHORT }]],
  [
    'java.lang.Thread',
    [TYPE_LONG, TYPE_INT, TYPE_BOOLEAN, TYPE_SHORT].map((type) => ({ type, since19: true as const })),
  ],
  ['java.lang.VirtualThread', [{ type: TYPE_LONG, beside: 'onWaitingList' }]],
  ['java.lang.invoke.CallSite', [TYPE_LONG, TYPE_LONG].map((type) => ({ type, without: 'context' }))],
  ['java.lang.invoke.MemberName', [{ type: TYPE_LONG }]],
  ['java.lang.invoke.MethodHandleNatives$CallSiteContext', [{ type: TYPE_LONG }, { type: TYPE_LONG, since15: true }]],
  ['java.lang.invoke.ResolvedMethodName', [{ type: TYPE_LONG }, { type: TYPE_OBJECT, without: 'vmholder' }]],
  ['jdk.internal.vm.StackChunk', [TYPE_OBJECT, TYPE_LONG, TYPE_INT, TYPE_BYTE, TYPE_BYTE].map((type) => ({ type }))],
]);

/** Bytes that the VM leaves free on each side of contended fields. */
export const PADDING = 128;

/** Fields that are kept apart from those of other objects, as the sources of a class have them. */
interface ContendedFields {
  /** All fields of the class that are in no group. */
  readonly whole: boolean;
  readonly groups: readonly (readonly string[])[];
  /** Only if the class does not declare this field. */
  readonly without?: string;
  /** Only before JDK 19. */
  readonly until19?: true;
}

/** The same, with StringIds. */
export interface Contention {
  readonly whole: boolean;
  /** Names of the fields of each group: no group is empty. */
  readonly groups: readonly (readonly number[])[];
}

const CONTENDED: ReadonlyMap<string, ContendedFields> = new Map<string, ContendedFields>([
  [
    'java.lang.Thread',
    {
      whole: false,
      groups: [['threadLocalRandomSeed', 'threadLocalRandomProbe', 'threadLocalRandomSecondarySeed']],
      until19: true,
    },
  ],
  ['java.util.concurrent.ConcurrentHashMap$CounterCell', { whole: true, groups: [] }],
  ['java.util.concurrent.Exchanger$Node', { whole: true, groups: [], without: 'seed' }],
  ['java.util.concurrent.Exchanger$Slot', { whole: true, groups: [] }],
  ['java.util.concurrent.ForkJoinPool', { whole: false, groups: [['ctl', 'parallelism']] }],
  [
    'java.util.concurrent.ForkJoinPool$WorkQueue',
    { whole: false, groups: [['top', 'phase', 'stackPred', 'source', 'nsteals', 'parking']] },
  ],
  ['java.util.concurrent.SubmissionPublisher$BufferedSubscription', { whole: true, groups: [['demand', 'waiting']] }],
  ['java.util.concurrent.atomic.Striped64$Cell', { whole: true, groups: [] }],
]);

/** HPROF types of the fields that the VM adds to a class. */
export function addedTypes(className: string, declares: Declares): readonly number[] {
  const isThere = ({ beside, without, since15, since19 }: AddedField): boolean =>
    (beside === undefined || declares(className, beside)) &&
    (without === undefined || !declares(className, without)) &&
    (since15 === undefined || isSince15(declares) === true) &&
    (since19 === undefined || isSince19(declares));
  return (ADDED.get(className) ?? []).filter(isThere).map(({ type }) => type);
}

/** How the fields of a class are kept apart; undefined if they are not. `stringNamed`: the StringId of a text. */
export function contentionOf(
  className: string,
  declares: Declares,
  stringNamed: (text: string) => number,
): Contention | undefined {
  const fields = CONTENDED.get(className);
  if (fields === undefined) return undefined;
  if (fields.without !== undefined && declares(className, fields.without)) return undefined;
  if (fields.until19 === true && isSince19(declares)) return undefined;
  const groups = fields.groups
    .map((names) => names.filter((name) => declares(className, name)).map(stringNamed))
    .filter(({ length }) => length > 0);
  return fields.whole || groups.length > 0 ? { whole: fields.whole, groups } : undefined;
}

/** Whether HotSpot of JDK 15 or later made the dump: its hidden classes have data. Undefined if the classes do not tell. */
export function isSince15(declares: Declares): boolean | undefined {
  return declares('java.lang.Class', 'reflectionData') ? declares('java.lang.Class', 'classData') : undefined;
}

/**
 * Whether elements of arrays follow their length at once where class pointers are wide: since JDK 23. Undefined if the classes do not
 * tell: those of JDK 19 to 23 are alike.
 */
export function hasShortArrays(declares: Declares): boolean | undefined {
  if (!declares('java.lang.Thread', 'threadLocals')) return undefined;
  if (!isSince19(declares)) return false;
  return declares('java.lang.Thread', 'inheritedAccessControlContext') ? undefined : true;
}

/** Threads have an object with what platform threads have beside virtual ones. */
function isSince19(declares: Declares): boolean {
  return declares('java.lang.Thread', 'holder');
}

/** Classes whose fields the VM reached by fixed places before JDK 15. */
const PLACED_BY_NAME: ReadonlySet<string> = new Set(
  [
    ...['AssertionStatusDirectives', 'Class', 'ClassLoader', 'Module', 'StackTraceElement', 'String', 'Throwable'],
    ...['Boolean', 'Character', 'Float', 'Double', 'Byte', 'Short', 'Integer', 'Long'],
    ...['ref.Reference', 'ref.SoftReference'],
  ].map((name) => `java.lang.${name}`),
);

/** Whether references come first among the fields of a class, before JDK 15. */
export function isPlacedByName(className: string | undefined): boolean {
  return className !== undefined && PLACED_BY_NAME.has(className);
}
