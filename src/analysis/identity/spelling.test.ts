import { equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { identityOf, mayVary, withoutHashes } from './spelling.js';

describe('identity of names', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['A$$Lambda$38.0x00000007c00c0c00', 'A$$Lambda/*'],
    ['A$$Lambda$38/0x00000007c00c0c00', 'A$$Lambda/*'],
    ['A$$Lambda/0x00007fce91000c18', 'A$$Lambda/*'],
    ['A$$Lambda.0x00007fce91000c18', 'A$$Lambda/*'],
    ['A$$Lambda+0x00007fce91000c18', 'A$$Lambda/*'],
    ['A$$Lambda$14/1234', 'A$$Lambda/*'],
    ['A$$Lambda$14/1234567.run(java.lang.Object)', 'A$$Lambda/*.run(java.lang.Object)'],
    ['A$$Lambda$14/0x00007fce91000c18[]', 'A$$Lambda/*[]'],
    ['java.lang.invoke.LambdaForm$MH/0x0000000800c02000.invoke', 'java.lang.invoke.LambdaForm$MH/*.invoke'],
    ['jdk.internal.reflect.GeneratedMethodAccessor12.invoke', 'jdk.internal.reflect.GeneratedMethodAccessor*.invoke'],
    [
      'sun.reflect.GeneratedSerializationConstructorAccessor3',
      'sun.reflect.GeneratedSerializationConstructorAccessor*',
    ],
    ['$Proxy12', '$Proxy*'],
    ['com.sun.proxy.$Proxy12.get', '$Proxy*.get'],
    ['jdk.proxy2.$Proxy7', '$Proxy*'],
    ['app.pack.$Proxy7', 'app.pack.$Proxy*'],
    [
      'com.oracle.svm.core.code.FactoryMethodHolder.$Proxy0_constructor_fcd9974e0376dc62a4b6a464d2c9fc9579aad464(int)',
      'com.oracle.svm.core.code.FactoryMethodHolder.$Proxy*_constructor_*(int)',
    ],
  ];
  for (const [name, identity] of cases) test(name, () => equal(identityOf(name), identity));

  test('other names stay unchanged', () => {
    for (const name of [
      'A$1',
      'A$Proxy1',
      'a.Outer$Proxy12.get()',
      'A$Lambda$1',
      'a.b.C.lambda$main$0',
      'A$Proxy12x',
      '$Proxy1_constructor_fcd9',
      'byte[]',
      '<Below cutoff>',
      'x/0xyz',
    ])
      equal(identityOf(name), name);
  });

  test('hashes of a build', () => {
    const [short, long] = ['4Xn1kqPz8sT0aBcD2eFgH7', 'a9'.repeat(20)];
    const cases: readonly (readonly [string, string])[] = [
      [`a.B.m_${long}(int)`, 'a.B.m_*(int)'],
      [
        `com.oracle.svm.core.code.FactoryMethodHolder.Simple_${short}()`,
        'com.oracle.svm.core.code.FactoryMethodHolder.Simple_*()',
      ],
      [`A$$Lambda$${long}_1.get()`, 'A$$Lambda/*.get()'],
      // As long as a hash, and two tests.
      ['a.B.test_parseIso8601DateFormat()', 'a.B.test_parseIso8601DateFormat()'],
      ['a.B.test_parseRfc2822DateFormat()', 'a.B.test_parseRfc2822DateFormat()'],
    ];
    for (const [name, without] of cases) equal(withoutHashes(name), without);
  });

  test('a name that surely does not vary is one that no rule changes', () => {
    const hash = 'a9'.repeat(20);
    const part = fc.constantFrom(
      ...[
        'A',
        '$',
        '$$Lambda',
        '$$lambda$',
        '/',
        '.',
        '0x1f',
        '0X2',
        '12',
        '$Proxy',
        '/s12345678',
        'GeneratedMethodAccessor',
      ],
      ...['_', hash, '4Xn1kqPz8sT0aBcD2eFgH7', 'com.oracle.svm.', 'é'],
    );
    fc.assert(
      fc.property(fc.string({ unit: part, maxLength: 8 }), (name) => {
        const bytes = new TextEncoder().encode(name);
        if (mayVary(bytes, 0, bytes.length)) return;
        equal(identityOf(name), name);
        equal(withoutHashes(name, true), name);
      }),
      runs(1000),
    );
  });

  test('the identity of an identity is unchanged', () => {
    const part = fc.constantFrom('A', '$', '$$Lambda', '/', '.', '0x1f', '12', '$Proxy', '+', '*', '(', ')');
    fc.assert(
      fc.property(fc.string({ unit: part, maxLength: 12 }), (name) => {
        const once = identityOf(name);
        equal(identityOf(once), once);
      }),
      runs(100),
    );
  });
});
