/** Descriptors of JVMS 4.3 and what they are in Java source. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { descriptorOf, fieldType, methodTypes, parameterSlots } from './descriptor.js';

test('types as in Java source', () => {
  assert.deepEqual(methodTypes('(ILjava/lang/String;)V'), { parameters: ['int', 'java.lang.String'], returns: 'void' });
  assert.deepEqual(methodTypes('([[Ljava/util/Map$Entry;DJ)[Z'), {
    parameters: ['java.util.Map$Entry[][]', 'double', 'long'],
    returns: 'boolean[]',
  });
  assert.deepEqual(methodTypes('()La;'), { parameters: [], returns: 'a' });
  for (const [letter, name] of Object.entries({ B: 'byte', C: 'char', F: 'float', S: 'short' }))
    assert.equal(fieldType(letter), name);
});

test('text that is not a descriptor has no types', () => {
  for (const text of ['', 'V', '()', '(', '(V)V', '(I', '(L;)V', '(Ljava/lang/String)V', '()II', '([)V', 'I'])
    assert.equal(methodTypes(text), undefined, text);
  for (const text of ['', 'V', '[', '[V', 'L;', 'Lx', 'II', `${'['.repeat(256)}I`])
    assert.equal(fieldType(text), undefined);
});

test('descriptors of source types', () => {
  for (const text of ['I', '[J', 'Ljava/lang/String;', '[[Ljava/util/Map$Entry;', 'Z', 'V'])
    assert.equal(descriptorOf(text === 'V' ? 'void' : (fieldType(text) ?? '')), text);
});

test('long and double take two slots', () => {
  assert.equal(parameterSlots({ parameters: ['long', 'int', 'double', 'long[]'], returns: 'void' }), 6);
});
