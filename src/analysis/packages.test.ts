/** Packages in the names of classes. */
import { equal } from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { className } from '../models/program/names.js';
import { ProgramBuilder } from '../models/program/program-builder.js';
import { runs } from '../testing/amount.js';
import { ClassPackages, packagePart } from './packages.js';

const PACKAGES: Readonly<Record<string, string>> = {
  'java.util.Map': 'java.util',
  Main: '',
  'Main$$Lambda/0x00007f0c1c001000': '',
  'java.util.Map$$Lambda/0xffeeddccbbaa998877665544332211000': 'java.util',
  'java.util.Map$$Lambda$14/1234567': 'java.util',
  'java.util.Map$$Lambda.0x00007f0c1c001000': 'java.util',
  'java.util.Map$$Lambda$816+0x00000007c0e9c928': 'java.util',
  'java.util.Map0x12': 'java.util',
  'a.12': '',
  'a.feed': 'a',
  'a.x12': 'a',
};

it('suffixes of hidden classes are in no package', () => {
  for (const [name, expected] of Object.entries(PACKAGES)) equal(packagePart(name), expected, name);
});

it('packages of a program: those of its names', () => {
  const simple = fc.array(fc.constantFrom('a', 'x', '0', '7', '0x', '$', 'b2', 'f'), { minLength: 1, maxLength: 4 });
  const suffix = fc.constantFrom('', '/0x7f', '+0x7f', '/12', '/0xfeed', '.0x7f');
  const name = fc
    .tuple(fc.array(simple, { minLength: 1, maxLength: 4 }), fc.constantFrom('.', '/'), suffix)
    .map(([parts, separator, end]) => parts.map((part) => part.join('')).join(separator) + end);
  fc.assert(
    fc.property(name, (text) => {
      const builder = new ProgramBuilder();
      const id = builder.class(builder.name(text));
      const program = builder.finish();
      const packages = new ClassPackages(program);
      const found = packages.prefix(packages.of(id)).slice(0, -1).replaceAll('/', '.');
      equal(found, packagePart(className(program, id)));
    }),
    runs(2000),
  );
});
