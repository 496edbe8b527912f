/** Stacks that look the same to a reader: those of the same methods and lines, which may differ in how their code ran. */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { StackTable } from '../../models/profile/profile.js';
import { lineOf } from '../../models/program/places.js';
import type { Program } from '../../models/program/program.js';

/** By stack a number, one for all stacks of the same methods and lines. */
export function linesOfStacks(program: Program, { length, parent, location }: StackTable): Int32Array {
  const { locations } = program;
  const lines = new Int32Array(length);
  const numbers = new IntTable(length);
  for (let stack = 0; stack < length; stack++) {
    const at = location[stack];
    const line = lineOf(program, at);
    const above = parent[stack] < 0 ? NONE : lines[parent[stack]];
    lines[stack] = numbers.add(above, locations.function[at], line > 0 ? line : NONE - at);
  }
  return lines;
}
