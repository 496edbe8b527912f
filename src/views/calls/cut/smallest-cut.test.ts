/** The smallest cut of a drawn report: the calls are removed from its lines, and the sizes are those of `unobserved`, which are javap's. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { commandLineText, noteTexts } from '../../../cli/render/spelling.js';
import { openInputs } from '../../../session/open.node.js';
import { ask, type Session } from '../../../session/session.js';
import { ROOT } from '../../../testing/shared-data.js';

const FOLDER = join(ROOT, 'examples/points-to');
const REPORT = join(FOLDER, 'call_tree_shop-2.txt');

interface PlainCall {
  readonly caller: string;
  readonly callee: string;
}

const calls: PlainCall[] = [];
const entries: string[] = [];
const above: string[] = [];
for (const line of readFileSync(REPORT, 'utf8').split('\n')) {
  const [, indent = '', words = '', node = ''] =
    /^([│ ]*)[├└]── (entry|directly calls|virtually calls|is overridden by) (?:\w+:)?(\S+?\(.*?\)):/.exec(line) ?? [];
  if (words === '') continue;
  const depth = indent.length / 4;
  above.length = depth;
  above.push(words === 'virtually calls' ? (above.at(-1) ?? '') : node);
  if (words === 'entry') entries.push(node);
  else if (words !== 'virtually calls') calls.push({ caller: above[depth - 1] ?? '', callee: node });
}

function reached(isRemoved: (call: PlainCall) => boolean): Set<string> {
  const methods = new Set(entries);
  for (let size = -1; size < methods.size; ) {
    size = methods.size;
    for (const call of calls) if (methods.has(call.caller) && !isRemoved(call)) methods.add(call.callee);
  }
  return methods;
}

describe('the smallest cut of a report', () => {
  let session: Session;
  let sizes: Map<string, number>;
  before(async () => {
    session = await openInputs([REPORT, join(FOLDER, 'shop.collapsed')], {
      cache: false,
      announce: () => undefined,
      work: {},
      library: { classes: [join(FOLDER, 'shop.jar')] },
    });
    const options = { show: 'unobserved', by: 'method' } as const;
    const { rows } = await ask(session, {
      view: 'calls-unreached',
      recording: 'r1',
      base: 'r2',
      options,
      page: { limit: 0 },
    });
    sizes = new Map(rows.map(({ name, bytes }) => [name, bytes ?? 0]));
    return () => session.close();
  });
  const cutOf = (bytes: string, keep?: string) =>
    ask(session, {
      view: 'calls-smallest-cut',
      recording: 'r1',
      base: 'r2',
      options: { bytes, ...(keep !== undefined && { keep }) },
      page: { limit: 0 },
    });

  it('frees what a search without its calls misses, each proposal by itself', async () => {
    const all = reached(() => false);
    for (const goal of [1, 10, 30, 57, 60, 70]) {
      const result = await cutOf(String(goal));
      const lost = (rows: readonly PlainCall[]): string[] => {
        const left = reached(({ caller, callee }) =>
          rows.some((row) => row.caller === caller && row.callee === callee),
        );
        return [...all].filter((method) => !left.has(method));
      };
      const bytesOf = (methods: readonly string[]) =>
        methods.reduce((sum, method) => sum + (sizes.get(method) ?? 0), 0);
      const methods = lost(result.rows);
      deepEqual([result.freed_methods, result.freed], [methods.length, bytesOf(methods)], `${goal}`);
      equal((result.freed ?? 0) >= goal, true);
      for (let proposal = 1; proposal <= result.proposals; proposal++) {
        const rows = result.rows.filter((row) => row.proposal === proposal);
        const freed = lost(rows);
        deepEqual([rows[0]?.methods, rows[0]?.bytes], [freed.length, bytesOf(freed)]);
      }
      equal(result.least_calls, result.total);
      for (const observed of ['shop.Stock.open()', 'java.util.HashMap.get(java.lang.Object)', 'shop.Book.price()'])
        equal(methods.includes(observed), false);
    }
  });

  it('says the most that can be freed', async () => {
    const result = await cutOf('20MB');
    deepEqual([result.freed, result.total, result.most, result.must_stay], [null, 0, 70, 6]);
    match(commandLineText(result.headlines[0] ?? ''), /20.00 MB of bytecode cannot be freed: 70 B at most/);
    const fewer = await cutOf('20MB', 'shop.tax.Rate.parent');
    equal(fewer.most < 70, true);
    equal(fewer.must_stay > 6, true);
  });

  it('says what the profile saw and the report lacks', async () => {
    const { notes } = await cutOf('5');
    match(noteTexts(notes).join(), /1 method that the profile saw is not reachable in the report/);
  });

  it('refuses amounts of other things', async () => {
    for (const amount of ['20', '2KiB', '1.5 kB', '20ms', '-1', '0', 'all'])
      if (/^20$|KiB/.test(amount)) await cutOf(amount);
      else await rejects(cutOf(amount), /is no amount of code/);
  });
});
