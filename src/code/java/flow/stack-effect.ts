/**
 * Operand stack slots that an instruction pops and pushes (JVMS 6.5); `long` and `double` take two. This allows finding
 * the instructions that produce the operands of a branch or call without running the code.
 */
import type { ConstantPool } from '../class-file/constant-pool.js';
import type { Instruction } from '../class-file/instructions.js';
import { OPCODE } from '../class-file/opcodes.js';

/**
 * Runs of opcodes with one effect, in the order of opcodes: slots popped, slots pushed, number of opcodes. `??` stands
 * for an effect that depends on the operands.
 */
const RUNS = `
00x1 01x8 02x2 01x3 02x2 01x2 01x2 02x1
01x1 02x1 01x1 02x1 01x1 01x4 02x4 01x4 02x4 01x4
21x1 22x1 21x1 22x1 21x4
10x1 20x1 10x1 20x1 10x1 10x4 20x4 10x4 20x4 10x4
30x1 40x1 30x1 40x1 30x4
10x1 20x1 12x1 23x1 34x1 24x1 35x1 46x1 22x1
21x1 42x1 21x1 42x1 21x1 42x1 21x1 42x1 21x1 42x1 21x1 42x1 21x1 42x1 21x1 42x1 21x1 42x1 21x1 42x1
11x1 22x1 11x1 22x1 21x1 32x1 21x1 32x1 21x1 32x1 21x1 42x1 21x1 42x1 21x1 42x1 00x1
12x1 11x1 12x1 21x2 22x1 11x1 12x2 21x1 22x1 21x1 11x3 41x1 21x2 41x2
10x6 20x8 00x1 01x1 00x1 10x2 10x1 20x1 10x1 20x1 10x1 00x1
??x9 01x1 11x3 10x1 11x2 10x2 ??x2 10x2 00x1 01x1
`;

/** Slots of the operand stack. */
export interface StackEffect {
  readonly taken: number;
  readonly put: number;
}

const EFFECTS: readonly (StackEffect | undefined)[] = RUNS.trim()
  .split(/\s+/)
  .flatMap((run) => {
    const effect = run.startsWith('?') ? undefined : { taken: Number(run[0]), put: Number(run[1]) };
    return new Array<typeof effect>(Number(run.slice(3))).fill(effect);
  });

/**
 * Slots popped and pushed by an instruction; `descriptor` is that of its field or method. `multianewarray` has its
 * dimensions in `value`.
 */
export function stackEffect({ opcode, value }: Pick<Instruction, 'opcode' | 'value'>, descriptor: string): StackEffect {
  const known = EFFECTS[opcode];
  if (known !== undefined) return known;
  if (opcode === OPCODE.multianewarray) return { taken: value, put: 1 };
  if (opcode <= OPCODE.putfield) {
    const size = slotsOf(descriptor[0]);
    if (opcode === OPCODE.getstatic) return { taken: 0, put: size };
    if (opcode === OPCODE.putstatic) return { taken: size, put: 0 };
    if (opcode === OPCODE.getfield) return { taken: 1, put: size };
    if (opcode === OPCODE.putfield) return { taken: 1 + size, put: 0 };
  }
  const own = opcode === OPCODE.invokestatic || opcode === OPCODE.invokedynamic ? 0 : 1;
  const end = descriptor.lastIndexOf(')');
  return { taken: own + argumentSlots(descriptor, end), put: slotsOf(descriptor[end + 1]) };
}

/** The same with the descriptor from the pool of its class; throws `FormatError` if that is damaged. */
export function effectOf(instruction: Instruction, pool: ConstantPool): StackEffect {
  return EFFECTS[instruction.opcode] ?? stackEffect(instruction, descriptorOf(instruction, pool));
}

/** Descriptor of the field or method of an instruction. */
function descriptorOf({ opcode, index }: Instruction, pool: ConstantPool): string {
  if (opcode === OPCODE.invokedynamic) return pool.dynamic(index).descriptor;
  return opcode >= OPCODE.getstatic && opcode < OPCODE.invokedynamic ? pool.member(index).descriptor : '';
}

/** Slots of a value of a field descriptor or its first character; 0 of `void`. */
export function slotsOf(type: string | undefined): number {
  return type === 'J' || type === 'D' ? 2 : type === 'V' ? 0 : 1;
}

function argumentSlots(descriptor: string, end: number): number {
  let slots = 0;
  for (let at = 1; at < end; at++) {
    const element = at;
    while (descriptor[at] === '[') at++;
    if (descriptor[at] === 'L') at = descriptor.indexOf(';', at);
    if (at < 0) return slots + 1;
    slots += descriptor[element] === '[' ? 1 : slotsOf(descriptor[element]);
  }
  return slots;
}
