/** The frames of pictures as places of a program, and back. */
import { stringAt } from '../../base/text.js';
import { MappingIndex } from '../../models/program/mappings.js';
import { fileName, functionName, loadObjectName, locationName, nativeName } from '../../models/program/names.js';
import { inlinedIntoOf, lineOf, type NativePlace, nativePlace } from '../../models/program/places.js';
import {
  LOAD_OBJECT_KINDS,
  type LoadObjectId,
  type LoadObjectKind,
  type LocationId,
  NO_LINE,
  type Program,
} from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';

const NATIVE_FRAME = /^(~?)([^!]+)!(?:([^|@]+)\|)?([^@]*)@([0-9a-f]+)(?:\((\d+)\))?$/;
const ADDRESS_FRAME = /^([^*]*)\*([0-9a-f]{1,16})$/;
const MAPPING = /^map=([0-9a-f]{1,16})\+([0-9a-f]+)@([0-9a-f]+)(?:\[(\d+)\.\.(\d*)\])?$/;
const FUNCTION = /^([^=@]+)@([0-9a-f]+)$/;

/** A frame that was placed. */
interface Placed {
  readonly cell: string;
  readonly location: LocationId;
  readonly place: NativePlace | undefined;
}

interface LoadObject {
  readonly id: LoadObjectId;
  readonly kind: LoadObjectKind;
  /** Offsets at which functions begin. */
  readonly starts: ReadonlyMap<string, number>;
}

/** Makes the program of a picture. */
export class FramePlacer {
  readonly #program = new ProgramBuilder();
  readonly #loadObjects = new Map<string, LoadObject>();
  /** As the mappings are when a frame asks. */
  #mappings: MappingIndex | undefined;

  get program(): ProgramBuilder {
    return this.#program;
  }

  /** Takes a line that begins with `!`. */
  declare(line: string): void {
    const [path = '', ...words] = line.trim().slice(1).split(/\s+/);
    const word = (key: string): string | undefined =>
      words.find((each) => each.startsWith(`${key}=`))?.slice(key.length + 1);
    const kind = LOAD_OBJECT_KINDS.find((known) => known === (word('kind') ?? 'library'));
    if (kind === undefined) throw new Error(`no kind of load object in the picture: ${line}`);
    const program = this.#program;
    const name = (text: string | undefined): number => (text === undefined ? -1 : program.name(text));
    const id = program.loadObject(program.name(path), kind, name(word('id')), name(word('arch')));
    const starts = new Map<string, number>();
    for (const each of words.filter((other) => !/^(?:id|arch|kind)=/.test(other))) {
      const [, address = '', size = '', offset = '', from = '0', to = ''] = MAPPING.exec(each) ?? [];
      const [, name, start = ''] = FUNCTION.exec(each) ?? [];
      if (address !== '')
        program.mapping({
          loadObject: id,
          ...halves(address),
          size: Number.parseInt(size, 16),
          offset: Number.parseInt(offset, 16),
          from: Number(from),
          to: to === '' ? Number.POSITIVE_INFINITY : Number(to),
        });
      else if (name !== undefined) starts.set(name, Number.parseInt(start, 16));
      else throw new Error(`${each} says nothing of a load object in the picture: ${line}`);
    }
    this.#loadObjects.set(fileName(path), { id, kind, starts });
  }

  /** The place that a cell names, below the frame `above` at `time`. */
  place(cell: string, above: Placed | undefined, time: number): Placed {
    const native = NATIVE_FRAME.exec(cell);
    if (native !== null) return this.#native(cell, native, above);
    const [, name = '', address] = ADDRESS_FRAME.exec(cell) ?? [];
    if (address !== undefined) return this.#addressed(cell, name, address, time);
    const [, path = '', bci = '0'] = /^(.*?)(?::(-?\d+))?$/.exec(cell) ?? [];
    return { cell, location: this.#program.location(this.#function(path), NO_LINE, Number(bci)), place: undefined };
  }

  #native(cell: string, match: RegExpExecArray, above: Placed | undefined): Placed {
    const [, inlined = '', label = '', unit = '', name = '', offset = '', line = '0'] = match;
    const object = this.#loadObject(label);
    const place = { loadObject: object.id, offset: Number.parseInt(offset, 16) };
    const same = above?.place?.loadObject === place.loadObject && above.place.offset === place.offset;
    if (inlined !== '' && !same) throw new Error(`${cell} is inlined into nothing in the picture`);
    const of = name === '' ? -1 : this.#nativeFunction(name, unit, object);
    const location = this.#program.nativeLocation(of, place, {
      line: Number(line),
      ...(inlined !== '' && above !== undefined ? { inlinedInto: above.location } : {}),
    });
    return { cell, location, place };
  }

  #addressed(cell: string, name: string, address: string, time: number): Placed {
    const program = this.#program;
    const { high, low } = halves(address);
    if (this.#mappings === undefined) {
      const { mappings } = program.finish();
      this.#mappings = mappings && new MappingIndex(mappings);
    }
    const found = this.#mappings?.find(high, low, time);
    const place = found ?? { loadObject: program.unmapped(high), offset: low };
    const object = [...this.#loadObjects.values()].find(({ id }) => id === place.loadObject);
    const of = name === '' || object === undefined ? -1 : this.#nativeFunction(name, '', object);
    return { cell, location: program.nativeLocation(of, place), place };
  }

  #loadObject(label: string): LoadObject {
    if (!this.#loadObjects.has(label)) this.declare(`!${label}`);
    const known = this.#loadObjects.get(label);
    if (known === undefined) throw new Error(`${label} is no name of a load object in the picture`);
    return known;
  }

  #nativeFunction(name: string, unit: string, { id, kind, starts }: LoadObject): number {
    const program = this.#program;
    if (kind === 'jit' && name.includes('.')) return this.#function(name);
    const start = starts.get(name);
    return program.native(program.name(name), {
      unit: program.unit(unit === '' ? -1 : program.name(unit), id),
      ...(start === undefined ? {} : { start }),
    });
  }

  #function(path: string): number {
    const program = this.#program;
    const dot = path.lastIndexOf('.');
    const declaring = dot > 0 ? program.class(program.name(path.slice(0, dot))) : -1;
    return program.function(declaring, program.name(path.slice(dot + 1)));
  }
}

/** The upper and lower 32 bits of an address in hexadecimal. */
function halves(address: string): { high: number; low: number } {
  const digits = address.padStart(16, '0');
  return { high: Number.parseInt(digits.slice(0, 8), 16), low: Number.parseInt(digits.slice(8), 16) };
}

/** A frame as a picture spells it: without a bytecode index of 0. */
export function frameText(program: Program, location: number): string {
  const place = nativePlace(program, location);
  if (place === undefined) return locationName(program, location).replace(/:0$/, '');
  const { functions, locations, units, loadObjects, names } = program;
  if (LOAD_OBJECT_KINDS[loadObjects?.kind[place.loadObject] ?? 0] === 'unmapped') return nativeName(program, place);
  const of = locations.function[location];
  const object = loadObjectName(program, place.loadObject);
  const name = functionName(program, of);
  const unit = units?.name[functions.unit?.[of] ?? -1] ?? -1;
  const line = lineOf(program, location);
  return [
    inlinedIntoOf(program, location) < 0 ? '' : '~',
    `${object}!`,
    unit < 0 ? '' : `${stringAt(names, unit)}|`,
    name === `[${object}]` ? '' : name,
    `@${place.offset.toString(16)}`,
    line > 0 ? `(${line})` : '',
  ].join('');
}
