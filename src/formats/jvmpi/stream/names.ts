/**
 * The ids of a recorded stream as rows of the recording. Methods and classes are used before the event that names them, so their ids stay
 * until the end; threads have a row from their first event on.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';
import type { StringId } from '../../../base/text.js';
import type { StackId, StackTable } from '../../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../../models/profile/stack-builder.js';
import { THREADS } from '../../../models/profile/tables.js';
import { type ClassId, type FunctionId, NO_LINE, type Program } from '../../../models/program/program.js';
import { ProgramBuilder } from '../../../models/program/program-builder.js';
import type { Table } from '../../../models/table.js';
import { JVMPI_CLASS } from '../document/constants.js';
import type { EventContents, JVMPI_CallFrame } from '../document/types.js';
import type { HeapWalk } from '../wire/heap-walk.js';

/** Frames that a recorded trace may have: one with as many may be cut. */
const DEEPEST = 1024;
/** `Class.getName()` of arrays, by JVMPI's code of their elements. */
const ARRAYS = ['', '', '', '', '[Z', '[C', '[F', '[D', '[B', '[S', '[I', '[J'];
/** Arrays of objects of a class have this number less its id. */
const OF_OBJECTS = -2 - ARRAYS.length;

export class StreamNames {
  readonly program = new ProgramBuilder();
  readonly stacks = new StackBuilder();
  readonly #classes = new Map<number, ClassId>();
  readonly #classNames = new Map<number, string>();
  readonly #methods = new Map<number, FunctionId>();
  /** Classes of objects that the agent asked for. */
  readonly #objects = new Map<number, number>();
  readonly #fields = new Map<number, readonly [instances: readonly number[], statics: readonly number[]]>();
  readonly #threads = new Map<number, number>();
  readonly #name = new Int32Builder(16);
  readonly #number = new Float64Builder(16);
  readonly #group = new Int32Builder(16);
  readonly #object = new Float64Builder(16);
  readonly #described = new Map<number, EventContents['THREAD_START']['thread_start']>();

  /** The row of a thread; -1 for events without one. */
  thread(env: number): number {
    if (env === 0) return NONE;
    const known = this.#threads.get(env);
    if (known !== undefined) return known;
    const row = this.#threads.size;
    this.#threads.set(env, row);
    return row;
  }

  addThread(started: EventContents['THREAD_START']['thread_start']): void {
    this.#described.set(this.thread(started.thread_env_id), started);
  }

  addClass({
    class_name,
    source_name,
    methods,
    class_id,
    instances,
    statics,
  }: EventContents['CLASS_LOAD']['class_load']): void {
    const { program } = this;
    // A hidden class has a slash before its address in `Class.getName()`, and a dot in JVMTI.
    const text = class_name.replace(/\.(?=0x[0-9a-f]+$)/, '/');
    const name = program.name(text);
    this.#classNames.set(class_id, text);
    const file = source_name === '' ? NONE : program.name(source_name);
    const declaring = program.class(name);
    this.#classes.set(class_id, declaring);
    const named = (fields: typeof statics): number[] => fields.map(({ field_name }) => program.name(field_name));
    this.#fields.set(class_id, [named(instances), named(statics)]);
    for (const { method_id, method_name, method_signature } of methods)
      this.#methods.set(
        method_id,
        program.function(declaring, program.name(method_name), file, program.name(method_signature)),
      );
  }

  /**
   * The class of an allocation: the id of a class, or a number below -1 for arrays, whose elements JVMPI tells. 0 where it is unknown:
   * arrays of objects in recordings of earlier agents.
   */
  allocated({ class_id, is_array }: EventContents['OBJECT_ALLOC']['obj_alloc']): number {
    if (is_array === 0) return class_id;
    if (is_array !== JVMPI_CLASS) return -2 - is_array;
    return class_id === 0 ? 0 : OF_OBJECTS - class_id;
  }

  /** The row of a class by its id, or by what `allocated` gives. */
  class(id: number): ClassId {
    if (id >= 0) return this.#classes.get(id) ?? NONE;
    const name = id >= OF_OBJECTS ? ARRAYS[-2 - id] : this.#arrayName(OF_OBJECTS - id);
    return name === undefined ? NONE : this.program.class(this.program.name(name));
  }

  /** `[Ljava.lang.String;` for an array of strings, `[[I` for one of `int[]`. */
  #arrayName(elementClass: number): string | undefined {
    const element = this.#classNames.get(elementClass);
    return element?.startsWith('[') ? `[${element}` : element && `[L${element};`;
  }

  /** The class of an object that a dump or a reply described, and whether it is that class itself; undefined if none did. */
  objectClass(
    id: number,
    walks: readonly HeapWalk[],
  ): { readonly row: ClassId; readonly isClass: boolean } | undefined {
    const isClass = this.#classes.has(id);
    const asked = this.#objects.get(id) ?? walks.map(({ objects }) => objects.get(id)?.class).find(Boolean);
    const row = isClass ? this.class(id) : asked === undefined ? NONE : this.class(asked);
    return row < 0 ? undefined : { row, isClass };
  }

  /** Keeps what a reply says of an object. */
  addObject({ obj_id, class_id }: EventContents['OBJECT_ALLOC']['obj_alloc']): void {
    if (class_id !== 0) this.#objects.set(obj_id, class_id);
  }

  /** The name of a field of a class, by its place among the static ones or the others; -1 if it is unknown. */
  field(of: number, isStatic: boolean, place: number): StringId {
    return this.#fields.get(of)?.[isStatic ? 1 : 0][place] ?? NONE;
  }

  function(id: number): FunctionId {
    return this.#methods.get(id) ?? this.program.pseudo(id === 0 ? '<unknown>' : `<method ${id}>`);
  }

  text(text: string): StringId {
    return this.program.name(text);
  }

  /** The stack of a trace, whose innermost frame is the first; -1 if there is none. `asked`: frames that were asked for, if that is known. */
  stack(trace: readonly JVMPI_CallFrame[] | undefined, asked = DEEPEST): StackId {
    if (trace === undefined || trace.length === 0) return NONE;
    let stack = rootOf(trace.length >= asked ? 'cut' : 'whole');
    for (let at = trace.length - 1; at >= 0; at--) {
      const { method_id, lineno } = trace[at] ?? { method_id: 0, lineno: NONE };
      stack = this.stacks.add(stack, method_id, lineno);
    }
    return stack;
  }

  finishStacks(): StackTable {
    return this.stacks.finish((method, line) =>
      this.program.location(this.function(method), line > 0 ? line : NO_LINE),
    );
  }

  /** After all tables: their columns add names. */
  finishProgram(): Program {
    return this.program.finish();
  }

  finishThreads(): Table | undefined {
    if (this.#threads.size === 0) return undefined;
    for (const [env, row] of this.#threads) {
      const described = this.#described.get(row);
      this.#name.push(this.text(described?.thread_name ?? `<thread ${env}>`));
      this.#number.push(env);
      this.#group.push(described === undefined ? NONE : this.text(described.group_name));
      this.#object.push(described?.thread_id ?? NONE);
    }
    return THREADS.table({
      name: this.#name.finish(),
      number: this.#number.finish(),
      group: this.#group.finish(),
      object: this.#object.finish(),
    });
  }
}
