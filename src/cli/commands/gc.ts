/** `gc`: garbage collection. */
import type { Command } from 'commander';
import { gc } from '../../questions/catalogue/recording.js';
import type { Invocation } from '../host.js';
import { registerQuestion } from '../invocation/question.js';

export function registerGc(program: Command, invocation: Invocation): void {
  registerQuestion(program, invocation, gc);
}
