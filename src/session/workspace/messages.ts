/** What the worker carrier and its engine send each other. */
import type { Phrase } from '../../base/phrase.js';
import type { Progress } from '../../base/progress.js';
import type { SentError, SentResult } from './wire.js';
import type { RecordingFacts } from './workspace.js';

/** A call of a method of the workspace. */
export interface EngineCall {
  readonly call: number;
  readonly method:
    | 'open'
    | 'facts'
    | 'questions'
    | 'list'
    | 'ask'
    | 'cost'
    | 'resolve'
    | 'contentHash'
    | 'close'
    | 'end';
  /** Plain data: a request, a question or an id. */
  readonly argument: unknown;
}

export type ToEngine =
  | EngineCall
  | { readonly cancel: number }
  | { readonly subscribe: number; readonly id: string }
  | { readonly unsubscribe: number };

export type FromEngine =
  | { readonly call: number; readonly progress: Progress }
  | { readonly call: number; readonly announced: Phrase }
  | ({ readonly call: number } & SentResult)
  | { readonly call: number; readonly error: SentError }
  | { readonly subscription: number; readonly facts: RecordingFacts };
