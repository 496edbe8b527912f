/**
 * The one schema of a question. A question is plain JSON: what a program, a page or another machine sends is checked here before
 * anything is computed. Numbers are finite, and an open end is a field that is absent. The options are checked by the schema of their view.
 */
import { z } from 'zod';
import { UsageError } from '../base/errors.js';
import { ORIGINS, type ScopeStep, VIEW_MODES } from '../models/scope.js';
import { fitting } from './refusal.js';

const whole = z.number().int().min(0);

/** Steps of a scope: see `ScopeStep`. */
export const scopeStepSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['focus', 'ignore', 'hide', 'show', 'thread']), pattern: z.string() }),
  z.strictObject({ kind: z.literal('process'), processes: z.string() }),
  z.strictObject({ kind: z.literal('filter'), expression: z.string() }),
  z.strictObject({ kind: z.literal('at'), event: z.string() }),
  z.strictObject({ kind: z.literal('during'), events: z.string() }),
  z.strictObject({ kind: z.literal('time'), from: z.number().min(0), to: z.number().min(0).optional() }),
  z.strictObject({ kind: z.literal('clock'), from: z.string().optional(), to: z.string().optional() }),
  z.strictObject({ kind: z.literal('state'), states: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('dump'), number: z.union([whole, z.literal('last')]) }),
  z.strictObject({ kind: z.literal('origin'), origins: z.array(z.enum(ORIGINS)) }),
  z.strictObject({ kind: z.literal('view-mode'), mode: z.enum(VIEW_MODES) }),
  z.strictObject({ kind: z.literal('depth'), frames: z.number().int().min(1) }),
]) satisfies z.ZodType<ScopeStep>;

export const pageSchema = z.strictObject({
  /** Rows to skip. */
  offset: whole.optional(),
  /** Number of rows; 0 for all. */
  limit: whole.optional(),
  /** Column to sort by, title or key; -COLUMN reverses the order. */
  sort: z.string().optional(),
});

const recordingId = z.string().min(1);

export const questionSchema = z.strictObject({
  /** Name of the view that answers. */
  view: z.string().optional(),
  /** In place of the view: name of a question of the catalogue, which chooses the view by what the recordings have. */
  question: z.string().optional(),
  /** Of such a question: what the base is to it, if not a recording to compare with. */
  comparison: z.enum(['base', 'counts', 'observed']).optional(),
  /** Id of the recording; the first one if absent. */
  recording: recordingId.optional(),
  /** Id of the recording to compare with. */
  base: recordingId.optional(),
  /** Ids of further runs of the recording. */
  runs: z.array(recordingId).optional(),
  /** Ids of further runs of the base. */
  baseRuns: z.array(recordingId).optional(),
  /** Options of the view. */
  options: z.record(z.string(), z.unknown()).optional(),
  /** Steps that select a part of the recording, in order. */
  scope: z.array(scopeStepSchema).optional(),
  /** Steps for the base; those of the recording if absent. */
  baseScope: z.array(scopeStepSchema).optional(),
  page: pageSchema.optional(),
});

/** A question as it is sent. */
export type QuestionData = z.output<typeof questionSchema>;

/** Checks a question from outside. Throws `UsageError` that names the first fault and the nearest name. */
export function parseQuestion(value: unknown): QuestionData {
  const question = fitting(questionSchema, value, 'question');
  if ((question.view === undefined) === (question.question === undefined))
    throw new UsageError('question: either `view` or `question` is expected', {
      code: 'question-invalid',
      advice: 'Both name what is asked.',
    });
  return question;
}
