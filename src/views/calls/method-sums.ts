/** Sums of methods by group, for the listings of methods that are missing. */
import { knownSum, share } from '../../base/share.js';
import type { ClassPath } from '../../models/program/class-path.js';
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
}

interface Sums {
  methods: number;
  of: number;
  /** NaN until a size is known. */
  bytes: number;
  code: number;
}

function nothing(): Sums {
  return { methods: 0, of: 0, bytes: Number.NaN, code: Number.NaN };
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

  /** `isListed`: whether a method is of the listed kind; `bytes` and `code` are NaN if unknown. */
  add(type: string, method: () => string, isListed: boolean, bytes = Number.NaN, code = Number.NaN): void {
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
  }

  /** The total, then the groups. */
  rows(): MethodSum[] {
    return [['<Total>', this.#total] as const, ...this.#groups].map(
      ([name, { methods, of: methodCount, bytes, code }]) => ({
        methods,
        share: share(methods, methodCount),
        of: methodCount,
        bytes: known(bytes),
        code_bytes: known(code),
        name,
      }),
    );
  }
}

function known(sum: number): number | null {
  return Number.isNaN(sum) ? null : sum;
}
