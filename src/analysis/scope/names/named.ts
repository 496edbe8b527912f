/**
 * The names of native places, a stage before the scope: a question that looks at functions or filters by them waits for it, all others do not. The value
 * is the same whoever asks first, since all places of a recording are named at once.
 */
import {
  type Get,
  type OpenRecording,
  type Snapshot,
  type Stage,
  type Subject,
  subjectOf,
  use,
} from '../../../models/open-recording.js';
import type { Recording } from '../../../models/recording.js';
import type { ScopeStep } from '../../../models/scope.js';
import { withJavaLines } from './java-lines.js';

/** Bytes of a place, of a stack, and of the stack of an event. */
const PLACE = 28;
const STACK = 9;
const EVENT = 4;

const namedStage: Stage<Snapshot, void> = {
  name: 'names of native functions',
  version: 1,
  key: () => '',
  run: async ([{ source, snapshot }], _, __, work) => {
    const { files } = source;
    if (files?.naming === undefined) return snapshot;
    const { resolveNative } = await import('../../../code/native/resolve.js');
    const recording = await resolveNative(snapshot.recording, files, { ...files.naming, work });
    const isPeer = !files.naming.inlinedFrames;
    const lined = isPeer ? recording : await withJavaLines(recording, files, work);
    return { ...snapshot, named: true, recording: lined };
  },
  bytes: ({ recording: { program, profile } }) => {
    const events = profile?.events.reduce((sum, { length }) => sum + length, 0) ?? 0;
    return program.locations.length * PLACE + (profile?.stacks.length ?? 0) * STACK + events * EVENT;
  },
};

/** The subject with names. */
export async function namedSubject(subject: Subject, get: Get): Promise<Subject> {
  if (subject.source.files?.naming === undefined || subject.snapshot.named) return subject;
  return { ...subject, snapshot: await get(use(namedStage, [{ ...subject, scope: [] }], undefined)) };
}

/** The current recording of a source, with names. */
export async function namedRecording(source: OpenRecording, get: Get): Promise<Recording> {
  return (await namedSubject(subjectOf(source), get)).snapshot.recording;
}

/** Steps that look at no function. */
const WITHOUT_NAMES: ReadonlySet<ScopeStep['kind']> = new Set(['at', 'clock', 'dump', 'process', 'thread', 'time']);

export function needsNames(scope: readonly ScopeStep[]): boolean {
  return scope.some(({ kind }) => !WITHOUT_NAMES.has(kind));
}
