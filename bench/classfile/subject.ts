/**
 * One reader of class files in a process of its own: reads all classes of a packed file and prints what it cost, as
 * JSON. An entry is a method. `kept` prints the bytes that a parsed class keeps in addition to its file.
 *
 *   node dist/bench/classfile/subject.js structure|code|instructions|check|plain FILE
 *   node --expose-gc dist/bench/classfile/subject.js kept FILE
 */
import { type ClassFile, readClassFile } from '../../src/code/java/class-file/class-file.js';
import { eachInstruction } from '../../src/code/java/class-file/instructions.js';
import { checkClassFile } from '../../src/code/java/testing/class-check/check.js';
import { printCost } from '../compare.js';
import { unpackClasses } from './pack.js';
import { walkClass } from './plain.js';

const [subject = '', file = ''] = process.argv.slice(2);
const started = performance.now();
const classes = unpackClasses(file);

if (subject === 'plain') {
  let methods = 0;
  for (const bytes of classes) methods += walkClass(bytes);
  printCost(started, methods);
} else if (subject === 'kept') {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('needs --expose-gc');
  const used = (): number => {
    // The first frees wrappers, the second their memory.
    collect();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  const read = classes.map((bytes) => readClassFile(bytes, 'class'));
  const structure = used() - before;
  for (const each of read) for (const method of each.methods) method.code();
  const codes = used() - before;
  const perClass = (bytes: number): string => `${Math.round(bytes / read.length)} bytes a class`;
  process.stdout.write(
    `${read.length} classes: ${perClass(structure)}, with the code of all methods ${perClass(codes)}\n`,
  );
} else {
  const read = classes.map((bytes) => readClassFile(bytes, 'class'));
  let methods = 0;
  for (const each of read) {
    methods += each.methodCount;
    look(each);
  }
  printCost(started, methods);
}

function look(read: ClassFile): void {
  if (subject === 'code') for (const method of read.methods) method.code();
  if (subject === 'instructions')
    for (const method of read.methods) {
      const code = method.code();
      if (code !== undefined) eachInstruction(code, () => undefined);
    }
  if (subject === 'check' && checkClassFile(read).list.length > 0) throw new Error(`${read.name} has problems`);
}
