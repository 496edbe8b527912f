/**
 * What a refresh of a growing recording costs beside what it has already: medians of CPU time, and bytes read, of the refreshes up to so many
 * flushes of one chunk, and behind so many finished chunks.
 *
 *   node dist/bench/jfr/growing.js [--flushes 300,600,1200,2400] [--chunks 10,50,100] [--events 20]
 */
import { parseArgs } from 'node:util';
import type { GrowingFiles } from '../../src/formats/capabilities/growing.js';
import { openGrowing } from '../../src/formats/jfr/growing.js';
import { FlushedChunk, usualFlush } from '../../src/formats/jfr/testing/flushed-chunk.js';
import { GrowingBytes } from '../../src/formats/jfr/testing/growing-bytes.js';
import { median } from '../compare.js';

const { values } = parseArgs({
  options: {
    flushes: { type: 'string', default: '300,600,1200,2400' },
    chunks: { type: 'string', default: '10,50,100' },
    events: { type: 'string', default: '20' },
  },
});
const numbers = (text: string): number[] => text.split(',').map(Number);
const events = Number(values.events);
/** Refreshes whose median is shown. */
const SHOWN = 60;
const FLUSHES_A_CHUNK = 20;

/** Files in memory that grow. */
class Files {
  readonly #files = new Map<string, GrowingBytes>();

  set(name: string, bytes: Uint8Array): void {
    const file = this.#files.get(name) ?? new GrowingBytes(name);
    this.#files.set(name, file);
    file.bytes = bytes;
  }

  readonly open: GrowingFiles = (isRead) => {
    const unread = [...this.#files].filter(([name]) => !isRead(name));
    return Promise.resolve(unread.map(([, file]) => file.open()));
  };

  get bytesRead(): number {
    return [...this.#files.values()].reduce((sum, file) => sum + file.bytesRead, 0);
  }
}

const fileName = (chunk: number): string =>
  `2026_11_23_01_${String(Math.floor(chunk / 60)).padStart(2, '0')}_${String(chunk % 60).padStart(2, '0')}.jfr`;

async function measure(refresh: () => Promise<unknown>, files: Files): Promise<{ ms: number; bytes: number }> {
  const before = files.bytesRead;
  const start = process.cpuUsage();
  await refresh();
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1e3, bytes: files.bytesRead - before };
}

function show(title: string, costs: readonly { readonly ms: number; readonly bytes: number }[]): void {
  const ms = median(costs.map((cost) => cost.ms));
  const bytes = median(costs.map((cost) => cost.bytes));
  process.stdout.write(`${title.padEnd(28)}${ms.toFixed(3).padStart(9)} ms${bytes.toFixed(0).padStart(12)} bytes\n`);
}

async function flushesOfOneChunk(): Promise<void> {
  const steps = numbers(values.flushes);
  const most = Math.max(...steps);
  const chunk = new FlushedChunk(Array.from({ length: most }, (_, number) => usualFlush(number, events)));
  const files = new Files();
  files.set(fileName(0), chunk.after(1));
  const opened = await openGrowing(files.open, 'bench');
  const costs: { ms: number; bytes: number }[] = [];
  for (let flushes = 2; flushes <= most; flushes++) {
    files.set(fileName(0), chunk.after(flushes));
    costs.push(await measure(async () => opened.refresh?.(), files));
    if (steps.includes(flushes)) show(`${flushes} flushes of one chunk`, costs.slice(-SHOWN));
  }
  await opened.close();
}

async function flushesBehindChunks(): Promise<void> {
  const steps = numbers(values.chunks);
  const most = Math.max(...steps);
  const flushes = Array.from({ length: FLUSHES_A_CHUNK }, (_, number) => usualFlush(number, events));
  const files = new Files();
  let opened: Awaited<ReturnType<typeof openGrowing>> | undefined;
  for (let number = 0; number <= most; number++) {
    const chunk = new FlushedChunk(flushes, FLUSHES_A_CHUNK * number);
    const costs: { ms: number; bytes: number }[] = [];
    for (let flush = 1; flush <= FLUSHES_A_CHUNK; flush++) {
      files.set(fileName(number), chunk.after(flush));
      opened ??= await openGrowing(files.open, 'bench');
      costs.push(await measure(async () => opened?.refresh?.(), files));
    }
    files.set(fileName(number), chunk.after(FLUSHES_A_CHUNK, 0));
    if (steps.includes(number)) show(`behind ${number} chunks`, costs.slice(1));
  }
  await opened?.close();
}

await flushesOfOneChunk();
await flushesBehindChunks();
