/** The programs and libraries of a recording that a listing of native code needs, each opened once. */
import { MissingError } from '../../base/errors.js';
import { stringAt } from '../../base/text.js';
import { type NativeObject, openNative } from '../../code/native/object.js';
import type { OpenRecording } from '../../models/open-recording.js';
import type { FunctionId, LoadObjectId, Program } from '../../models/program/program.js';

/** Code of a function: where it begins in the file of its load object. */
export interface FunctionStart {
  readonly loadObject: LoadObjectId;
  readonly start: number;
}

export class NativeObjects {
  readonly #source: OpenRecording;
  readonly #program: Program;
  readonly #opened = new Map<LoadObjectId, NativeObject | string>();

  constructor(source: OpenRecording, program: Program) {
    this.#source = source;
    this.#program = program;
  }

  /** Where a function has its code; undefined if it was only inlined, or its load object is unknown. */
  startOf(id: FunctionId): FunctionStart | undefined {
    const { functions, units } = this.#program;
    const loadObject = units?.loadObject[functions.unit?.[id] ?? -1] ?? -1;
    const start = functions.start?.[id] ?? -1;
    return loadObject < 0 || start < 0 ? undefined : { loadObject, start };
  }

  /** The load object of a function; undefined if its file cannot be read. */
  async find(id: LoadObjectId): Promise<NativeObject | undefined> {
    const object = await this.#open(id);
    return typeof object === 'string' ? undefined : object;
  }

  /** The same; a `MissingError` with the reason if its file cannot be read. */
  async get(id: LoadObjectId): Promise<NativeObject> {
    const object = await this.#open(id);
    if (typeof object !== 'string') return object;
    throw new MissingError(`${this.#pathOf(id)}: ${object}`, { code: 'no-code' });
  }

  async close(): Promise<void> {
    for (const object of this.#opened.values()) if (typeof object !== 'string') await object.close();
    this.#opened.clear();
  }

  async #open(id: LoadObjectId): Promise<NativeObject | string> {
    const object = this.#opened.get(id) ?? (await openNative(this.#pathOf(id), this.#source.files ?? {}));
    this.#opened.set(id, object);
    return object;
  }

  #pathOf(id: LoadObjectId): string {
    const { loadObjects, names } = this.#program;
    return stringAt(names, loadObjects?.path[id] ?? -1);
  }
}
