/** `io`, `memory`, `processes`, `usage`, `index`: what a program asked of its operating system, and the parts of its run. */
import type { Command } from 'commander';
import { indexObjects, ioFiles, ioSizes, memory, processes, usage } from '../../questions/catalogue/process.js';
import type { Invocation } from '../host.js';
import { registerQuestion } from '../invocation/question.js';

export function registerProcess(program: Command, invocation: Invocation): void {
  const io = program
    .command('io')
    .description('input and output: bytes and times by file and by size')
    .helpCommand(false);
  registerQuestion(io, invocation, ioFiles);
  registerQuestion(io, invocation, ioSizes);
  registerQuestion(program, invocation, memory);
  registerQuestion(program, invocation, processes);
  registerQuestion(program, invocation, usage);
  registerQuestion(program, invocation, indexObjects);
}
