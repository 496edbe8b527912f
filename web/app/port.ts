/** The workspace as the page calls it: over HTTP, at the server that the page comes from. */
import type { Progress } from '../../src/base/progress.js';
import type { QuestionForm } from '../../src/questions/catalogue/forms.js';
import type { QuestionData } from '../../src/questions/schema.js';
import type { AnswerableQuestions } from '../../src/session/workspace/answerable.js';
import { receivedError, type SentError } from '../../src/session/workspace/wire.js';
import type { RecordingFacts } from '../../src/session/workspace/workspace.js';

/** A result of any view, as JSON. */
export type PageResult = Readonly<Record<string, unknown>> & { readonly type: string };

export interface CallWork {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
}

export interface AppPort {
  list(): Promise<readonly RecordingFacts[]>;
  forms(): Promise<readonly QuestionForm[]>;
  questions(id: string): Promise<AnswerableQuestions>;
  ask(question: QuestionData, work?: CallWork): Promise<PageResult>;
}

/** How often an open page tells the server that it is there, in milliseconds. */
const ALIVE_MS = 60_000;

export function httpPort(): AppPort {
  setInterval(() => void call('alive', undefined).catch(() => undefined), ALIVE_MS);
  return {
    list: () => call('list', undefined),
    forms: () => call('forms', undefined),
    questions: (id) => call('questions', id),
    ask: (question, work) => call('ask', question, work),
  };
}

/** Throws the error of the workspace, or one that says that the server does not answer. */
async function call<Value>(method: string, argument: unknown, { signal, progress }: CallWork = {}): Promise<Value> {
  const response = await fetch(`/api/${method}`, {
    method: 'POST',
    body: argument === undefined ? '' : JSON.stringify(argument),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new Error('The server does not answer: was its command ended?', { cause: error });
  });
  if (!response.ok || response.body === null) throw new Error((await response.text()).trim() || response.statusText);
  for await (const line of linesOf(response.body)) {
    const reply: Reply<Value> = JSON.parse(line);
    if ('progress' in reply) progress?.(reply.progress);
    else if ('error' in reply) throw receivedError(reply.error);
    else return reply.result;
  }
  throw new Error('The server ended before its answer.');
}

type Reply<Value> = { readonly progress: Progress } | { readonly error: SentError } | { readonly result: Value };

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const [first = '', ...others] = decoder.decode(value, { stream: true }).split('\n');
    parts.push(first);
    for (const next of others) {
      yield parts.join('');
      parts = [next];
    }
  }
}
