/** Records the instructions of a program with valgrind's callgrind, and writes them as an experiment with a counter. */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { UsageError } from '../../../base/errors.js';
import { fileSource } from '../../../bytes/file.node.js';
import { programOf } from '../../../code/java/jdk-home.node.js';
import { elfFrom } from '../../../code/native/debug-parts.js';
import type { NativeMapping, NativeStack } from '../../../formats/experiment/write/index.js';
import { nativeParts } from '../../../formats/experiment/write/index.js';
import { givenFlags, type NativeOptions } from '../options.js';
import { originHere } from '../origin.node.js';
import { programPath, type RecordingHost, startProgram } from '../program.node.js';
import { writeParts } from '../write-parts.node.js';
import { type CallContext, CallgrindContexts } from './callgrind-contexts.js';

/** Callers and recursive calls by which functions are told apart. */
const DEPTH = 200;
/** Room for the addresses of an object. */
const OBJECT_BYTES = 2 ** 40;
const COUNTER = 'insts';
const LACKING = [
  'interval',
  'counters',
  'sync',
  'heap',
  'io',
  'usagePeriod',
  'sampleSignal',
  'pauseSignal',
  'duration',
  'unwinding',
  'descendants',
  'java',
  'javaOptions',
] as const;

/** Runs a program to its end under valgrind; its exit code. Throws UsageError where valgrind is missing, and for options that it lacks. */
export async function recordWithValgrind(
  words: readonly string[],
  output: string,
  options: NativeOptions,
  host: RecordingHost,
): Promise<number> {
  refuseOthers(options);
  const valgrind = programOf('valgrind', host.env);
  if (valgrind === undefined)
    throw new UsageError('valgrind is not installed', 'Install it (Debian and Fedora: valgrind).');
  const [program = '', ...rest] = words;
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-callgrind-'));
  try {
    const file = join(folder, 'callgrind.out');
    const separate = [`--separate-callers=${DEPTH}`, `--separate-recs=${DEPTH}`, '--dump-instr=yes', '--demangle=no'];
    const command = [valgrind, '-q', '--tool=callgrind', ...separate, `--callgrind-out-file=${file}`];
    const [start, date] = [Number(process.hrtime.bigint()), Math.round(Date.now() / 1000)];
    const running = startProgram([...command, programPath(program, host.env), ...rest], host);
    const exitCode = await running.exitCode;
    const duration = Number(process.hrtime.bigint()) - start;
    const contexts = await readContexts(file);
    const { mappings, bases } = await mappedObjects(contexts);
    const origin = originHere({
      collector: 'callgrind',
      pid: running.child.pid ?? 0,
      directory: process.cwd(),
      start,
      date,
    });
    const parts = nativeParts({
      folder: '',
      origin,
      command: words.join(' '),
      duration,
      measure: { kind: 'counter', name: COUNTER },
      mappings,
      functions: [],
      ...samplesOf(contexts, bases),
      usage: undefined,
      events: [],
    });
    writeParts(parts, output, options.comments ?? []);
    return exitCode;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuseOthers(options: NativeOptions): void {
  const flags = givenFlags(options, LACKING);
  if (flags !== '')
    throw new UsageError(`valgrind counts the instructions of the whole program: no ${flags}`, 'Leave it out.');
}

async function readContexts(file: string): Promise<CallgrindContexts> {
  const contexts = new CallgrindContexts();
  const input = createReadStream(file).on('error', () => input.destroy());
  for await (const line of createInterface({ input })) contexts.line(line);
  if (contexts.contexts.length === 0) throw new UsageError('valgrind wrote nothing', 'Read what it said above.');
  return contexts;
}

/** Each object at addresses of its own: callgrind names instructions by the addresses that the linker gave. */
async function mappedObjects({ contexts }: CallgrindContexts): Promise<{
  readonly mappings: readonly NativeMapping[];
  readonly bases: ReadonlyMap<string, number>;
}> {
  const mappings: NativeMapping[] = [];
  const bases = new Map<string, number>();
  for (const { object } of contexts) {
    if (bases.has(object)) continue;
    const base = (bases.size + 1) * OBJECT_BYTES;
    bases.set(object, base);
    if (!object.startsWith('/')) continue;
    const source = await fileSource(object, object).catch(() => undefined);
    const elf = source && (await elfFrom(source));
    if (elf !== undefined && typeof elf !== 'string')
      for (const { address, size, offset } of elf.segments)
        mappings.push({ time: 0, address: base + address, size, offset, name: object });
    await source?.close?.();
  }
  return { mappings, bases };
}

/** A stack for each instruction of each context, and its cost. */
function samplesOf({ contexts }: CallgrindContexts, bases: ReadonlyMap<string, number>) {
  const stacks: NativeStack[] = [];
  const costs: number[] = [];
  for (const context of contexts) {
    const callers = callersOf(context, bases);
    const base = bases.get(context.object) ?? 0;
    for (const [instruction, cost] of context.costs) {
      if (cost === 0) continue;
      stacks.push({ addresses: [base + instruction, ...callers], end: 'whole' });
      costs.push(cost);
    }
  }
  const { length } = stacks;
  const zeros = new Uint8Array(length);
  const threads = new Uint8Array(length).fill(1);
  const ids = Int32Array.from({ length }, (_, row) => row);
  return { stacks, samples: { length, times: zeros, threads, cpus: zeros, values: costs, stacks: ids } };
}

function callersOf(context: CallContext, bases: ReadonlyMap<string, number>): number[] {
  const addresses: number[] = [];
  const below = new Set([context]);
  for (let call = context.callAbove(below); call !== undefined; call = call.caller.callAbove(below)) {
    addresses.push((bases.get(call.caller.object) ?? 0) + call.instruction);
    below.add(call.caller);
  }
  return addresses;
}
