/**
 * What is in an object beside the fields that a dump shows: fields that the VM adds to classes, and what keeps fields of
 * contended objects in cache lines of their own. Which JDK made the dump, its classes tell by the fields they declare.
 *
 * Sources: `javaClasses.hpp` (`*_INJECTED_FIELDS`), `continuationJavaClasses.hpp` and uses of `@Contended` in OpenJDK 8 to 25.
 */

const OBJECT = 2;
const BOOLEAN = 4;
const BYTE = 8;
const SHORT = 9;
const INT = 10;
const LONG = 11;

/** Whether a class declares a field. */
export type Declares = (field: string) => boolean;

/** A field that the VM adds, by its HPROF type. */
interface AddedField {
  readonly type: number;
  /** Only if the class declares this field. */
  readonly beside?: string;
  /** Only if the class does not declare this field: it came in its place. */
  readonly without?: string;
}

const ADDED: ReadonlyMap<string, readonly AddedField[]> = new Map<string, readonly AddedField[]>([
  [
    'java.lang.Class',
    [
      // The class, its array class; bytes of the object, number of its references.
      { type: LONG },
      { type: LONG },
      { type: INT },
      { type: INT },
      // The source file; domain, signers and the lock of the initialization, as far as they are no fields.
      { type: OBJECT },
      { type: OBJECT, without: 'protectionDomain' },
      { type: OBJECT, without: 'signers' },
      { type: OBJECT, beside: 'protectionDomain' },
    ],
  ],
  ['java.lang.ClassLoader', [{ type: LONG }]],
  ['java.lang.InternalError', [{ type: BOOLEAN }]],
  ['java.lang.Module', [{ type: LONG }]],
  ['java.lang.StackFrameInfo', [{ type: SHORT }]],
  ['java.lang.Thread', ([LONG, INT, BOOLEAN, SHORT] as const).map((type) => ({ type, beside: 'holder' }))],
  ['java.lang.VirtualThread', [{ type: LONG, beside: 'onWaitingList' }]],
  ['java.lang.invoke.CallSite', [LONG, LONG].map((type) => ({ type, without: 'context' }))],
  ['java.lang.invoke.MemberName', [{ type: LONG }]],
  ['java.lang.invoke.MethodHandleNatives$CallSiteContext', [{ type: LONG }, { type: LONG }]],
  ['java.lang.invoke.ResolvedMethodName', [{ type: LONG }, { type: OBJECT, without: 'vmholder' }]],
  ['jdk.internal.vm.StackChunk', [OBJECT, LONG, INT, BYTE, BYTE].map((type) => ({ type }))],
]);

/** Bytes that the VM leaves free on each side of contended fields. */
export const PADDING = 128;

/** Fields that are kept apart from those of other objects, as the sources of a class have them. */
interface ContendedFields {
  /** All fields of the class that are in no group. */
  readonly whole: boolean;
  readonly groups: readonly (readonly string[])[];
  /** Only if the class declares this field. */
  readonly beside?: string;
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
      // Classes that no longer have it have no padding either.
      beside: 'inheritedAccessControlContext',
    },
  ],
  ['java.util.concurrent.ConcurrentHashMap$CounterCell', { whole: true, groups: [] }],
  ['java.util.concurrent.Exchanger$Node', { whole: true, groups: [], beside: 'bound' }],
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
  const fields = ADDED.get(className) ?? [];
  return fields
    .filter(
      ({ beside, without }) =>
        (beside === undefined || declares(beside)) && (without === undefined || !declares(without)),
    )
    .map(({ type }) => type);
}

/** How the fields of a class are kept apart; undefined if they are not. `stringNamed`: the StringId of a text. */
export function contentionOf(
  className: string,
  declares: Declares,
  stringNamed: (text: string) => number,
): Contention | undefined {
  const fields = CONTENDED.get(className);
  if (fields === undefined || (fields.beside !== undefined && !declares(fields.beside))) return undefined;
  const groups = fields.groups
    .map((names) => names.filter(declares).map(stringNamed))
    .filter(({ length }) => length > 0);
  return fields.whole || groups.length > 0 ? { whole: fields.whole, groups } : undefined;
}
