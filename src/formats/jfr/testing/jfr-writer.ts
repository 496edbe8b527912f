/** Writes recordings from a description, as recorders do: for fixtures and properties. Not fast. */

export interface WrittenField {
  readonly name: string;
  /** Name of its type. */
  readonly type: string;
  readonly pooled?: boolean;
  readonly array?: boolean;
  /** Name of a content type, or of another annotation, in `jdk.jfr`, and its value. */
  readonly content?: readonly [type: string, value: string];
}

export interface WrittenType {
  readonly name: string;
  readonly fields: readonly WrittenField[];
  readonly event?: boolean;
  readonly simple?: boolean;
  readonly label?: string;
}

export type WrittenValue =
  | bigint
  | number
  | string
  | boolean
  | null
  | readonly WrittenValue[]
  | { readonly [field: string]: WrittenValue };

export interface WrittenEvent {
  readonly type: string;
  readonly values: Readonly<Record<string, WrittenValue>>;
}

/** Constants of a type by key. */
export interface WrittenPool {
  readonly type: string;
  readonly constants: readonly (readonly [key: bigint, value: WrittenValue])[];
}

export interface WrittenChunk {
  readonly compressed?: boolean;
  readonly version?: readonly [major: number, minor: number];
  readonly startNanos?: bigint;
  readonly durationNanos?: bigint;
  readonly startTicks?: bigint;
  readonly ticksPerSecond?: bigint;
  readonly state?: number;
  /** The header has the place of the last checkpoint, and each the distance to the one before it, as a JVM writes them. */
  readonly chained?: boolean;
  readonly types: readonly WrittenType[];
  readonly records: readonly (WrittenEvent | { readonly checkpoint: readonly WrittenPool[] })[];
}

const PRIMITIVES = ['boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double', 'java.lang.String'];
/** Ids of types: primitive ones first, as in the metadata of a JVM. */
const FIRST_ID = 100;
/** Bytes of the header of a chunk. */
const HEADER = 68;

class Bytes {
  readonly bytes: number[] = [];
  readonly #compressed: boolean;

  constructor(compressed: boolean) {
    this.#compressed = compressed;
  }

  raw(value: bigint, size: number): void {
    for (let shift = size - 1; shift >= 0; shift--)
      this.bytes.push(Number((BigInt.asUintN(64, value) >> BigInt(8 * shift)) & 0xffn));
  }

  /** `size`: bytes if not compressed. */
  number(value: bigint | number, size: 2 | 4 | 8): void {
    if (!this.#compressed) {
      this.raw(BigInt(value), size);
      return;
    }
    let rest = BigInt.asUintN(size * 8, BigInt(value));
    for (let i = 0; i < 8; i++) {
      if (rest < 0x80n) break;
      this.bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.bytes.push(Number(rest));
  }

  /** In UTF-8; Latin-1 and arrays of characters where the text begins with those words. */
  /** A key of the pool of strings is a bigint. */
  string(text: string | bigint | null): void {
    if (typeof text === 'bigint') {
      this.bytes.push(2);
      this.number(text, 8);
      return;
    }
    if (text === null || text === '') {
      this.bytes.push(text === null ? 0 : 1);
      return;
    }
    const units = Array.from(text, (unit) => unit.charCodeAt(0));
    if (text.startsWith('latin')) {
      this.bytes.push(5);
      this.number(units.length, 4);
      this.bytes.push(...units);
    } else if (text.startsWith('chars')) {
      this.bytes.push(4);
      this.number(units.length, 4);
      for (const unit of units) this.number(unit, 2);
    } else {
      const utf8 = new TextEncoder().encode(text);
      this.bytes.push(3);
      this.number(utf8.length, 4);
      this.bytes.push(...utf8);
    }
  }
}

class ChunkWriter {
  readonly #chunk: WrittenChunk;
  readonly #compressed: boolean;
  readonly #ids = new Map<string, number>();
  readonly #types = new Map<string, WrittenType>();

  constructor(chunk: WrittenChunk) {
    this.#chunk = chunk;
    this.#compressed = chunk.compressed ?? true;
    for (const [i, name] of PRIMITIVES.entries()) this.#ids.set(name, i + 4);
    for (const [i, type] of chunk.types.entries()) {
      this.#ids.set(type.name, FIRST_ID + i);
      this.#types.set(type.name, type);
    }
  }

  write(): Uint8Array {
    const {
      records,
      startTicks = 1000n,
      startNanos = 1_700_000_000_000_000_000n,
      durationNanos = 10n ** 9n,
    } = this.#chunk;
    const body: number[] = [];
    let last = 0;
    for (const record of records) {
      const at = HEADER + body.length;
      const isChained = 'checkpoint' in record && this.#chunk.chained === true;
      const distance = isChained && last > 0 ? last - at : 0;
      const written = 'checkpoint' in record ? this.#checkpoint(record.checkpoint, distance) : this.#event(record);
      for (const byte of written) body.push(byte);
      if (isChained) last = at;
    }
    const metadata = this.#metadata();
    const [major, minor] = this.#chunk.version ?? [2, 1];
    const head = new Bytes(false);
    head.raw(0x464c5200n, 4);
    head.raw(BigInt(major), 2);
    head.raw(BigInt(minor), 2);
    head.raw(BigInt(HEADER + body.length + metadata.length), 8);
    head.raw(BigInt(last), 8);
    head.raw(BigInt(HEADER + body.length), 8);
    for (const value of [startNanos, durationNanos, startTicks, this.#chunk.ticksPerSecond ?? 10n ** 9n])
      head.raw(value, 8);
    head.bytes.push(this.#chunk.state ?? 0, 0, 0, this.#compressed ? 1 : 0);
    return Uint8Array.from([...head.bytes, ...body, ...metadata]);
  }

  #bytes(): Bytes {
    return new Bytes(this.#compressed);
  }

  #id(name: string): number {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`no type ${name}`);
    return id;
  }

  /** An event with its size before it: the size includes its own bytes. */
  #sized(type: number, payload: readonly number[]): number[] {
    const head = this.#bytes();
    head.number(type, 8);
    const rest = [...head.bytes, ...payload];
    for (let size = rest.length + 1; ; size++) {
      const own = this.#bytes();
      own.number(size, 4);
      if (own.bytes.length + rest.length === size) return [...own.bytes, ...rest];
    }
  }

  #event({ type, values }: WrittenEvent): number[] {
    const to = this.#bytes();
    this.#struct(to, type, values);
    return this.#sized(this.#id(type), to.bytes);
  }

  /** `distance`: to the checkpoint before it. */
  #checkpoint(pools: readonly WrittenPool[], distance: number): number[] {
    const to = this.#bytes();
    for (const value of [this.#chunk.startTicks ?? 1000n, 0n, BigInt(distance)]) to.number(value, 8);
    to.bytes.push(0);
    to.number(pools.length, 4);
    for (const { type, constants } of pools) {
      to.number(this.#id(type), 8);
      to.number(constants.length, 4);
      for (const [key, value] of constants) {
        to.number(key, 8);
        if (type === 'java.lang.String') to.string(textOf(value));
        else this.#struct(to, type, value);
      }
    }
    return this.#sized(1, to.bytes);
  }

  #struct(to: Bytes, type: string, value: WrittenValue): void {
    const { fields = [] } = this.#types.get(type) ?? {};
    for (const field of fields) {
      const own = isStruct(value) ? (value[field.name] ?? 0) : value;
      if (field.array !== true) this.#value(to, field, own);
      else {
        const elements = Array.isArray(own) ? own : [];
        to.number(elements.length, 4);
        for (const element of elements) this.#value(to, field, element);
      }
    }
  }

  #value(to: Bytes, { type, pooled }: WrittenField, value: WrittenValue): void {
    if (pooled === true) {
      to.number(BigInt(Number.isInteger(value) || typeof value === 'bigint' ? String(value) : 0), 8);
      return;
    }
    const number =
      typeof value === 'bigint'
        ? value
        : BigInt(isStruct(value) ? 0 : Number.isFinite(Number(value)) ? Math.trunc(Number(value)) : 0);
    switch (type) {
      case 'boolean':
      case 'byte':
        to.raw(number, 1);
        break;
      case 'short':
      case 'char':
        // Compressed ones of 16 bits are written as such of 32.
        to.number(this.#compressed ? BigInt.asUintN(16, number) : number, 2);
        break;
      case 'int':
        to.number(number, 4);
        break;
      case 'long':
        to.number(number, 8);
        break;
      case 'float':
      case 'double': {
        const view = new DataView(new ArrayBuffer(8));
        if (type === 'float') view.setFloat32(0, Number(value));
        else view.setFloat64(0, Number(value));
        to.bytes.push(...new Uint8Array(view.buffer, 0, type === 'float' ? 4 : 8));
        break;
      }
      case 'java.lang.String':
        to.string(textOf(value));
        break;
      default:
        this.#struct(to, type, value);
    }
  }

  #metadata(): number[] {
    const strings: string[] = [];
    const of = (text: string): number => {
      if (!strings.includes(text)) strings.push(text);
      return strings.indexOf(text);
    };
    const tree = this.#bytes();
    const element = (name: string, attributes: Record<string, string>, children: readonly (() => void)[]): void => {
      tree.number(of(name), 4);
      tree.number(Object.keys(attributes).length, 4);
      for (const [key, value] of Object.entries(attributes)) {
        tree.number(of(key), 4);
        tree.number(of(value), 4);
      }
      tree.number(children.length, 4);
      for (const child of children) child();
    };
    const contents = annotationsOf(this.#chunk.types);
    const ofContent = (name: string): string => String(50 + contents.indexOf(name));
    const annotation = (name: string, value: string) => () =>
      element('annotation', { class: ofContent(name), value }, []);
    const field =
      ({ name, type, pooled, array, content }: WrittenField) =>
      () =>
        element(
          'field',
          {
            name,
            class: String(this.#id(type)),
            ...(pooled === true && { constantPool: 'true' }),
            ...(array === true && { dimension: '1' }),
          },
          content === undefined ? [] : [annotation(...content)],
        );
    const classes = [
      ...PRIMITIVES.map((name) => () => element('class', { name, id: String(this.#id(name)) }, [])),
      ...contents.map((name) => () => element('class', { name: `jdk.jfr.${name}`, id: ofContent(name) }, [])),
      ...this.#chunk.types.map(
        ({ name, fields, event, simple, label }) =>
          () =>
            element(
              'class',
              {
                name,
                id: String(this.#id(name)),
                ...(event === true && { superType: 'jdk.jfr.Event' }),
                ...(simple === true && { simpleType: 'true' }),
              },
              [...(label === undefined ? [] : [annotation('Label', label)]), ...fields.map(field)],
            ),
      ),
    ];
    element('root', {}, [() => element('metadata', {}, classes), () => element('region', { locale: 'en' }, [])]);
    const to = this.#bytes();
    for (const value of [this.#chunk.startTicks ?? 1000n, 0n, 1n]) to.number(value, 8);
    to.number(strings.length, 4);
    for (const text of strings) to.string(text);
    to.bytes.push(...tree.bytes);
    return this.#sized(0, to.bytes);
  }
}

function textOf(value: WrittenValue): string | bigint | null {
  return typeof value === 'string' || typeof value === 'bigint' ? value : null;
}

function isStruct(value: WrittenValue): value is { readonly [field: string]: WrittenValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The bytes of a recording with these chunks. */
export function jfrBytes(chunks: readonly WrittenChunk[]): Uint8Array {
  return Uint8Array.from(chunks.flatMap((chunk) => [...new ChunkWriter(chunk).write()]));
}

/** The content types that recorders always have, and what else the fields of these types are annotated with. */
function annotationsOf(types: readonly WrittenType[]): readonly string[] {
  const ofFields = types.flatMap(({ fields }) => fields.flatMap(({ content }) => content?.[0] ?? []));
  return [...new Set(['Timestamp', 'Timespan', 'DataAmount', 'Percentage', 'Label', ...ofFields])];
}
