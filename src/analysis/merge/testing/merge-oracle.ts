/**
 * A second, naive implementation of merging `.iprof` files: `JSON.parse`, maps of texts, and big integers. It
 * identifies methods by their spelling only. Tests compare the product with it; they share no code.
 */

interface Json {
  readonly version: string;
  readonly types: readonly { id: number; name?: string; typeName?: string }[];
  readonly methods: readonly { id: number; name?: string; methodName?: string; signature: number[] }[];
  readonly [section: string]: unknown;
}

export interface Entry {
  readonly ctx?: string;
  readonly methodBciList?: string;
  readonly records: readonly number[];
}

export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'records' in value && Array.isArray(value.records);
}

export interface WeightedText {
  readonly json: string;
  /** Numerator and denominator. */
  readonly weight: readonly [bigint, bigint];
}

/**
 * Kind → context → record → count. A record is its type, or its index, target and the number of equal records before
 * it.
 */
export type Counts = Map<string, Map<string, Map<string, bigint>>>;

const KINDS: Record<string, readonly string[]> = {
  call: ['callCountProfiles', 'hotnessPoints'],
  branch: ['conditionalProfiles', 'conditionalPoints'],
  receiver: ['virtualInvokeProfiles', 'invokePoints'],
  instanceof: ['instanceOfProfiles', 'instanceofProfiles'],
  monitor: ['monitorProfiles', 'monitorsProfile'],
  sample: ['samplingProfiles'],
};

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** The counts that the merged file must have. */
export function mergedCounts(inputs: readonly WeightedText[]): Counts {
  const denominator = inputs.reduce((product, { weight }) => product * weight[1], 1n);
  /** Kind → context → shape → record → sum over the denominator. */
  const sums = new Map<string, Map<string, Map<string, Map<string, bigint>>>>();
  for (const { json, weight } of inputs) {
    const factor = (weight[0] * denominator) / weight[1];
    for (const [kind, context, records] of entriesOf(JSON.parse(json))) {
      const shape = kind === 'branch' ? [...records.keys()].sort().join(' ') : '';
      const sum = at(at(at(sums, kind), context), shape);
      for (const [record, count] of records) sum.set(record, (sum.get(record) ?? 0n) + count * factor);
    }
  }
  const counts: Counts = new Map();
  for (const [kind, contexts] of sums) {
    for (const [context, shapes] of contexts) {
      const heaviest = [...shapes.values()].sort((a, b) => Number(total(b) - total(a)) || smaller(a, b))[0];
      const rounded = at(at(counts, kind), context);
      for (const [record, sum] of heaviest ?? []) {
        const half = (sum * 2n + denominator) / (denominator * 2n);
        rounded.set(record, half === 0n && sum > 0n ? 1n : half < LARGEST ? half : LARGEST);
      }
    }
  }
  return counts;
}

/** The counts of one file. */
export function countsOf(json: string): Counts {
  return mergedCounts([{ json, weight: [1n, 1n] }]);
}

function at<Value>(map: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  let value = map.get(key);
  if (value === undefined) {
    value = new Map();
    map.set(key, value);
  }
  return value;
}

function total(records: ReadonlyMap<string, bigint>): bigint {
  return [...records.values()].reduce((sum, count) => sum + count, 0n);
}

/** Of two lists of targets, the one with the first smaller index or target. */
function smaller(a: ReadonlyMap<string, bigint>, b: ReadonlyMap<string, bigint>): number {
  const [one, other] = [a, b].map((records) =>
    [...records.keys()]
      .map((key) => key.split(' ').map(Number))
      .sort((x, y) => x.map((value, i) => value - (y[i] ?? 0)).find((difference) => difference !== 0) ?? 0)
      .flatMap((key) => key.slice(0, 2)),
  );
  const at = one?.findIndex((value, i) => value !== other?.[i]) ?? -1;
  return at < 0 ? -1 : (one?.[at] ?? 0) - (other?.[at] ?? Infinity);
}

function* entriesOf(json: Json): Generator<[string, string, Map<string, bigint>]> {
  const types = new Map(json.types.map((type) => [type.id, type.name ?? type.typeName ?? '']));
  const methods = new Map(
    json.methods.map((method) => [
      method.id,
      `${method.name ?? method.methodName} ${method.signature.map((id) => types.get(id)).join(' ')}`,
    ]),
  );
  for (const [kind, keys] of Object.entries(KINDS)) {
    for (const key of keys) {
      for (const entry of [json[key]].flat().filter(isEntry)) {
        const context = (entry.ctx ?? entry.methodBciList ?? '').split(/[<,]/).map((frame) => {
          const [id, bci] = frame.split(':');
          return `${methods.get(Number(id))} @${bci}`;
        });
        yield [kind, kind === 'monitor' ? '' : context.join(' < '), recordsOf(kind, entry.records, types)];
      }
    }
  }
}

function recordsOf(kind: string, numbers: readonly number[], types: ReadonlyMap<number, string>): Map<string, bigint> {
  const records = new Map<string, bigint>();
  const width = kind === 'branch' ? 3 : kind === 'call' || kind === 'sample' ? 1 : 2;
  for (let i = 0; i < numbers.length; i += width) {
    const count = BigInt(numbers[i + width - 1] ?? 0);
    if (kind === 'branch') {
      let same = 0;
      while (records.has(`${numbers[i + 1]} ${numbers[i]} ${same}`)) same++;
      records.set(`${numbers[i + 1]} ${numbers[i]} ${same}`, count);
    } else {
      const key = width === 1 ? '' : (types.get(numbers[i] ?? -1) ?? '');
      records.set(key, (records.get(key) ?? 0n) + count);
    }
  }
  return records;
}
