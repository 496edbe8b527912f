/**
 * Runs command lines with one built checkout, one after the other in this process, for same-results.ts:
 * `driver.js CHECKOUT FOLDER`. FOLDER is emptied before each job and is its working directory. Requests and answers come
 * and go by IPC (protocol.ts); the outputs of the last job stay until the next.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type CommandDefinition, FAULT, isPlain, type Job, type Outcome, Request } from './protocol.js';

/** The man page carries today's date: it is the same for both checkouts, and long after all files were changed. */
const TODAY = new Date('2100-01-02T03:04:05Z');

const [checkout = '', folder = ''] = process.argv.slice(2);
const built = join(checkout, 'dist');

/** What a run of a newer checkout gets of the world; older ones take it from the process. */
interface Host {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** What is used of src/cli/program.js; `runCommand` is in older checkouts only. */
interface ProgramModule {
  readonly runCommand?: (words: readonly string[], signal: AbortSignal) => Promise<number>;
  readonly buildProgram: (invocation: {
    host: Host;
    signal: AbortSignal;
    exitCode: number;
  }) => CommandLike | Promise<CommandLike>;
  readonly allCommands: (program: CommandLike) => CommandLike[];
}

interface CommandLike {
  readonly parent: CommandLike | null;
  readonly commands: readonly CommandLike[];
  readonly options: readonly { readonly long?: string; readonly short?: string; readonly argChoices?: string[] }[];
  readonly name: () => string;
}

interface Entry {
  readonly program: ProgramModule;
  readonly examplesOf: (command: CommandLike) => readonly string[];
  /** Runs the words as the program does, up to its exit code. */
  readonly run: (words: readonly string[]) => Promise<number>;
}

/** The one place that knows how a checkout is entered. */
async function enter(): Promise<Entry> {
  const folder = join(built, 'src', 'cli');
  const load = (name: string) => import(pathToFileURL(join(folder, name)).href);
  const program: ProgramModule = await load('program.js');
  const options = join('invocation', 'options.js');
  const { examplesOf }: Pick<Entry, 'examplesOf'> = await load(
    existsSync(join(folder, options)) ? options : 'invocation.js',
  );
  if (existsSync(join(folder, 'run.js'))) {
    const { runMain }: { runMain: (words: readonly string[], host: Host) => Promise<number> } = await load('run.js');
    return { program, examplesOf, run: (words) => runMain(words, hostOf()) };
  }
  const { runCommand } = program;
  if (runCommand === undefined) throw new Error(`${checkout} has neither runMain nor runCommand`);
  const { explain }: { explain: (error: unknown) => { code: number; text: string } } = await load('exit.js');
  const run = async (words: readonly string[]): Promise<number> => {
    try {
      return await runCommand(words, new AbortController().signal);
    } catch (error) {
      const { code, text } = explain(error);
      process.stderr.write(`${text}\n`);
      return code;
    }
  };
  return { program, examplesOf, run };
}

function hostOf(): Host {
  const { stdout, stderr, env } = process;
  return { stdout, stderr, env, signal: new AbortController().signal };
}

async function describe({ program, examplesOf }: Entry): Promise<CommandDefinition[]> {
  const host = hostOf();
  const root = await program.buildProgram({ host, signal: host.signal, exitCode: 0 });
  return program.allCommands(root).map((command) => ({
    path: pathOf(command),
    hasCommands: command.commands.length > 0,
    options: command.options.map((option) => ({
      flag: option.long ?? option.short ?? '',
      choices: option.argChoices ?? [],
    })),
    examples: [...examplesOf(command)],
  }));
}

function pathOf(command: CommandLike): string {
  return command.parent === null ? '' : `${pathOf(command.parent)} ${command.name()}`.trim();
}

interface Printed {
  stdout: Buffer;
  stderr: Buffer;
  code: number;
}

/** Runs the words with what they print caught. */
async function runHere(entry: Entry, words: readonly string[]): Promise<Printed> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const restore = [redirect(process.stdout, stdout), redirect(process.stderr, stderr)];
  const { log } = console;
  try {
    const code = await entry.run(words);
    return { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), code };
  } finally {
    console.log = log;
    for (const each of restore) each();
  }
}

/** Puts all that is written to `stream` into `chunks`; the returned function ends that. */
function redirect(stream: NodeJS.WriteStream, chunks: Buffer[]): () => void {
  const { write } = stream;
  const catching: NodeJS.WriteStream['write'] = (
    chunk: Uint8Array | string,
    second?: BufferEncoding | ((error?: Error | null) => void),
    third?: (error?: Error | null) => void,
  ) => {
    const encoding = typeof second === 'string' ? second : 'utf8';
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
    const done = typeof second === 'function' ? second : third;
    if (done !== undefined) queueMicrotask(() => done());
    return true;
  };
  stream.write = catching;
  return () => {
    stream.write = write;
  };
}

/** Runs the words in a process of their own, with `input` or nothing on standard input. */
function runApart(words: readonly string[], input: string | null): Promise<Printed> {
  const handle = input === null ? undefined : openSync(input, 'r');
  const child = spawn(process.execPath, [join(built, 'src', 'cli', 'main.js'), ...words], {
    stdio: [handle ?? 'ignore', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (handle !== undefined) closeSync(handle);
      resolve({ stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), code: code ?? -1 });
    });
  });
}

/** The parts of the last job. */
const parts = new Map<string, Buffer>();

async function run(entry: Entry, job: Job): Promise<Outcome> {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  process.env.NO_COLOR = job.colour === true ? '' : '1';
  process.env.FORCE_COLOR = job.colour === true ? '1' : '';
  const printed = job.input === undefined ? await runHere(entry, job.words) : await runApart(job.words, job.input);
  parts.clear();
  parts.set('exit code', Buffer.from(String(printed.code)));
  parts.set('stdout', printed.stdout);
  parts.set('stderr', String(printed.code) === FAULT ? withoutPlaces(printed.stderr) : printed.stderr);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const status = statSync(join(folder, name));
    parts.set(`mode of ${name}`, Buffer.from((status.mode & 0o7777).toString(8)));
    if (status.isFile()) parts.set(`file ${name}`, readFileSync(join(folder, name)));
  }
  return Object.fromEntries([...parts].map(([name, bytes]) => [name, digest(name, bytes)]));
}

/** The text of an internal error without its stack trace, which differs between builds. */
function withoutPlaces(text: Buffer): Buffer {
  return Buffer.from(text.toString().replace(/\n {4}at .*/g, ''));
}

function digest(part: string, bytes: Buffer): string {
  if (isPlain(part)) return bytes.toString();
  return createHash('sha256').update(bytes).digest('hex');
}

async function answer(entry: Entry, request: Request): Promise<unknown> {
  if (request.kind === 'describe') return describe(entry);
  if (request.kind === 'part') return parts.get(request.name)?.toString('base64') ?? null;
  return await run(entry, request.job);
}

process.chdir(folder);
mock.timers.enable({ apis: ['Date'], now: TODAY });
const entry = await enter();
process.on('message', (message) => {
  void answer(entry, Request.parse(message)).then((result) => process.send?.({ result }));
});
process.send?.({ result: null });
