import type { Invocation, OutputOptions } from '../invocation.js';
export async function salvage(
  _i: Invocation,
  _files: readonly string[],
  _out: string,
  _o: OutputOptions,
): Promise<void> {}
