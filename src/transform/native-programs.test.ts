/** Changes of a program keep the tables of native code consistent. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { stringAt } from '../base/text.js';
import { functionSignature, locationName } from '../models/program/names.js';
import { picture, tree, treeText } from '../testing/pictures/picture.js';
import { drawnRecording } from '../testing/recordings.js';
import { anonymise } from './anonymise.js';
import { functionsOnly } from './functions-only.js';

const SAMPLE = picture(`
  !/home/jo/shop/bin/shop  kind=executable id=4fc5 map=7f3c00001000+2000@1000
  !/home/jo/shop/lib/tax.so
  @count  5                           2
          shop!src/main.c|main@1010   shop!src/main.c|main@1018
          ~shop!src/main.c|total@1010 tax.so!@20
          tax.so!vat@10               *ffffffff81000010
`);

describe('anonymised', () => {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
  const { program } = SAMPLE;
  const hidden = anonymise(program, { hash });

  it('has no names of files, functions, folders or builds', () => {
    const names = Array.from({ length: hidden.names.offsets.length - 1 }, (_, id) => stringAt(hidden.names, id)).join(
      ' ',
    );
    for (const secret of ['home', 'jo', 'shop', 'tax', 'main', 'total', 'vat', 'src', '4fc5'])
      ok(!new RegExp(`(?<![0-9a-f])${secret}(?![0-9a-f])`).test(names), secret);
  });

  it('places, mappings and identities stay', () => {
    deepStrictEqual(hidden.locations, program.locations);
    deepStrictEqual(hidden.mappings, program.mappings);
    equal(new Set(hidden.loadObjects?.path).size, new Set(program.loadObjects?.path).size);
    const folders = Array.from(hidden.loadObjects?.path ?? [], (path) => stringAt(hidden.names, path).split('/'));
    deepStrictEqual(folders[0]?.slice(0, 4), folders[1]?.slice(0, 4));
    deepStrictEqual(anonymise(program, { hash }), hidden);
  });

  it('addresses that no mapping covers stay', () => {
    const last = program.locations.length - 1;
    equal(locationName(hidden, last), '0xffffffff81000010');
  });
});

it('with one place a function, places have no offset, and functions keep their load objects', () => {
  const { program, profile } = functionsOnly(drawnRecording(SAMPLE));
  deepStrictEqual(Object.keys(program.locations), ['length', 'function']);
  deepStrictEqual(
    Array.from({ length: program.functions.length }, (_, id) => functionSignature(program, id)),
    ['main (src/main.c)', 'total (src/main.c)', 'vat (tax.so)', '[tax.so]', '[unknown]'],
  );
  equal(
    profile && treeText({ program, profile }),
    tree(`
      main(src/main.c) 0 7
        total(src/main.c) 0 5
          vat 5 5
        [tax.so] 0 2
          [unknown] 2 2
    `),
  );
});
