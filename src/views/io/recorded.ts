/** The calls of input and output that questions are about. */
import { type IoCalls, ioCallsUse } from '../../analysis/io/stages.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { IO_EVENTS } from '../../models/events/io.js';
import type { StageUse } from '../../models/open-recording.js';
import { type Side, WITHOUT_STEPS } from '../question.js';

/** The stage of the calls. Throws `UsageError` if the scope cannot be applied to them. */
export function ioUse({ subject, unscoped, recording }: Side): StageUse<IoCalls | undefined> {
  if (unscoped.has(IO_EVENTS.kind))
    throw new UsageError(`input and output of ${recording.name} cannot be selected by this scope`, WITHOUT_STEPS);
  return ioCallsUse(subject);
}

/** The calls; throws `MissingError` if the recording has none. */
export function requireIo({ recording }: Side, io: IoCalls | undefined): IoCalls {
  if (io !== undefined) return io;
  throw new MissingError(`${recording.name} has no calls of input and output`, {
    code: 'no-calls-of-files',
    advice: 'Experiments of gprofng that were recorded with -i on have them, and recordings of JDK Flight Recorder.',
  });
}
