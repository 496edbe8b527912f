/** Makes the bytes of binary HPROF files for tests, record by record. */

export interface Shape {
  readonly version?: string;
  readonly idSize?: 4 | 8;
  /** Milliseconds since 1970. */
  readonly created?: number;
}

export class RecordBytes {
  readonly #idSize: 4 | 8;
  readonly #parts: Buffer[] = [];
  readonly #names = new Map<string, number>();
  length = 0;

  constructor({ version = '1.0.2', idSize = 4, created = 1_763_689_345_000 }: Shape = {}) {
    this.#idSize = idSize;
    this.bytes(Buffer.from(`JAVA PROFILE ${version}\0`, 'latin1'), u4(idSize), u8(created));
  }

  bytes(...parts: readonly Uint8Array[]): this {
    for (const part of parts) {
      this.#parts.push(Buffer.from(part));
      this.length += part.length;
    }
    return this;
  }

  id(value: number): Buffer {
    return this.#idSize === 8 ? u8(value) : u4(value);
  }

  /** `announced`: the length in the head, if it is not that of the body. */
  record(
    tag: number,
    body: readonly Uint8Array[],
    { announced, micros = 0 }: { announced?: number; micros?: number } = {},
  ) {
    const whole = Buffer.concat(body);
    return this.bytes(Buffer.from([tag]), u4(micros), u4(announced ?? whole.length), whole);
  }

  utf8(id: number, text: string | Uint8Array): this {
    return this.record(0x01, [this.id(id), typeof text === 'string' ? Buffer.from(text) : text]);
  }

  /** The id of a name, whose record is written when it is first asked for. */
  name(text: string): number {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const id = 0x7000 + this.#names.size * 8;
    this.#names.set(text, id);
    this.utf8(id, text);
    return id;
  }

  loadClass(serial: number, id: number, name: string): this {
    const named = this.name(name);
    return this.record(0x02, [u4(serial), this.id(id), u4(0), this.id(named)]);
  }

  frame(id: number, method: string, signature: string, source: string, of: number, line: number): this {
    const names = [method, signature, source].map((text) => (text === '' ? 0 : this.name(text)));
    return this.record(0x04, [this.id(id), ...names.map((each) => this.id(each)), u4(of), u4(line >>> 0)]);
  }

  trace(serial: number, thread: number, frames: readonly number[], announced = frames.length): this {
    return this.record(0x05, [u4(serial), u4(thread), u4(announced), ...frames.map((frame) => this.id(frame))]);
  }

  startThread(serial: number, object: number, name: string, group: string): this {
    const [named, grouped] = [this.name(name), group === '' ? 0 : this.name(group)];
    return this.record(0x0a, [u4(serial), this.id(object), u4(0), this.id(named), this.id(grouped), this.id(0)]);
  }

  endThread(serial: number): this {
    return this.record(0x0b, [u4(serial)]);
  }

  samples(total: number, rows: readonly (readonly [count: number, trace: number])[]): this {
    return this.record(0x0d, [u4(total), u4(rows.length), ...rows.flatMap((row) => row.map(u4))]);
  }

  /** Rows: type of the array, class, trace, live bytes, live objects, allocated bytes, allocated objects. */
  sites(flags: number, totals: readonly [number, number, number, number], rows: readonly (readonly number[])[]): this {
    const [liveBytes, liveObjects, bytes, objects] = totals;
    const head = [u2(flags), u4(0xeb1c432d), u4(liveBytes), u4(liveObjects), u8(bytes), u8(objects), u4(rows.length)];
    return this.record(0x06, [
      ...head,
      ...rows.flatMap(([type = 0, ...numbers]) => [Buffer.from([type]), ...numbers.map(u4)]),
    ]);
  }

  settings(flags: number, depth: number): this {
    return this.record(0x0e, [u4(flags), u2(depth)]);
  }

  /** A segment of a heap dump with roots of unknown kind. */
  segment(tag: number, roots: readonly number[], announced?: number): this {
    const body = roots.flatMap((root) => [Buffer.from([0xff]), this.id(root)]);
    return this.record(tag, body, announced === undefined ? {} : { announced });
  }

  end(): this {
    return this.record(0x2c, []);
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

export function u2(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function u4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

export function u8(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
