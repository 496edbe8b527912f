/** A call, with what its code says of the values that it passes. */
import type { NodeId } from '../flows.js';
import type { MethodId } from '../methods.js';
import type { CallValues } from '../sites.js';
import type { TypeId } from '../types.js';

/** A value that code loads from its constant pool, or a number that it pushes. */
export interface Constant {
  readonly node: NodeId;
  /** Of a string. */
  readonly text?: string;
  /** Of a class. */
  readonly type?: TypeId;
  readonly number?: number;
}

export interface ModelledCall {
  readonly caller: MethodId;
  readonly bci: number;
  /** As the instruction has it. */
  readonly descriptor: string;
  readonly values: CallValues;
  /** Of the receiver, then of each argument. */
  readonly constants: readonly (Constant | undefined)[];
}
