/** The prompt of `print`: commands one a line, with history and completion on a terminal. */
import { createInterface, type Interface } from 'node:readline';
import type { Printer } from '../../peers/gprofng/print.js';
import { completions, runLine } from '../../peers/gprofng/run.js';
import { type InputStream, type Invocation, note } from '../host.js';

const PROMPT = '(kansoku) ';

/** Runs the lines of an input until it ends, or one of them is `quit`. On a terminal there is a prompt. */
export async function prompt(invocation: Invocation, input: InputStream, printer: Printer): Promise<void> {
  const isTerminal = input.isTTY === true;
  const { stderr, signal } = invocation.host;
  const lines = createInterface({
    input,
    ...(isTerminal && { output: stderr, terminal: true }),
    prompt: PROMPT,
    historySize: 1000,
    removeHistoryDuplicates: true,
    completer: (line: string): [string[], string] => completions(printer, line),
  });
  // As in shells, an interrupt drops the line.
  lines.on('SIGINT', () => lines.write(null, { ctrl: true, name: 'u' }));
  signal.addEventListener('abort', () => lines.close(), { once: true });
  if (isTerminal)
    note(invocation, 'Commands as after --, without -; help lists them, the tabulator completes, quit ends.');
  await run(lines, printer, isTerminal);
  lines.close();
}

async function run(lines: Interface, printer: Printer, isTerminal: boolean): Promise<void> {
  let number = 0;
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    if ((await runLine(printer, line, ++number)) === 'quit') return;
    if (isTerminal) lines.prompt();
  }
}
