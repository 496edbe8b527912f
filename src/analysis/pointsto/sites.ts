/** The call sites of the methods under analysis, and the methods that each may call. */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { NodeId } from './flows.js';
import type { MethodId } from './methods.js';

/** What is passed to a call. Nodes are -1 for primitives. */
export interface CallValues {
  /** By parameter, without the receiver. */
  readonly args: readonly NodeId[];
  /** The object whose class selects the method, or that a direct call is made on; -1 of static calls. */
  readonly receiver: NodeId;
  /** -1 if the result is no reference. */
  readonly result: NodeId;
}

export class SiteTable {
  readonly caller = new Int32Builder();
  readonly bci = new Int32Builder();
  /** The method that the instruction names. */
  readonly declared = new Int32Builder();
  readonly isVirtual = new Int32Builder();
  /** The shared call that a saturated site is a part of. */
  readonly shared = new Int32Builder();
  readonly values: CallValues[] = [];
  /** (site, callee). */
  readonly targets = new IntTable(1 << 14);

  get length(): number {
    return this.caller.length;
  }

  add(caller: MethodId, bci: number, declared: MethodId, isVirtual: boolean, values: CallValues): number {
    this.bci.push(bci);
    this.declared.push(declared);
    this.isVirtual.push(isVirtual ? 1 : 0);
    this.shared.push(NONE);
    this.values.push(values);
    return this.caller.push(caller);
  }

  /** Whether the target is new. */
  link(site: number, callee: MethodId): boolean {
    const count = this.targets.length;
    return this.targets.add(site, callee) === count;
  }
}
