/** Commands that show code with the values of a recording: annotated source, bytecode, native code. */
import type { Command } from 'commander';
import { disasm, source } from '../../questions/catalogue/recording.js';
import type { Invocation } from '../host.js';
import { registerQuestion } from '../invocation/question.js';

export function registerCode(program: Command, invocation: Invocation): void {
  registerQuestion(program, invocation, source);
  registerQuestion(program, invocation, disasm);
}
