/** Stages of one recording within its scope, in the shortest form. */
import type { Work } from '../../base/progress.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import { type ScopedRecording, scopedUse } from './scoped.js';

/** A value of a scoped recording, and how it is computed. The members are those of `Stage`. */
export interface ScopedPart<Value, Parameters> {
  readonly name: string;
  readonly version: number;
  readonly key: (parameters: Parameters) => string;
  readonly run: (
    scoped: ScopedRecording,
    parameters: Parameters,
    work: Work,
    subject: Subject,
  ) => Value | Promise<Value>;
  readonly bytes: (value: Value) => number;
}

/** The function that binds such a stage to a subject. */
export function scopedPart<Value, Parameters = void>(
  part: ScopedPart<Value, Parameters>,
): (subject: Subject, parameters: Parameters) => StageUse<Value> {
  const stage: Stage<Value, Parameters> = {
    name: part.name,
    version: part.version,
    key: part.key,
    needs: ([subject]) => [scopedUse(subject)],
    run: async ([subject], parameters, get, work) => part.run(await get(scopedUse(subject)), parameters, work, subject),
    bytes: part.bytes,
  };
  return (subject, parameters) => use(stage, [subject], parameters);
}
