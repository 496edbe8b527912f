/** Whose code classes are, against the rules by name. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProgramBuilder } from '../models/program/program-builder.js';
import { classesOf, originOfClass } from './origin.js';

describe('whose code a class is', () => {
  it('arrays are of the origin of their elements, primitive ones of the JDK', () => {
    const builder = new ProgramBuilder();
    const own = ['[Lapp.A;', 'app.A', '[[Lapp/A;', 'app.A[]', 'A', '[LA;'];
    const jdk = ['[I', '[[B', 'byte[][]', 'int', '[Ljava.lang.String;', 'java/lang/String'];
    for (const name of [...own, ...jdk]) builder.class(builder.name(name));
    const program = builder.finish();
    deepStrictEqual([...classesOf(program, ['own'])], [...own.map(() => 1), ...jdk.map(() => 0)]);
    equal(originOfClass('int[][]'), 'jdk');
    equal(originOfClass('interest[]'), 'own');
  });
});
