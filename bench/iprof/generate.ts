/**
 * Makes a large `.iprof` of a real one: copies of all its entries, each copy with its ids moved by an offset, so that
 * sparse ids, context depths, shared names and the order of entries stay as they are in the wild.
 *
 *   node dist/bench/iprof/generate.js INPUT OUTPUT MEGABYTES
 */

import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';

interface Input {
  version: string;
  types: { id: number; name: string }[];
  methods: { id: number; name: string; signature: number[] }[];
  [section: string]: unknown;
}
interface Entry {
  ctx: string;
  records: number[];
}

const [inputPath = '', outputPath = '', megabytes = '184'] = process.argv.slice(2);
const text = readFileSync(inputPath, 'utf8');
const input: Input = JSON.parse(text);
const copies = Math.max(1, Math.round((Number(megabytes) * 1e6) / text.length));
const typeStep = Math.max(...input.types.map((type) => type.id)) + 1;
const methodStep = Math.max(...input.methods.map((method) => method.id)) + 1;

const output = createWriteStream(outputPath);
let pending = '';

async function write(part: string): Promise<void> {
  pending += part;
  if (pending.length < 1 << 20) return;
  if (!output.write(pending)) await once(output, 'drain');
  pending = '';
}

async function writeSection<T>(
  key: string,
  elements: readonly T[],
  moved: (element: T, copy: number) => unknown,
): Promise<void> {
  await write(`,${JSON.stringify(key)}:[`);
  for (let copy = 0; copy < copies; copy++) {
    let first = copy === 0;
    for (const element of elements) {
      await write((first ? '' : ',') + JSON.stringify(moved(element, copy)));
      first = false;
    }
  }
  await write(']');
}

function movedContext(context: string, copy: number): string {
  return context.replace(/(\d+):/g, (_, id: string) => `${Number(id) + copy * methodStep}:`);
}

function movedRecords(key: string, records: readonly number[], copy: number): readonly number[] {
  const typed = /virtual|instance|monitor/i.test(key);
  return typed ? records.map((value, index) => (index % 2 === 0 ? value + copy * typeStep : value)) : records;
}

await write(`{"version":${JSON.stringify(input.version)}`);
await writeSection('types', input.types, (type, copy) => ({ id: type.id + copy * typeStep, name: type.name }));
await writeSection('methods', input.methods, (method, copy) => ({
  id: method.id + copy * methodStep,
  name: method.name,
  signature: method.signature.map((id) => id + copy * typeStep),
}));
for (const [key, value] of Object.entries(input)) {
  if (!Array.isArray(value) || key === 'types' || key === 'methods') continue;
  const entries: Entry[] = value;
  if (key === 'monitorProfiles') {
    const records = Array.from({ length: copies }, (_, copy) =>
      movedRecords(key, entries[0]?.records ?? [], copy),
    ).flat();
    await write(`,${JSON.stringify(key)}:${JSON.stringify([{ ctx: '0:0', records }])}`);
  } else {
    await writeSection(key, entries, (entry, copy) => ({
      ctx: movedContext(entry.ctx, copy),
      records: movedRecords(key, entry.records, copy),
    }));
  }
}
output.end(`${pending}}`);
await once(output, 'close');
