/**
 * The methods of a class path that have bytecode, with the functions of a report that they are. Methods without code (abstract and native
 * ones) are only counted: nothing of them could go. O(bytes of the classes); a name and 16 bytes a method.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { FormatError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import type { Work } from '../../base/progress.js';
import { readClassFile } from '../../code/java/class-file/class-file.js';
import { attempt } from '../../code/java/class-file/cursor.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { ClassPath } from '../../models/program/class-path.js';
import type { Program } from '../../models/program/program.js';
import { MethodIndex } from '../coverage/method-index.js';
import { methodText } from '../places/call-code.js';

export interface PathMethods {
  readonly length: number;
  /** By method: index into `types`, its name with class and parameters, its bytes of bytecode. */
  readonly type: Int32Array;
  readonly names: readonly string[];
  readonly bytes: Int32Array;
  /** By method: a function of the program, -1 if it has none; by function: bytes of its bytecode, -1 if the path lacks it. */
  readonly function: Int32Array;
  readonly bytesOf: Int32Array;
  readonly types: readonly string[];
  /** Methods without code, and classes that could not be read. */
  readonly withoutCode: number;
  readonly unreadable: number;
}

async function pathMethods(classes: ClassPath, program: Program, work: Work): Promise<PathMethods> {
  const index = new MethodIndex(program);
  const [type, bytes, functions] = [new Int32Builder(), new Int32Builder(), new Int32Builder()];
  const names: string[] = [];
  const types: string[] = [];
  const bytesOf = new Int32Array(program.functions.length).fill(NONE);
  let withoutCode = 0;
  let unreadable = 0;
  const add = (name: string, content: Uint8Array): void => {
    const file = attempt(() => readClassFile(content, name));
    if (file instanceof FormatError) {
      unreadable++;
      return;
    }
    types.push(name);
    for (const method of file.methods) {
      const found = index.of(method);
      const length = method.code()?.length;
      for (const id of found) bytesOf[id] = length ?? 0;
      if (length === undefined) {
        withoutCode++;
        continue;
      }
      type.push(types.length - 1);
      names.push(methodText(method));
      bytes.push(length);
      functions.push(found[0] ?? NONE);
    }
  };
  await classes.load('all', add, work);
  return {
    length: names.length,
    type: type.finish(),
    names,
    bytes: bytes.finish(),
    function: functions.finish(),
    bytesOf,
    types,
    withoutCode,
    unreadable,
  };
}

const pathMethodsStage: Stage<PathMethods, ClassPath> = {
  name: 'methods of the class path',
  version: 1,
  key: ({ id }) => id,
  run: ([{ snapshot }], classes, _, work) => pathMethods(classes, snapshot.recording.program, work),
  bytes: ({ length, types, bytesOf }) => NAMED * (length + types.length) + bytesOf.byteLength,
};

/** Bytes of a method with its name. */
const NAMED = 120;

/** The methods of a class path; no use if there is no path. */
export function pathMethodsUse(subject: Subject, classes: ClassPath | undefined): StageUse<PathMethods> | undefined {
  return classes && use(pathMethodsStage, [subject], classes);
}
