/**
 * The reporter of a test process (`node --test-reporter`, which wants a default export): passes what Node's test runner
 * reports to the tally of the file that runs, and announces when that file's suite has ended.
 */
import { FileTally, type TestEvent, type TestResult } from './file-tally.js';

type RunnerEvent =
  | { readonly type: 'test:start'; readonly data: TestEvent }
  | { readonly type: 'test:pass' | 'test:fail'; readonly data: TestResult }
  | { readonly type: 'test:plan' | 'test:diagnostic'; readonly data: unknown };

let tally = new FileTally();
let announce: (() => void) | undefined;

/** Begins the tally of a file; resolves when the file's suite has ended. */
export function tallied(): Promise<FileTally> {
  tally = new FileTally();
  const own = tally;
  return new Promise((resolve) => {
    announce = () => resolve(own);
  });
}

export default async function* report(events: AsyncIterable<RunnerEvent>): AsyncGenerator<never, void> {
  for await (const event of events) {
    if (event.type === 'test:start') tally.started(event.data);
    if (event.type === 'test:pass') tally.passed(event.data);
    if (event.type === 'test:fail') tally.failed(event.data);
    const isEnd = event.type === 'test:pass' || event.type === 'test:fail';
    if (isEnd && event.data.nesting === 0) announce?.();
  }
  yield* [];
}
