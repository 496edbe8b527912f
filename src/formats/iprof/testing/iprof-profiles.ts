/** Drawn `.iprof` profiles for property tests: small, valid, with their own ids. */
import fc from 'fast-check';

/** A frame of a drawn profile: one of a few methods, at a bytecode index. */
type DrawnFrame = readonly [method: number, bci: number];

export interface DrawnEntry {
  /** Leaf first. */
  readonly context: readonly DrawnFrame[];
  /** A count for each of the context's targets or types. */
  readonly counts: readonly number[];
  /** Which targets a branch has: files that disagree on it saw other code. */
  readonly shape: number;
}

export interface DrawnProfile {
  readonly version: string;
  /** What is added to ids, and whether they fall instead of rise. */
  readonly idOffset: number;
  readonly falling: boolean;
  readonly calls: readonly DrawnEntry[];
  readonly branches: readonly DrawnEntry[];
  readonly receivers: readonly DrawnEntry[];
  readonly samples: readonly DrawnEntry[];
  readonly monitors: readonly number[];
}

const TYPES = ['app.Main', 'app.Tree$Node', 'java.lang.String', '[Ljava.lang.String;', '[I', 'void', 'int'];
/** Name and signature: declaring type, return type, parameters. Two are overloads, two differ in what they return. */
const METHODS: readonly (readonly [string, readonly number[]])[] = [
  ['main', [0, 5, 3]],
  ['get', [1, 6]],
  ['get', [1, 6, 6]],
  ['get', [1, 2]],
  ['<init>', [1, 5, 4]],
  ['hashCode', [2, 6]],
];

const count = fc.oneof(fc.nat(30), fc.constantFrom(1, 2 ** 31, 2 ** 32 + 1, 23_900_000_000));

function entries(shapes: number): fc.Arbitrary<DrawnEntry[]> {
  const frame = fc.tuple(fc.nat(METHODS.length - 1), fc.integer({ min: -6, max: 5 }));
  return fc.array(
    fc.record({
      context: fc.array(frame, { minLength: 1, maxLength: 4 }),
      counts: fc.tuple(count, count, count).map((all) => [...all]),
      shape: fc.nat(shapes - 1),
    }),
    { maxLength: 6 },
  );
}

/** `shapes`: how many different sets of targets a branch may have; with 1 no two files disagree. */
export function drawnProfile(shapes: number): fc.Arbitrary<DrawnProfile> {
  return fc.record(
    {
      version: fc.constantFrom('0.4.0', '1.0.0', '1.1.0'),
      idOffset: fc.nat(1000),
      falling: fc.boolean(),
      calls: entries(1),
      branches: entries(shapes),
      receivers: entries(1),
      samples: entries(1),
      monitors: fc.array(count, { maxLength: 3 }),
    },
    { noNullPrototype: true },
  );
}

/** The file of a drawn profile. */
export function textOf(profile: DrawnProfile): string {
  const { version, calls, branches, receivers, samples, monitors } = profile;
  const id = (row: number): number => profile.idOffset + 3 * (profile.falling ? 40 - row : row);
  const context = (entry: DrawnEntry, call: boolean): string =>
    entry.context.map(([method, bci], depth) => `${id(method)}:${call && depth === 0 ? 0 : bci}`).join('<');
  /** A context is one entry of a section. */
  const distinct = (list: readonly DrawnEntry[], call = false): DrawnEntry[] => [
    ...new Map(list.map((entry) => [context(entry, call), entry])).values(),
  ];
  const types = (counts: readonly number[]): number[] => counts.flatMap((each, type) => [id(type), each]);
  return JSON.stringify({
    version,
    types: TYPES.map((name, row) => ({ id: id(row), name })),
    methods: METHODS.map(([name, signature], row) => ({ id: id(row), name, signature: signature.map(id) })),
    callCountProfiles: distinct(calls, true).map((entry) => ({
      ctx: context(entry, true),
      records: entry.counts.slice(0, 1),
    })),
    conditionalProfiles: distinct(branches).map((entry) => ({
      ctx: context(entry, false),
      // Two cases of a switch share index and mark.
      records: entry.counts.flatMap((each, i) => [i === 0 ? 10 + entry.shape : -5, Math.min(i, 1), each]),
    })),
    virtualInvokeProfiles: distinct(receivers).map((entry) => ({
      ctx: context(entry, false),
      records: types(entry.counts),
    })),
    monitorProfiles: monitors.length === 0 ? [] : [{ ctx: '0:0', records: types(monitors) }],
    samplingProfiles: distinct(samples).map((entry) => ({
      ctx: context(entry, false),
      records: entry.counts.slice(0, 1),
    })),
  });
}
