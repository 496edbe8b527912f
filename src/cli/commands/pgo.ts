/** `pgo`: questions about GraalVM PGO profiles. */
import type { Command } from 'commander';
import { branches, hot, inlining, methods, receivers, types } from '../../questions/catalogue/pgo.js';
import type { Invocation } from '../host.js';
import { registerQuestion } from '../invocation/question.js';
import { registerCoverage } from './pgo-coverage.js';
import { registerStale } from './pgo-stale.js';
import { registerStrip } from './pgo-strip.js';

export function registerPgo(program: Command, invocation: Invocation): void {
  const pgo = program.command('pgo').description('GraalVM PGO profiles (.iprof)').helpCommand(false);
  registerQuestion(pgo, invocation, hot);
  registerQuestion(pgo, invocation, methods);
  registerQuestion(pgo, invocation, types);
  registerQuestion(pgo, invocation, branches);
  registerQuestion(pgo, invocation, receivers);
  registerQuestion(pgo, invocation, inlining);
  registerStale(pgo, invocation);
  registerStrip(pgo, invocation);
  registerCoverage(pgo, invocation);
}
