/** The code around places: bytecode from class files; compiled and native code has no bytecode. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClassSet } from '../../code/java/class-path/class-set.js';
import { classFixture } from '../../code/java/testing/class-fixtures.js';
import type { CodeInfo } from '../../models/program/code.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { isFinding, ProgramCode } from './method-code.js';

describe('the code around a place', () => {
  const classes = new ClassSet();
  classes.add('demo.Patterns', classFixture('Patterns.class').bytes);
  const program = new ProgramBuilder();
  const text = program.function(program.class(program.name('demo.Patterns')), program.name('text'));
  const jit = program.loadObject(program.name('/tmp/jit'), 'jit');
  const start = program.location(text, 0, 0);
  const within = program.location(text, 0, 1);
  const compiled = program.nativeLocation(text, { loadObject: jit, offset: 0x40 });
  const native = program.nativeLocation(program.native(program.name('memcpy')), { loadObject: jit, offset: 0x80 });
  const code = new ProgramCode(classes, program.finish());
  const info: CodeInfo = code;

  it('is that of its method, at the offset of the place', () => {
    const found = info.codeOf(start);
    ok(!('reason' in found));
    const [first] = found.code.listing;
    equal(found.offset, first?.offset);
    ok(first !== undefined && first.line > 0);
    equal(found.code.lineAt(0), first.line);
    ok(found.code.lines.includes(first.line));
    deepStrictEqual(found.code.source, { folder: 'demo', file: 'Patterns.java' });
    equal(first.text, 'aload_0');
  });

  it('has no line if no instruction begins there', () => {
    const found = info.codeOf(start);
    ok(!('reason' in found));
    const begins = new Set(found.code.listing.map(({ offset }) => offset));
    const last = Math.max(...begins);
    const inside = Array.from({ length: last }, (_, offset) => offset).find((offset) => !begins.has(offset));
    ok(inside !== undefined);
    equal(found.code.lineAt(inside), 0);
    equal(found.code.lineAt(-5), 0);
  });

  it('compiled code has its method, but no bytecode index', () => {
    const found = info.codeOf(compiled);
    ok(!('reason' in found));
    equal(found.offset < 0, true);
    const finding = code.at(compiled);
    ok(isFinding(finding));
    deepStrictEqual(
      [finding.reason, finding.text],
      ['unplaced', 'recorded at "jit!0x40", which is not a place in the code'],
    );
    ok(!isFinding(code.at(within)));
  });

  it('native functions have no code in class files', () => {
    const found = info.codeOf(native);
    ok('reason' in found);
    equal(found.reason, 'unnamed');
  });
});
