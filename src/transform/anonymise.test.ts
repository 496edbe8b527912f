import { deepStrictEqual, equal, match, ok, throws } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { stringAt } from '../base/text.js';
import { readText } from '../formats/iprof/testing/iprof-documents.js';
import type { Program } from '../models/program/program.js';
import { ProgramBuilder } from '../models/program/program-builder.js';
import { iprofFiles } from '../testing/shared-data.js';
import { anonymise } from './anonymise.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

function program(...methods: readonly (readonly [type: string, name: string])[]): Program {
  const builder = new ProgramBuilder();
  for (const [type, name] of methods) builder.function(builder.class(builder.name(type)), builder.name(name));
  return builder.finish();
}

function namesOf({ names, classes, functions }: Program): string[] {
  return Array.from(
    functions.name,
    (name, id) => `${stringAt(names, classes.name[functions.class[id]])} ${stringAt(names, name)}`,
  );
}

describe('names without their owners', () => {
  const p = (text: string): string => `p${hash(`p${text}`)}`;
  const c = (text: string): string => `C${hash(`C${text}`)}`;
  const m = (text: string): string => `m${hash(`m${text}`)}`;
  const cases: readonly (readonly [type: string, name: string, expected: string])[] = [
    ['shop.Cart', 'total', `${p('shop')}.${c('Cart')} ${m('total')}`],
    ['shop.Cart$Item', '<init>', `${p('shop')}.${c('Cart')}$${c('Item')} <init>`],
    ['shop.Cart$1', 'lambda$total$0', `${p('shop')}.${c('Cart')}$1 lambda$${m('total')}$0`],
    ['Cart', 'main', `${c('Cart')} ${m('main')}`],
    ['shop.Cart$$Lambda/0x00007f01', 'run', `${p('shop')}.${c('Cart')}$$Lambda/0x00007f01 ${m('run')}`],
    ['shop.Cart$$Lambda$14/1234', 'run', `${p('shop')}.${c('Cart')}$$Lambda$14/1234 ${m('run')}`],
    ['shop.$Proxy12', 'get', `${p('shop')}.$Proxy12 ${m('get')}`],
    ['[Lshop.Cart;', 'clone', `[L${p('shop')}.${c('Cart')}; ${m('clone')}`],
    ['[[Lshop.Cart$Item;', 'clone', `[[L${p('shop')}.${c('Cart')}$${c('Item')}; ${m('clone')}`],
    ['[I', 'clone', '[I clone'],
    ['[Ljava.lang.String;', 'clone', '[Ljava.lang.String; clone'],
    ['java.util.HashMap$Node', 'getKey', 'java.util.HashMap$Node getKey'],
    ['com.oracle.svm.core.Isolates', 'isolate', 'com.oracle.svm.core.Isolates isolate'],
    [
      'com.oracle.svm.core.code.IsolateEnterStub',
      `Cart_total_${'0123456789'.repeat(4)}`,
      `com.oracle.svm.core.code.IsolateEnterStub ${m(`Cart_total_${'0123456789'.repeat(4)}`)}`,
    ],
    ['shop.facade', 'decade', `${p('shop')}.${c('facade')} ${m('decade')}`],
  ];
  for (const [type, name, expected] of cases)
    test(`${type} ${name}`, () => {
      deepStrictEqual(namesOf(anonymise(program([type, name]), { hash })), [expected]);
    });

  test('kept classes keep their methods; all other names are hashed as without the option', () => {
    const whole = program(['shop.Cart', 'total'], ['shop.api.Order', 'total']);
    deepStrictEqual(namesOf(anonymise(whole, { hash, keep: '^shop\\.api\\.' })), [
      `${p('shop')}.${c('Cart')} ${m('total')}`,
      'shop.api.Order total',
    ]);
    throws(() => anonymise(whole, { hash, keep: '(' }), /not a regular expression: \(/);
  });

  test('hashes that native-image made of names are replaced by others of the same form, the same in every file', () => {
    const [lambda, hidden] = ['7ed5930a1b66ab6866c8ff053c44d4991441a720', 's21ef14da'];
    const whole = program(
      [`shop.Cart$$Lambda$${lambda}_1`, 'run'],
      [`shop.$Proxy/${hidden}`, 'get'],
      [`java.util.A$$Lambda$${lambda}`, 'get'],
    );
    const [own = '', proxy = '', jdk = ''] = namesOf(anonymise(whole, { hash }));
    match(own, /^p\w+\.C\w+\$\$Lambda\$[0-9a-f]{40}_1 m/);
    match(proxy, /\/s[0-9a-f]{8} m/);
    equal(own.includes(lambda) || proxy.includes(hidden), false);
    equal(jdk, `java.util.A$$Lambda$${lambda} get`);
    deepStrictEqual(namesOf(anonymise(program([`shop.Cart$$Lambda$${lambda}_1`, 'run']), { hash })), [own]);
  });

  test("names in angle brackets stay only if they are the JVM's", () => {
    const [made, initialised, own] = namesOf(
      anonymise(program(['A', '<init>'], ['A', '<clinit>'], ['A', '<secret>']), { hash }),
    );
    deepStrictEqual([made, initialised, own], [`${c('A')} <init>`, `${c('A')} <clinit>`, `${c('A')} ${m('<secret>')}`]);
  });

  test('names of a hostile file: unclosed brackets', () => {
    const names = [`${'['.repeat(200_000)}La.B`, `a.B${'[]'.repeat(100_000)}x`];
    for (const name of names) ok(!namesOf(anonymise(program([name, 'm']), { hash }))[0]?.includes('B'));
  });

  test('two names with the same hash are an error', () => {
    const one = { hash: () => 'same' };
    deepStrictEqual(namesOf(anonymise(program(['shop.Cart', 'a']), one)), ['psame.Csame msame']);
    throws(() => anonymise(program(['shop.A', 'a'], ['shop.B', 'a']), one), /same hash/);
    throws(() => anonymise(program(['A', 'a'], ['java.util.X', 'msame']), one), /same hash/);
  });
});

describe('real profiles', () => {
  for (const file of iprofFiles()) {
    test(file.slice(file.lastIndexOf('/') + 1), async () => {
      const { program: whole } = await readText(readFileSync(file, 'utf8'));
      const nameless = anonymise(whole, { hash });
      const before = Array.from(whole.classes.name, (id) => (id < 0 ? '' : stringAt(whole.names, id)));
      const after = Array.from(nameless.classes.name, (id) => (id < 0 ? '' : stringAt(nameless.names, id)));
      equal(new Set(after).size, new Set(before).size);
      equal(new Set(namesOf(nameless)).size, new Set(namesOf(whole)).size);
      const own = /^\[*L?(shootouts|se\.lenborje|com\.github|squidpony|elide)/;
      equal(after.filter((name) => own.test(name)).length, 0);
      before.forEach((name, id) => {
        if (/^\[*L?java\./.test(name)) equal(after[id], name);
      });
      const letters = (name: string): string => name.replace(/[^.$[;]+/g, '');
      ok(before.every((name, id) => letters(name) === letters(after[id] ?? '')));
    });
  }
});
