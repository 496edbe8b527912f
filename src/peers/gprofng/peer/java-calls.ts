/**
 * Stacks of Java as gprofng joins them: behind a native method come the native frames from the function whose name is that of the method. A method that
 * the JVM implements, or that was registered under another name, has none. The names of native functions must be known, so it is done after they are.
 */
import { NONE } from '../../../base/flavor.js';
import { EXPERT_STACK, MACHINE_STACK, STACK } from '../../../models/events/shared-fields.js';
import { mapTables, type Profile, STACK_ENDINGS, type StackId } from '../../../models/profile/profile.js';
import { rootOf, type StackBuilder } from '../../../models/profile/stack-builder.js';
import { FUNCTION_KINDS, type LocationId, type Program, UNKNOWN_BCI } from '../../../models/program/program.js';
import { type Column, columnOf, type Table } from '../../../models/table.js';
import { copiedStacks, withMoved } from './event-columns.js';

const JVM = /(?:^|\/)libjvm(?:_db)?\.so$/;
const NATIVE_PREFIX = 'Java_';

/** A function by the name that gprofng has for it, and the path of its load object. */
interface CalledFunction {
  readonly name: string;
  readonly path: string | undefined;
}

/** What the join needs of the program. */
interface NamedProgram {
  readonly program: Program;
  readonly functions: readonly CalledFunction[];
}

/** The profile whose stacks of Java have the native frames that gprofng finds. */
export function withNativeCalls(profile: Profile, program: NamedProgram): Profile {
  if (!profile.events.some((table) => columnOf(table, MACHINE_STACK) !== undefined)) return profile;
  const calls = new NativeCalls(profile, program);
  const newProfile = mapTables(profile, (table) => calls.tableOf(table));
  return { ...newProfile, stacks: calls.builder.finish() };
}

class NativeCalls {
  readonly builder: StackBuilder;
  readonly #profile: Profile;
  readonly #program: Program;
  readonly #functions: readonly CalledFunction[];
  readonly #moved: Int32Array;
  /** By user stack and machine stack, the stack in place of the first. */
  readonly #joined = new Map<StackId, Map<StackId, StackId>>();
  /** By function, whether it may be one that Java calls. */
  readonly #isNative: boolean[] = [];
  /** By method, the native function that was found for it last. */
  readonly #last = new Map<number, number>();

  constructor(profile: Profile, { program, functions }: NamedProgram) {
    this.#profile = profile;
    this.#program = program;
    this.#functions = functions;
    const { builder, moved } = copiedStacks(profile.stacks);
    this.builder = builder;
    this.#moved = moved;
  }

  tableOf(table: Table): Table {
    const newTable = withMoved(table, this.#moved);
    const [user, expert, machine] = [STACK, EXPERT_STACK, MACHINE_STACK].map((field) => columnOf(table, field));
    if (user === undefined || machine === undefined) return newTable;
    const columns: Record<string, Column> = { ...newTable.columns };
    columns[STACK.key] = this.#joinedColumn(user, machine);
    if (expert !== undefined) columns[EXPERT_STACK.key] = this.#joinedColumn(expert, machine);
    return { ...newTable, columns };
  }

  #joinedColumn(stacks: Column, machine: Column): Int32Array {
    const joined = new Int32Array(stacks.length);
    for (let row = 0; row < joined.length; row++) {
      const stack = stacks[row] ?? NONE;
      joined[row] = stack < 0 ? stack : this.#stackOf(stack, machine[row] ?? NONE);
    }
    return joined;
  }

  #stackOf(user: StackId, machine: StackId): StackId {
    const stacks = this.#joined.get(user) ?? new Map<StackId, StackId>();
    this.#joined.set(user, stacks);
    const stack = stacks.get(machine) ?? this.#join(user, machine);
    stacks.set(machine, stack);
    return stack;
  }

  #join(user: StackId, machine: StackId): StackId {
    const { location, parent, ending } = this.#profile.stacks;
    const java: LocationId[] = [];
    let hasMethods = false;
    for (let at = user; at >= 0; at = parent[at]) {
      const isMethod = this.#isMethod(location[at]);
      hasMethods ||= isMethod;
      if (isMethod || this.#isPseudo(location[at])) java.push(location[at]);
    }
    if (!hasMethods) return this.#moved[user] ?? NONE;
    const native: LocationId[] = [];
    for (let at = machine; at >= 0; at = parent[at]) native.push(location[at]);
    const { bci } = this.#program.locations;
    let stack = rootOf(STACK_ENDINGS[ending[user]]);
    let next = native.length - 1;
    for (let i = java.length - 1; i >= 0; i--) {
      const method = java[i] ?? NONE;
      stack = this.builder.add(stack, method);
      if ((bci?.[method] ?? UNKNOWN_BCI) !== UNKNOWN_BCI) continue;
      let isIn = false;
      for (; next >= 0; next--) {
        const frame = native[next] ?? NONE;
        isIn ||= this.#isCalled(this.#program.locations.function[method], this.#program.locations.function[frame]);
        if (!isIn) continue;
        // Back in the JVM, which goes on with Java.
        if (i > 0 && JVM.test(this.#functions[this.#program.locations.function[frame]]?.path ?? '')) break;
        stack = this.builder.add(stack, frame);
      }
    }
    return stack;
  }

  /** Whether a frame is of Java: not compiled code, which only the machine has. */
  #isMethod(location: LocationId): boolean {
    const { locations, functions } = this.#program;
    return (locations.loadObject?.[location] ?? NONE) < 0 && functions.class[locations.function[location]] >= 0;
  }

  /** Whether a frame may stand for a method that is unknown. */
  #isPseudo(location: LocationId): boolean {
    const { locations, functions } = this.#program;
    return FUNCTION_KINDS[functions.kind[locations.function[location]]] === 'pseudo';
  }

  /** Whether a native function is that of a method, or of one whose name goes on: names are compared up to the end of that of the method. */
  #isCalled(method: number, native: number): boolean {
    if (this.#last.get(method) === native) return true;
    this.#isNative[native] ??= this.#functions[native]?.name.startsWith(NATIVE_PREFIX) ?? false;
    if (!this.#isNative[native]) return false;
    const name = this.#functions[method]?.name.replace(/[( ].*$/s, '') ?? '';
    const expected = NATIVE_PREFIX + name.replace(/[._]/g, (letter) => (letter === '.' ? '_' : '_1'));
    if (this.#functions[native]?.name.startsWith(expected) !== true) return false;
    this.#last.set(method, native);
    return true;
  }
}
