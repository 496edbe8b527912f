/** The bias of a branch is that of the ways shown beside it, with classes and without, on records put into a small profile. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { openClassPath } from '../../code/java/class-path/class-path.node.js';
import { smallIprof } from '../../formats/iprof/testing/small-iprof.js';
import { ask, openSession, sessionOf } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const LOOPS = join(ROOT, 'examples', 'loops');

interface Records {
  readonly ctx: string;
  records: number[];
}

/** The profile of `Loops` with other records at one branch, asked with classes and without. */
async function branchesWith(ctx: string, records: readonly number[]) {
  const profile: { conditionalProfiles: Records[] } = JSON.parse(readFileSync(join(LOOPS, 'loops.iprof'), 'utf8'));
  for (const entry of profile.conditionalProfiles) if (entry.ctx === ctx) entry.records = [...records];
  const session = await openSession([memorySource('own.iprof', new TextEncoder().encode(JSON.stringify(profile)))]);
  const classes = await openClassPath([LOOPS]);
  const question = { view: 'pgo-branches', page: { limit: 0 } } as const;
  try {
    return { bare: await ask(session, question), coded: await ask({ ...session, library: { classes } }, question) };
  } finally {
    await classes.close();
  }
}

describe('bias of a branch', () => {
  // `if (values[i] == wanted)` of Loops.find at BCI 12 falls through to 15 and jumps to 17.
  const FIND = '2:12';
  const cases: readonly (readonly [string, readonly number[], readonly number[], number])[] = [
    ['two indexes to one BCI are one way', [17, 0, 50, 17, 1, 50], [100], 1],
    ['three indexes, two of them to one BCI', [15, 0, 40, 17, 1, 30, 17, 2, 30], [40, 60], 0.6],
    ['an index without a BCI is a way of its own', [17, 0, 60, -6, 1, 40], [60, 40], 0.6],
  ];
  for (const [title, records, targets, bias] of cases)
    it(title, async () => {
      const { bare, coded } = await branchesWith(FIND, records);
      const at = ({ rows }: typeof bare) => rows.find(({ site }) => site === 'Loops.find:12');
      deepStrictEqual(
        at(bare)?.targets.map(({ count }) => count),
        targets,
      );
      deepStrictEqual(
        at(coded)
          ?.ways?.map(({ count }) => count)
          .sort(),
        [...targets].sort(),
      );
      equal(at(bare)?.bias, bias);
      equal(at(coded)?.bias, bias);
      deepStrictEqual(coded.code?.findings, []);
      equal(bare.one_sided, coded.one_sided);
    });

  it('indexes that mean different outcomes in different contexts are not mixed', async () => {
    const branches = { 'A.m:11': [8, 0, 95, 30, 1, 5], 'A.m:11<B.n:2': [30, 0, 5, -5, 0, 90, 8, 1, 5] };
    const { rows } = await ask(sessionOf([await smallIprof({ branches })]), {
      view: 'pgo-branches',
      page: { limit: 0 },
    });
    deepStrictEqual(
      rows[0]?.targets.map(({ name, count }) => [name, count]),
      [
        ['8', 100],
        ['30', 100],
      ],
    );
    equal(rows[0]?.bias, 0.5);
  });

  it('branches that are not in the classes keep their bias', async () => {
    const recording = await smallIprof({
      branches: { 'A.m:11': [27, 0, 50, 27, 1, 50], 'A.n:3': [-6, 0, 50, -6, 1, 50] },
    });
    const classes = await openClassPath([LOOPS]);
    for (const library of [{}, { classes }]) {
      const { rows } = await ask(sessionOf([recording], library), { view: 'pgo-branches', page: { limit: 0 } });
      deepStrictEqual(
        rows.map(({ site, bias, targets }) => [site, bias, targets.length]),
        [
          ['A.m:11', 1, 1],
          ['A.n:3', 0.5, 2],
        ],
      );
    }
    await classes.close();
  });
});

describe('per call of a branch', () => {
  const note = (notes: readonly string[]) => notes.filter((text) => /more often than the method:/.test(text));

  it('reports a branch that ran more often than the calls although no call can reach it twice', async () => {
    // Loops.size(int) is called 20 times; its switch at BCI 1 lies in no loop.
    const { coded, bare } = await branchesWith('3:1', [28, 0, 1, 31, 1, 2, 34, 2, 27]);
    deepStrictEqual(
      note(noteTexts(coded.notes)).map((text) => text.split(' ran ')[0]),
      ['1 branch outside loops'],
    );
    deepStrictEqual(note(noteTexts(bare.notes)), []);
  });

  it('does not report loops and counts that agree', async () => {
    // Loops.find checks its values in a loop.
    const { coded } = await branchesWith('2:12', [15, 0, 500, 17, 1, 100]);
    deepStrictEqual(note(noteTexts(coded.notes)), []);
  });
});
