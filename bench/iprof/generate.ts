/**
 * Makes a large `.iprof` of a real one: copies of all its entries, each copy with its ids moved by an offset, so that
 * sparse ids, context depths, shared names and the order of entries stay as they are in the wild.
 *
 * Names are those of the original, so copies of a method are one method by name; with `renamed` each copy has packages
 * of its own, and the file describes a program of that size.
 *
 *   node dist/bench/iprof/generate.js INPUT OUTPUT MEGABYTES [renamed]
 */
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

interface Symbols {
  readonly id: number;
  readonly name: string;
  readonly signature?: readonly number[];
}
interface Entry {
  readonly ctx: string;
  readonly records: readonly number[];
}
interface Input {
  readonly version: string;
  readonly types: readonly Symbols[];
  readonly methods: readonly Symbols[];
  readonly [section: string]: unknown;
}

/** Writes at least `bytes` bytes (at most one copy more) of moved copies of `input` to `output`. */
export async function generate(input: string, output: string, bytes: number, renamed = false): Promise<void> {
  const profile: Input = JSON.parse(readFileSync(input, 'utf8'));
  const mover = new Mover(profile, renamed);
  const copies = mover.copiesFor(bytes);
  const stream = createWriteStream(output);
  let pending = `{"version":${JSON.stringify(profile.version)}`;
  for (const [key, elements] of mover.sections()) {
    pending += `,${JSON.stringify(key)}:[`;
    for (let copy = 0; copy < copies; copy++) {
      pending +=
        (copy > 0 && elements.length > 0 ? ',' : '') +
        elements.map((element) => mover.move(key, element, copy)).join(',');
      if (!stream.write(pending)) await once(stream, 'drain');
      pending = '';
    }
    pending += ']';
  }
  stream.end(`${pending}}`);
  await once(stream, 'close');
}

class Mover {
  readonly #profile: Input;
  readonly #renamed: boolean;
  readonly #typeStep: number;
  readonly #methodStep: number;

  constructor(profile: Input, renamed: boolean) {
    this.#profile = profile;
    this.#renamed = renamed;
    this.#typeStep = Math.max(...profile.types.map((type) => type.id)) + 1;
    this.#methodStep = Math.max(...profile.methods.map((method) => method.id)) + 1;
  }

  /**
   * All arrays but the monitors: a file has one such entry, so copies of it would make a file that no writer produces.
   */
  sections(): [string, readonly (Symbols | Entry)[]][] {
    return Object.entries(this.#profile).flatMap(([key, value]): [string, readonly (Symbols | Entry)[]][] =>
      Array.isArray(value) && key !== 'monitorProfiles' ? [[key, value]] : [],
    );
  }

  move(key: string, element: Symbols | Entry, copy: number): string {
    const types = copy * this.#typeStep;
    const methods = copy * this.#methodStep;
    if ('ctx' in element) {
      const ctx = element.ctx.replace(/(\d+):/g, (_, id: string) => `${Number(id) + methods}:`);
      const typed = /virtual|instance/i.test(key);
      const records = typed
        ? element.records.map((value, i) => (i % 2 === 0 ? value + types : value))
        : element.records;
      return JSON.stringify({ ctx, records });
    }
    if (element.signature === undefined) {
      const name = this.#renamed ? element.name.replace(/^(?:\[+L|(?!\[))/, `$&copy${copy}.`) : element.name;
      return JSON.stringify({ id: element.id + types, name });
    }
    return JSON.stringify({
      id: element.id + methods,
      name: element.name,
      signature: element.signature.map((id) => id + types),
    });
  }

  /**
   * Later copies are longer, since their ids are: their length is measured at powers of two and assumed up to the next.
   */
  copiesFor(bytes: number): number {
    let total = 0;
    let length = 0;
    for (let copy = 0; ; copy++) {
      if (total >= bytes) return copy;
      if ((copy & (copy - 1)) === 0) length = this.#lengthOf(copy);
      total += length;
    }
  }

  #lengthOf(copy: number): number {
    let length = 0;
    for (const [key, elements] of this.sections())
      for (const element of elements) length += this.move(key, element, copy).length + 1;
    return length;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [input = '', output = '', megabytes = '184', renamed = ''] = process.argv.slice(2);
  await generate(input, output, Number(megabytes) * 1e6, renamed === 'renamed');
}
