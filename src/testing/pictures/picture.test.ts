import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STACK_ENDINGS, threadName } from '../../models/profile/profile.js';
import { functionName, locationName } from '../../models/program/names.js';
import { column, type Table } from '../../models/table.js';
import { type Picture, picture, stackTexts, tree, treeText } from './picture.js';

function eventsOf({ profile }: Picture): Table {
  const [table] = profile.events;
  if (table === undefined) throw new Error('a picture has events');
  return table;
}

describe('a picture', () => {
  const source = picture(`
    @thread  main       main       worker    -
    @time    0          10         20        30
    @count   5          1          2.5       8
    @bytes   100        -          7         1
    @ending  whole      whole      partial   whole
             App.main   App.main   Pool.run
             App.get:7  App.get:9
             hash
  `);

  test('gives stacks, root first', () => {
    const table = source.profile.events[0];
    assert.deepEqual(
      [...column(table, 'stack')].map((stack) => stackTexts(source, stack)),
      [['App.main', 'App.get:7', 'hash'], ['App.main', 'App.get:9'], ['Pool.run'], []],
    );
    assert.equal(source.profile.stacks.length, 5);
    assert.deepEqual(
      [...source.profile.stacks.ending].map((ending) => STACK_ENDINGS[ending]),
      ['whole', 'whole', 'whole', 'whole', 'partial'],
    );
  });

  test('gives threads, times and metrics', () => {
    const table = source.profile.events[0];
    assert.equal(source.profile.threads?.length, 2);
    assert.deepEqual(
      [0, 1, 2].map((id) => threadName(source.profile, source.program, id)),
      ['main', 'worker', undefined],
    );
    assert.deepEqual([...column(table, 'thread')], [0, 0, 1, -1]);
    assert.deepEqual([...column(table, 'time')], [0, 10, 20, 30]);
    assert.deepEqual([...column(table, 'count')], [5, 1, 2.5, 8]);
    assert.deepEqual([...column(table, 'bytes')], [100, -1, 7, 1]);
    assert.deepEqual(
      source.profile.metrics.map(({ id, field }) => [id, field]),
      [
        ['count', 'count'],
        ['bytes', 'bytes'],
      ],
    );
  });

  test('gives a function once, for all its places', () => {
    const names = Array.from({ length: source.program.functions.length }, (_, id) => functionName(source.program, id));
    assert.deepEqual(names, ['App.main', 'App.get', 'hash', 'Pool.run']);
  });

  test('can be restored from a tree', () => {
    assert.equal(
      treeText(source),
      tree(`
        App.main 0 6
          App.get:7 0 5
            hash 5 5
          App.get:9 1 1
        Pool.run 2.5 2.5
        (no stack) 8 8
      `),
    );
  });

  test('counts samples if no metric is given', () => {
    assert.equal(treeText(picture('a a a\n  b')), 'a 2 3\n  b 1 1');
  });

  test('draws places in native code, found by load object or by address', () => {
    const drawing = picture(`
      !/opt/app            kind=executable id=4fc5 main@1000
      !/usr/lib/libc.so.6  map=7f3c00001000+2000@1000[0..50]
      !/usr/lib/libm.so.6  map=7f3c00001000+2000@0[50..]
      @time  10                       60                 60
             app!main@1010(7)         app!main@1010(7)   *7f3c00003000
             ~app!shop.c|add@1010     *7f3c00001040      jit!App.main@8
             malloc*7f3c00001040
             libc.so.6!@5d0
    `);
    const { program, profile } = drawing;
    const stacks = [...column(eventsOf(drawing), 'stack')];
    assert.deepEqual(
      stacks.map((stack) => stackTexts(drawing, stack)),
      [
        ['app!main@1010(7)', '~app!shop.c|add@1010', 'libc.so.6!malloc@1040', 'libc.so.6!@5d0'],
        ['app!main@1010(7)', 'libm.so.6!@40'],
        ['0x00007f3c00003000', 'jit!App.main@8'],
      ],
    );
    assert.deepEqual(
      Array.from({ length: program.locations.length }, (_, id) => locationName(program, id)),
      [
        'main(line:7)',
        'add(app!0x1010)',
        'malloc(libc.so.6!0x1040)',
        'libc.so.6!0x5d0',
        'libm.so.6!0x40',
        '0x00007f3c00003000',
        'App.main(jit!0x8)',
      ],
    );
    assert.equal(profile.stacks.length, 7);
  });

  test('reports the position of an invalid native frame or load object', () => {
    assert.throws(() => picture('~app!f@10'), /is inlined into nothing/);
    assert.throws(() => picture('app!f@18\n~app!f@10'), /is inlined into nothing/);
    assert.throws(() => picture('!/lib/x size=7\nx!f@1'), /size=7 says nothing of a load object/);
    assert.throws(() => picture('!/lib/x kind=thing\nx!f@1'), /no kind of load object/);
  });

  test('reports the position of an error', () => {
    assert.throws(() => picture('a  b\n c'), /c stands in no column/);
    assert.throws(() => picture('a  b\na\n   c'), /c hangs in the air/);
    assert.throws(() => picture('@count 1 2\n@time  1'), /a value is missing/);
  });
});
