/** Which processes of a recording a scope is about. */
import { UsageError } from '../../base/errors.js';
import { usingPattern } from '../../base/parsing/pattern.js';
import { phrase, theStep, theView } from '../../base/phrase.js';
import type { RecordedProcess } from '../../models/processes.js';
import type { Recording } from '../../models/recording.js';
import type { ScopeStep } from '../../models/scope.js';
import { InapplicableError } from './inapplicable.js';

type ProcessStep = Extract<ScopeStep, { kind: 'process' }>;

const NUMBERS = /^\d+(?:,\d+)*$/;

/**
 * The step with the numbers of its processes, from 0 on. Throws `UsageError` if the recorder describes no processes, for a number that none has, and for a
 * pattern that fits none.
 */
export function withNumbers({ name, processes }: Recording, step: ProcessStep): ProcessStep {
  if (processes === undefined)
    throw new InapplicableError(`${name} does not describe its processes`, { code: 'step-not-applicable' });
  const numbers = NUMBERS.test(step.processes)
    ? step.processes.split(',').map((number) => Number(number) - 1)
    : matching(processes, step.processes);
  if (numbers.length > 0 && numbers.every((number) => processes[number] !== undefined)) return { ...step, numbers };
  throw new UsageError(phrase`${theStep('process', { value: step.processes })}: ${name} has no such process`, {
    code: 'no-process',
    advice: phrase`It has ${processes.length}: ${theView('processes')} lists them.`,
  });
}

/** Those with a name or a command line that the pattern is found in. The process that a recording began with has no name. */
function matching(processes: readonly RecordedProcess[], pattern: string): number[] {
  const fits = usingPattern(`not a regular expression: ${pattern}`, () => {
    const expression = new RegExp(pattern);
    return processes.map(({ name, command }) => expression.test(name) || expression.test(command));
  });
  return fits.flatMap((isFitting, number) => (isFitting ? [number] : []));
}
