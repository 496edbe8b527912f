/** Sums of methods by group, for the listings of methods that are missing. */
import { NONE } from '../../base/flavor.js';
import { knownSum, share } from '../../base/share.js';
import type { ClassPath } from '../../models/program/class-path.js';
import type { FunctionId } from '../../models/program/program.js';
import type { MethodGrouping } from '../../questions/options/shared.js';
import { groupName } from '../method-groups.js';

/** A row; null where it is unknown. */
export interface MethodSum {
  readonly methods: number;
  readonly share: number | null;
  readonly of: number;
  readonly bytes: number | null;
  readonly code_bytes: number | null;
  readonly name: string;
  /** The function of the report that a row of one method is about; -1 for all others. */
  readonly function: FunctionId;
}

/** What may be known of a method. */
interface MethodFacts {
  /** Bytes of bytecode, and of machine code. */
  readonly bytes?: number | undefined;
  readonly code?: number | undefined;
  /** In the report. */
  readonly function?: FunctionId;
}

interface Sums {
  methods: number;
  of: number;
  /** NaN until a size is known. */
  bytes: number;
  code: number;
  function: FunctionId;
}

function nothing(): Sums {
  return { methods: 0, of: 0, bytes: Number.NaN, code: Number.NaN, function: NONE };
}

/** Sums by group and in total; groups of methods are sums of one. */
export class MethodSums {
  readonly #by: MethodGrouping;
  readonly #classes: ClassPath | undefined;
  readonly #total = nothing();
  readonly #groups = new Map<string, Sums>();

  constructor(by: MethodGrouping, classes: ClassPath | undefined) {
    this.#by = by;
    this.#classes = classes;
  }

  /** `isListed`: whether a method is of the listed kind. Sizes are NaN if unknown. */
  add(
    type: string,
    method: () => string,
    isListed: boolean,
    { bytes = Number.NaN, code = Number.NaN, function: id = NONE }: MethodFacts,
  ): void {
    const name = groupName(this.#by, type, method, this.#classes);
    let sums = this.#groups.get(name);
    if (sums === undefined) {
      sums = nothing();
      this.#groups.set(name, sums);
    }
    for (const each of [sums, this.#total]) {
      each.of++;
      if (!isListed) continue;
      each.methods++;
      each.bytes = knownSum(each.bytes, bytes);
      each.code = knownSum(each.code, code);
    }
    // Methods of one name are one row, which is about none of them alone.
    sums.function = this.#by === 'method' && sums.of === 1 ? id : NONE;
  }

  /** The total, then the groups. */
  rows(): MethodSum[] {
    return [['<Total>', this.#total] as const, ...this.#groups].map(
      ([name, { methods, of: methodCount, bytes, code, function: id }]) => ({
        methods,
        share: share(methods, methodCount),
        of: methodCount,
        bytes: known(bytes),
        code_bytes: known(code),
        name,
        function: id,
      }),
    );
  }
}

function known(sum: number): number | null {
  return Number.isNaN(sum) ? null : sum;
}
