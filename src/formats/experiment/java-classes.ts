/** jclasses: classes and methods of the JVM with the ids that stacks and compiled methods have. One pass; strings are interned. */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { ClassId, FunctionId } from '../../models/program/program.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Wide } from './log.js';
import { eachPacket, type Packet, type PacketOptions } from './packets.js';

const CLASS = 0x0a03;
const METHOD = 0x0b03;
/** Where the file of a class is; it precedes the class. */
const LOCATION = 0x0e03;
/** Bytes before the first string. */
const HEADER = 24;
const LOCATION_HEADER = 16;

/** Methods by their ids. A class that was loaded again has new ids. */
export class JavaMethods {
  /** All classes in the order in which they are named first. */
  readonly classes = new Set<ClassId>();
  readonly #ids = new IntTable();
  readonly #functions = new Int32Builder();

  get length(): number {
    return this.#ids.length;
  }

  /** The method of an id, -1 if it is unknown. */
  find({ high, low }: Wide): FunctionId {
    const row = this.#ids.find(high | 0, low | 0);
    return row < 0 ? NONE : this.#functions.values[row];
  }

  /** The last definition of an id counts. */
  set(high: number, low: number, method: FunctionId): void {
    const row = this.#ids.add(high, low);
    if (row === this.#functions.length) this.#functions.push(method);
    else this.#functions.values[row] = method;
  }
}

/** Reads the classes and methods of a process. */
export async function readJavaMethods(
  source: ByteSource,
  program: ProgramBuilder,
  options: PacketOptions,
): Promise<JavaMethods> {
  const methods = new JavaMethods();
  let declaring: ClassId = NONE;
  let file = NONE;
  await eachPacket(source, options, (packet) => {
    if (packet.size < HEADER) return;
    if (packet.type === LOCATION) {
      const [name] = strings(packet, LOCATION_HEADER);
      if (name !== undefined) methods.classes.add(addClass(program, packet.bytes, name));
    } else if (packet.type === CLASS) {
      const [name, path] = strings(packet, HEADER);
      declaring = name === undefined ? NONE : addClass(program, packet.bytes, name);
      if (declaring >= 0) methods.classes.add(declaring);
      file = path === undefined || path.to === path.from ? NONE : program.names.add(packet.bytes, path.from, path.to);
    } else if (packet.type === METHOD) {
      const [name, signature] = strings(packet, HEADER);
      if (name === undefined || declaring < 0) return;
      const method = program.names.add(packet.bytes, name.from, name.to);
      const descriptor = signature && program.names.add(packet.bytes, signature.from, signature.to);
      const { view, at } = packet;
      const { littleEndian: little } = options;
      const [high, low] = [
        view.getInt32(at + (little ? 20 : 16), little),
        view.getInt32(at + (little ? 16 : 20), little),
      ];
      methods.set(high, low, program.function(declaring, method, file, descriptor ?? NONE));
    }
  });
  return methods;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The strings of a packet: each ends with a NUL and is padded to four bytes. */
function strings({ bytes, at, size }: Packet, header: number): Range[] {
  const found: Range[] = [];
  for (let from = at + header; from < at + size; ) {
    const zero = bytes.subarray(from, at + size).indexOf(0);
    const to = zero < 0 ? at + size : from + zero;
    found.push({ from, to });
    from += ((to - from) & ~3) + 4;
  }
  return found;
}

/** `Lpkg/Name;` as `Class.getName()` spells it. */
function addClass(program: ProgramBuilder, bytes: Uint8Array, { from, to }: Range): ClassId {
  const isType = bytes[from] === 0x4c && bytes[to - 1] === 0x3b;
  const name = bytes.slice(isType ? from + 1 : from, isType ? to - 1 : to);
  for (let i = 0; i < name.length; i++) if (name[i] === 0x2f) name[i] = 0x2e;
  return program.class(program.names.add(name, 0, name.length));
}
