/** Branches of a method without anything around them: quick enough for all classes of a JDK. */
import { type Bytecode, decodeInstruction, instructionLength } from '../../code/java/class-file/instructions.js';
import { KIND_OF, KINDS } from '../../code/java/class-file/opcodes.js';

/** Calls `visit` for each `if` and switch with the number of distinct places it can go to, if that is not one; ends where the code is damaged. */
export function eachBranch(code: Bytecode, visit: (bci: number, ways: number) => void): void {
  for (let bci = 0; bci < code.length; ) {
    const length = instructionLength(code, bci);
    if (typeof length === 'string') return;
    const kind = KINDS[KIND_OF[code.file[code.start + bci]]];
    if (kind === 'if' || kind === 'tableswitch' || kind === 'lookupswitch') {
      const instruction = decodeInstruction(code, bci);
      if (typeof instruction === 'string') return;
      const other = kind === 'if' ? bci + length : instruction.defaultTarget;
      const ways = new Set([...instruction.targets, other]).size;
      if (ways > 1) visit(bci, ways);
    }
    bci += length;
  }
}
