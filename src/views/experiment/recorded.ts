/** The processes that questions are about. */
import { MissingError, UsageError } from '../../base/errors.js';
import type { RecordedProcess } from '../../models/processes.js';
import type { Side } from '../question.js';

/** The processes of a recording. Throws `MissingError` if its recorder describes none, and a usage error for a scope. */
export function requireProcesses({ recording, subject }: Side): readonly RecordedProcess[] {
  const { processes, name } = recording;
  if (processes === undefined)
    throw new MissingError(`${name} does not describe its processes`, {
      code: 'no-processes',
      advice: 'Experiments of gprofng do.',
    });
  if (subject.scope.length > 0)
    throw new UsageError(`processes of ${name} cannot be selected by a scope`, {
      code: 'not-in-scope',
      advice: 'They have no events: omit its steps.',
    });
  return processes;
}

/** `shop`, the name of the program; `(fork)` of processes that run the program of their parent. */
export function programName({ command }: RecordedProcess): string {
  const [word = ''] = command.split(' ');
  return word === '' ? '<unknown>' : word.slice(word.lastIndexOf('/') + 1);
}
