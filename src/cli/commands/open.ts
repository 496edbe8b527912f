/** `open`: recordings in the browser, over a server of this process that only this machine reaches. */
import type { Command } from 'commander';
import type { Phrase } from '../../base/phrase.js';
import { startBrowser } from '../../server/browser.node.js';
import { startServer } from '../../server/serve.node.js';
import { workerWorkspace } from '../../session/workspace/worker.node.js';
import { type Invocation, note, print } from '../host.js';
import { debugPlaces } from '../invocation/debug-options.js';
import { libraryOf } from '../invocation/open.js';
import { addExamples, repeated, wholeNumber } from '../invocation/options.js';
import { fileMeaning } from '../invocation/question.js';
import { withProgress } from '../render/progress.js';
import { commandLineText } from '../render/spelling.js';
import { workbenchHtml } from '../render/workbench-html.js';

/** Minutes without a page after which the server ends. */
const USUAL_IDLE = 60;
const MINUTE = 60_000;

interface OpenOptions {
  readonly port: number;
  readonly browser: boolean;
  readonly printUrl?: boolean;
  readonly idleTimeout: number;
  readonly classes?: readonly string[];
  readonly sourcePath?: readonly string[];
  readonly cache: boolean;
}

export function registerOpen(program: Command, invocation: Invocation): void {
  const command = program
    .command('open')
    .description('show recordings in the browser: all questions, tables, flame graph and time line, on one page')
    .argument('<file...>', fileMeaning('recordings'))
    .option('--port <number>', 'port to listen to (default: any that is free)', wholeNumber, 0)
    .option('--no-browser', 'start no browser; the address is printed')
    .option('--print-url', 'print the address on standard output, for other programs, and start no browser')
    .option('--idle-timeout <minutes>', 'end after this time without a page; 0 for never', wholeNumber, USUAL_IDLE)
    .option('--classes <path>', 'class path: directories, jars, JDKs, joined by : or repeated', repeated)
    .option('--source-path <path>', 'source path: directories, jars, src.zip, JDKs, joined by : or repeated', repeated)
    .option('--no-cache', 'read the files themselves; neither use nor write the cache')
    .action((files: string[]) => openPage(invocation, files, command.opts<OpenOptions>()));
  addExamples(command, ['open examples/jfr/shop.jfr.gz --print-url --idle-timeout 1']);
}

async function openPage(invocation: Invocation, files: readonly string[], options: OpenOptions): Promise<void> {
  const { host } = invocation;
  const workspace = workerWorkspace();
  const announce = (message: Phrase): void => note(invocation, `kansoku: ${commandLineText(message)}`);
  try {
    const name = files.length === 1 ? (files[0] ?? '') : `${files.length} inputs`;
    const beside = { cache: options.cache, library: libraryOf(options), debug: debugPlaces({}) };
    await withProgress(host, name, (work) => workspace.open({ names: files, ...beside }, { ...work, announce }));
    const page = workbenchHtml(files);
    const { port, idleTimeout } = options;
    const server = await startServer({ workspace, page: () => page, port, idle: idleTimeout * MINUTE });
    host.signal.addEventListener('abort', server.close, { once: true });
    if (host.signal.aborted) server.close();
    await announceAddress(invocation, server, options);
    await server.ended;
  } finally {
    await workspace.end();
  }
}

async function announceAddress(
  invocation: Invocation,
  { url, port }: { readonly url: string; readonly port: number },
  { browser, printUrl = false }: OpenOptions,
): Promise<void> {
  const { env } = invocation.host;
  if (printUrl) await print(invocation, `${url}\n`);
  else note(invocation, `kansoku: ${url} (for one browser; Ctrl-C ends it)`);
  const remote = env.SSH_CONNECTION?.split(' ')[2];
  if (remote !== undefined)
    note(
      invocation,
      `kansoku: from the other machine first: ssh -L ${port}:127.0.0.1:${port} ${env.USER ?? 'USER'}@${remote}`,
    );
  if (browser && !printUrl && remote === undefined)
    startBrowser(url, (program) =>
      note(invocation, `kansoku: ${program} cannot be started: open the address yourself`),
    );
}
