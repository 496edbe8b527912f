/**
 * The functions of a recording as gprofng has them: names, sizes, load objects by number, and pseudo functions of its own. Where a library has neither a
 * symbol table nor a link to one, it makes a function for each place between the dynamic symbols, which begins at the size of the code.
 */
import { firstNot } from '../../../base/columns/search.js';
import { NONE } from '../../../base/flavor.js';
import { stringAt } from '../../../base/text.js';
import type { OpenObject } from '../../../code/native/debug-parts.js';
import type { Profile } from '../../../models/profile/profile.js';
import { className, functionName, functionSignature, loadObjectName } from '../../../models/program/names.js';
import { readPartName } from '../../../models/program/part-names.js';
import { type ClassId, FUNCTION_KINDS, type LocationId, type Program } from '../../../models/program/program.js';
import type { Recording } from '../../../models/recording.js';
import { markedLike, plainPath } from '../../../session/together/marked-path.js';
import type { JavaUnits } from '../code/java-units.js';
import { FunctionFacts } from './function-facts.js';
import {
  COMPILED_METHODS,
  DYNAMIC_FUNCTIONS,
  GENERATED,
  type GeneratedRange,
  type GeneratedRecord,
} from './generated.js';
import { withHoles } from './hole-stacks.js';
import type { Hole } from './holes.js';
import { withNativeCalls } from './java-calls.js';
import { withLocations } from './more-locations.js';

/** A function with what gprofng says of it. */
export interface PeerFunction {
  readonly name: string;
  /** Without parameter types and libraries. */
  readonly short: string;
  /** Number of its load object; 1 is `<Total>`. */
  readonly object: number;
  /** Name of its load object, `<libc.so.6>`. */
  readonly objectName: string;
  readonly start: number;
  readonly size: number;
  /** Path of the source file as compiled; undefined if it is unknown. */
  readonly source: string | undefined;
  /** Path of the load object; undefined of pseudo functions and of Java. */
  readonly path: string | undefined;
  /** The linker's name of code whose name is spelled as in its source. */
  readonly symbol?: string;
  /** Other names of the same code. */
  readonly aliases?: readonly string[];
  /** Where generated code is in memory; that of others is where it begins in the load object. */
  readonly address?: number;
  /** Path of the load object that a pseudo function counts for. */
  readonly pseudoPath?: string;
  /** Of methods of Java. */
  readonly java?: JavaFacts;
}

export interface JavaFacts {
  /** `java.util.HashMap`. */
  readonly className: string;
  /** `java/util/HashMap.java`. */
  readonly source: string;
}

/** The pseudo functions above stacks whose beginning is unknown. */
export interface CutLocations {
  readonly cut: LocationId;
  readonly failed: LocationId;
}

export interface PeerProgram {
  readonly program: Program;
  /** The stacks and events in its locations. */
  readonly profile: Profile | undefined;
  readonly cutLocation: CutLocations;
  readonly functions: readonly PeerFunction[];
}

export interface PeerProgramOptions {
  /** Numbers of load objects by path. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Numbers of classes of Java, and their methods. */
  readonly classes: ReadonlyMap<ClassId, number>;
  readonly java: Pick<JavaUnits, 'load' | 'method'>;
  /** Functions that were made at run time. */
  readonly generated: ReadonlyMap<string, GeneratedRange>;
  /** All code that was made at run time, in the order of its places. */
  readonly records: readonly GeneratedRecord[];
  /** With functions of its own making. */
  readonly strict: boolean;
}

export const TOTAL: PeerFunction = {
  name: '<Total>',
  short: '<Total>',
  object: 1,
  objectName: '<Total>',
  start: 0,
  size: 0,
  source: undefined,
  path: '<Total>',
};

/** The program of a recording with the functions of gprofng. */
export async function peerProgram(
  recording: Recording,
  open: OpenObject | undefined,
  options: PeerProgramOptions,
): Promise<PeerProgram> {
  const { strict } = options;
  const facts = await FunctionFacts.read(recording.program, open, strict);
  const { program, profile, holes } = withHoles(recording, facts.opaque);
  const known: PeerFunction[] = [];
  const { classes } = program;
  // Methods of one source file are found together.
  await options.java.load(Array.from({ length: classes.length }, (_, id) => className(program, id)));
  for (let id = 0; id < program.functions.length; id++)
    known.push(await withBytecode(functionOf(program, id, facts, options), options));
  const of = Int32Array.from(program.locations.function);
  if (strict) {
    replace(of, known, holes, holeFunction);
    replace(of, known, recordsOf(program, known, options.records), (own, record) =>
      generatedFunction(own, record, options.numbers),
    );
  }
  const pseudo = (name: string): PeerFunction => ({ ...TOTAL, name, short: name });
  const cut = known.push(pseudo('<Truncated-stack>')) - 1;
  const failed = known.push(pseudo('<Stack-unwind-failed>')) - 1;
  const { length } = of;
  const ownProgram = { ...program, locations: { ...program.locations, function: of } };
  return {
    program: withLocations(ownProgram, [cut, failed], known.length),
    profile: strict && profile ? withNativeCalls(profile, { program: ownProgram, functions: known }) : profile,
    cutLocation: { cut: length, failed: length + 1 },
    functions: known,
  };
}

/** Gives locations functions of their own, one for each thing that they are in. */
function replace<Thing>(
  of: Int32Array,
  known: PeerFunction[],
  things: Iterable<readonly [LocationId, Thing]>,
  functionOf: (own: PeerFunction, thing: Thing) => PeerFunction,
): void {
  const made = new Map<Thing, number>();
  for (const [id, thing] of things) {
    const own = known[of[id]];
    if (own === undefined) continue;
    const row = made.get(thing) ?? known.push(functionOf(own, thing)) - 1;
    made.set(thing, row);
    of[id] = row;
  }
}

/** By location in code that was made at run time, the record that gprofng has for it, where it is not the first one of its function. */
function* recordsOf(
  { locations, loadObjects, names }: Program,
  known: readonly PeerFunction[],
  records: readonly GeneratedRecord[],
): Iterable<readonly [LocationId, GeneratedRecord]> {
  const isGenerated = Array.from(loadObjects?.path ?? [], (path) => plainPath(stringAt(names, path)) === GENERATED);
  for (let id = 0; isGenerated.includes(true) && id < locations.length; id++) {
    if (isGenerated[locations.loadObject?.[id] ?? NONE] !== true) continue;
    const offset = locations.offset?.[id] ?? 0;
    const own = firstNot(0, records.length, (i) => (records[i]?.start ?? 0) <= offset) - 1;
    const record = records[records[own]?.peer ?? NONE];
    const isFirst = record !== undefined && !record.isMethod && known[locations.function[id]]?.start === record.start;
    if (record !== undefined && !isFirst) yield [id, record];
  }
}

/** Each time that code was made it is another function, also if it was made of the same method. */
function generatedFunction(
  own: PeerFunction,
  { name, isMethod, start, size, address }: GeneratedRecord,
  numbers: ReadonlyMap<string, number>,
): PeerFunction {
  if (!isMethod) return { ...own, name, short: name, start, size, address };
  const { java: _, ...others } = own;
  const object = numbers.get(COMPILED_METHODS) ?? 0;
  return { ...others, object, objectName: `<${COMPILED_METHODS}>`, path: COMPILED_METHODS, start, size, address };
}

function holeFunction(own: PeerFunction, { start, size, isBehind }: Hole): PeerFunction {
  const short = `<static>@0x${start.toString(16)} `;
  const name = `${short}(${own.objectName})${isBehind ? ' --  no functions found' : ''}`;
  return { ...own, name, short, start, size };
}

function functionOf(program: Program, id: number, facts: FunctionFacts, options: PeerProgramOptions): PeerFunction {
  const { numbers: objects, generated } = options;
  const { functions, units, names, loadObjects } = program;
  const kind = FUNCTION_KINDS[functions.kind[id]];
  const loadObject = units?.loadObject[functions.unit?.[id] ?? -1] ?? -1;
  const path = loadObject < 0 || loadObjects === undefined ? undefined : stringAt(names, loadObjects.path[loadObject]);
  const start = functions.start?.[id] ?? -1;
  const file = functions.file?.[id] ?? -1;
  const common = { start: Math.max(0, start), source: file < 0 ? undefined : stringAt(names, file), path };
  if (kind === 'java' || functions.class[id] >= 0) {
    const whole = functionName(program, id).replace(/\.[^.]*$/, '');
    const simple = whole.replace(/^.*\.(?!0x)/, '');
    const name = functionSignature(program, id);
    const short = name.replace(/\(.*$/, '');
    // The recorder knows no file of hidden classes.
    const known = common.source === '<Unknown>' ? `${simple.replace(/\$.*$/, '')}.java` : common.source;
    const object = options.classes.get(functions.class[id]) ?? 0;
    const folder = whole.slice(0, whole.length - simple.length).replaceAll('.', '/');
    const file = common.source === '<Unknown>' ? simple.replace(/\.0x.*$/, '') : common.source;
    const java = { className: whole, source: folder + (file ?? '') };
    return { ...common, source: known, name, short, object, objectName: `<${simple}.class>`, size: 0, java };
  }
  const { shown: bare, ...others } = facts.namesOf(loadObject, start, functionName(program, id));
  const symbol = readPartName(bare)?.symbol ?? bare;
  const made =
    path !== undefined && plainPath(path) === GENERATED ? generated.get(markedLike(symbol, path)) : undefined;
  // gprofng reads the names of linkers only where they are symbols of files.
  const plain = bare === '[unknown]' ? '<Unknown>' : made !== undefined && options.strict ? symbol : bare;
  if (made !== undefined)
    return {
      ...common,
      ...made,
      name: plain,
      short: plain,
      object: objects.get(markedLike(DYNAMIC_FUNCTIONS, path ?? '')) ?? 0,
      objectName: `<${DYNAMIC_FUNCTIONS}>`,
      path: markedLike(DYNAMIC_FUNCTIONS, path ?? ''),
    };
  const own = pseudoObject(plain, objects);
  if (own !== undefined) return { ...common, name: plain, short: plain, size: 0, ...own };
  const objectName = path === undefined ? '<Unknown>' : `<${plainPath(loadObjectName(program, loadObject))}>`;
  const name = plain.startsWith('<static>') ? `${plain} (${objectName})` : plain;
  const short = options.strict ? withoutParameters(name) : withoutLists(name);
  const size = facts.sizeOf(loadObject, start);
  const object = objects.get(path ?? '') ?? 0;
  return { ...common, ...others, name, short, object, objectName, size };
}

function withoutLists(name: string): string {
  return name.includes('(') && !name.startsWith('(') ? name.slice(0, name.indexOf('(')) : name;
}

/** A name up to its last list of parameters outside of templates: the first bracket from the end on that no other one closes. */
function withoutParameters(name: string): string {
  let [angles, rounds] = [0, 0];
  for (let at = name.length - 1; at >= 0; at--) {
    const letter = name[at];
    if (letter === '>') angles++;
    else if (letter === '<') angles--;
    else if (letter === ')') rounds++;
    else if (letter === '(' && --rounds <= 0 && angles <= 0) return name.slice(0, at);
  }
  return name;
}

/** What gprofng says of methods whose class file it lacks. */
const NO_SIZE = 2 ** 32 - 1;

/** A method of Java with the size of its bytecode, and where that begins in the class file. */
async function withBytecode(of: PeerFunction, { java, strict }: PeerProgramOptions): Promise<PeerFunction> {
  if (of.java === undefined) return of;
  const found = await java.method(of.java.className, of.name);
  if (found === undefined) return strict ? { ...of, size: NO_SIZE } : of;
  return { ...of, start: found.function.start, size: found.function.size };
}

/** Pseudo functions of the JVM count as those of its library, those of OpenMP as those of a load object of their own. */
function pseudoObject(
  name: string,
  objects: ReadonlyMap<string, number>,
): Pick<PeerFunction, 'object' | 'objectName' | 'pseudoPath'> | undefined {
  if (name.startsWith('<OMP-'))
    return { object: Math.max(1, ...objects.values()) + 1, objectName: '<OMP>', pseudoPath: '<OMP>' };
  if (name !== '<JVM-System>') return undefined;
  const [path, object] = [...objects].find(([each]) => each.endsWith('/libjvm.so')) ?? [];
  return path === undefined || object === undefined
    ? undefined
    : { object, objectName: '<libjvm.so>', pseudoPath: path };
}
