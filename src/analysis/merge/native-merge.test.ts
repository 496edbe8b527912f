/** Merging of made-up profiles with native code: the same bytes are the same place, at any address. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { stringAt } from '../../base/text.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { runs } from '../../testing/amount.js';
import { type Picture, picture, stackTexts, tree, treeText } from '../../testing/pictures/picture.js';
import { drawn, type PlainEvent, plainEvents } from '../../testing/pictures/random-picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { mergeRecordings } from './merge.js';

function merged(...texts: readonly string[]): Picture {
  return pictured(mergeRecordings(texts.map((text) => drawnRecording(picture(text)))));
}

function pictured({ program, profile }: Recording): Picture {
  if (profile === undefined) throw new Error('merged without a profile');
  return { program, profile };
}

function signatures(program: Program): string[] {
  return Array.from({ length: program.functions.length }, (_, id) => functionSignature(program, id));
}

function paths({ loadObjects, names }: Program): string[] {
  return Array.from(loadObjects?.path ?? [], (path) => stringAt(names, path));
}

describe('native places of two runs', () => {
  const run = (address: string) => `
    !/opt/app            kind=executable id=4fc5 main@1000
    !/usr/lib/libc.so.6  map=${address}+2000@1000
    @count  5
            app!main@1010(7)
            ~app!shop.c|add@1010
            *${address.slice(0, -2)}40
  `;

  it('are added if load object and offset are the same, at any address', () => {
    const both = merged(run('7f3c00001000'), run('7fff00002000'));
    equal(
      treeText(both),
      tree(`
        app!main@1010(7) 0 10
          ~app!shop.c|add@1010 0 10
            libc.so.6!@1040 10 10
      `),
    );
    deepStrictEqual(paths(both.program), ['/opt/app', '/usr/lib/libc.so.6']);
    equal(both.program.mappings, undefined);
  });

  it('of two builds are separate, but their functions are joined', () => {
    const both = merged(
      run('7f3c00001000'),
      run('7f3c00001000').replace('4fc5', '77aa').replace('main@1000', 'main@1008'),
    );
    deepStrictEqual(paths(both.program), ['/opt/app', '/opt/app', '/usr/lib/libc.so.6']);
    deepStrictEqual(signatures(both.program), ['[libc.so.6]', 'add (shop.c)', 'main (app)']);
    equal(both.profile.stacks.length, 6);
  });

  it('in code made at run time are identified by function and line', () => {
    const compiled = (offset: string) => `
      !/tmp/jit  kind=jit
      @count  5
              jit!App.main@${offset}(7)
              jit!stub@8
    `;
    const both = merged(compiled('40'), compiled('80'));
    equal(treeText(both), 'App.main(line:7) 0 10\n  stub 10 10');
    equal(both.program.loadObjects, undefined);
  });

  it('have the first path, and the build id and architecture of any', () => {
    const { program } = merged(
      '!/usr/lib/libc.so.6 id=4f\n@count 1\n       libc.so.6!f@10',
      '!/lib/libc.so.6 id=4f arch=aarch64\n@count 1\n       libc.so.6!f@10',
      '!/usr/lib/libc.so.6\n@count 1\n       libc.so.6!f@10',
    );
    deepStrictEqual(paths(program), ['/lib/libc.so.6']);
    deepStrictEqual(
      Array.from(program.loadObjects?.buildId ?? [], (id) => stringAt(program.names, id)),
      ['4f'],
    );
    deepStrictEqual(
      Array.from(program.loadObjects?.architecture ?? [], (id) => stringAt(program.names, id)),
      ['aarch64'],
    );
    equal(program.locations.length, 1);
  });
});

/** Sums by path of frames, without those that are 0. */
function sums(events: Iterable<Pick<PlainEvent, 'frames' | 'count'>>): Map<string, number> {
  const found = new Map<string, number>();
  for (const { frames, count } of events) {
    const path = frames.join(' ');
    if (count > 0) found.set(path, (found.get(path) ?? 0) + count);
  }
  return new Map([...found].sort());
}

describe('profiles with native code', () => {
  it('merged have the values of all their events, independent of their order', () => {
    fc.assert(
      fc.property(fc.array(plainEvents, { minLength: 1, maxLength: 3 }), (profiles) => {
        const recordings = profiles.map((events) => drawnRecording(drawn(events)));
        const both = pictured(mergeRecordings(recordings));
        const table = both.profile.events[0];
        const found = Array.from({ length: table?.length ?? 0 }, (_, row) => ({
          frames: table === undefined ? [] : stackTexts(both, column(table, 'stack')[row]),
          count: table === undefined ? 0 : column(table, 'count')[row],
        }));
        deepStrictEqual(sums(found), sums(profiles.flat()));
        deepStrictEqual(mergeRecordings([...recordings].reverse()), mergeRecordings(recordings));
      }),
      runs(500),
    );
  });
});
