/** Policies for a real build, judged by a loop over the lines of its report as well, and the patterns of policies. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText, noteTexts } from '../../cli/render/spelling.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import { BYTES, edges, entries, plainDistances, shown } from './testing/plain-report.js';

const SHOP = readFileSync(join(ROOT, 'examples/points-to/call_tree_shop-2.txt'));

describe('a policy for reported calls', () => {
  let hello: Session;
  let shop: Session;
  before(async () => {
    hello = await openSession([memorySource('hello', BYTES)]);
    shop = await openSession([memorySource('shop', SHOP)]);
  });
  const checkOf = (
    session: Session,
    options: { forbid: string[]; allow?: string[]; by?: 'method' | 'class' | 'pattern' },
  ) => ask(session, { view: 'calls-check', options, page: { limit: 0 } });

  it('finds each reachable method of a pattern, on a path of existing calls that is as short as the shortest', async () => {
    const result = await checkOf(hello, { forbid: ['java.util.regex.**'], by: 'method' });
    const distances = plainDistances();
    const forbidden = [...distances].filter(([node]) => node.startsWith('null:java.util.regex.'));
    deepEqual([result.forbidden, result.paths, result.compared], [forbidden.length, forbidden.length, distances.size]);
    const ends = result.rows.filter(({ pattern }) => pattern !== null);
    deepEqual(ends.map(({ method }) => method).sort(), forbidden.map(([node]) => shown(node)).sort());
    const calls = new Set(edges.map(({ caller, callee }) => `${shown(caller)} > ${shown(callee)}`));
    const isEntry = new Set(entries.map(shown));
    // Methods may differ in their return type only, so there may be two distances.
    const expected = new Map<string, Set<number>>();
    for (const [node, distance] of forbidden)
      expected.set(shown(node), new Set([...(expected.get(shown(node)) ?? []), distance]));
    for (let path = 1, at = 0; path <= result.paths; path++) {
      const steps = result.rows.slice(at).filter((row) => row.path === path);
      at += steps.length;
      ok(isEntry.has(steps[0]?.method ?? ''));
      for (const [i, { method }] of steps.slice(1).entries()) ok(calls.has(`${steps[i]?.method} > ${method}`));
      ok(expected.get(steps.at(-1)?.method ?? '')?.has(steps.length - 1), steps.at(-1)?.method);
    }
  });

  it('has a path to the nearest method of each class and of each pattern', async () => {
    const classOf = (signature: string): string => /^(.*)\.[^.]+\(/.exec(signature)?.[1] ?? '';
    const forbid = ['java.util.regex.**', 'java.lang.Thread*'];
    const byMethod = await checkOf(hello, { forbid, by: 'method' });
    const ends = byMethod.rows.filter(({ pattern }) => pattern !== null);
    const nearest = (end: { path: number }) => byMethod.rows.filter(({ path }) => path === end.path).length;
    for (const [by, groupOf] of [
      ['class', ({ method }: { method: string }) => classOf(method)],
      ['pattern', ({ pattern }: { pattern: string | null }) => pattern ?? ''],
    ] as const) {
      const groups = new Map<string, typeof ends>();
      for (const end of ends) groups.set(groupOf(end), [...(groups.get(groupOf(end)) ?? []), end]);
      const result = await checkOf(hello, { forbid, by });
      const shownEnds = result.rows.filter(({ pattern }) => pattern !== null);
      deepEqual(shownEnds.map(groupOf).sort(), [...groups.keys()].sort());
      for (const end of shownEnds) {
        const group = groups.get(groupOf(end)) ?? [];
        equal(end.methods, group.length);
        const steps = result.rows.filter(({ path }) => path === end.path);
        equal(steps.length, Math.min(...group.map(nearest)));
      }
    }
  });

  it('is kept if nothing forbidden is reachable; patterns without a method are no error', async () => {
    const result = await checkOf(hello, { forbid: ['java.awt.**', 'sun.misc.Unsafe'] });
    deepEqual([result.forbidden, result.paths, result.rows.length], [0, 0, 0]);
    match(commandLineText(result.headlines[0] ?? ''), /12,599 methods of the report compared with 2 patterns/);
    match(noteTexts(result.notes).join(), /2 patterns match no method of the report: java.awt.\*\*, sun.misc.Unsafe\./);
  });

  it('takes classes, methods, filters, globs and expressions, and no similar names', async () => {
    const methodsOf = async (...forbid: string[]) => {
      const { rows } = await checkOf(shop, { forbid, by: 'method' });
      return rows.flatMap(({ method, pattern }) => (pattern === null ? [] : [method])).sort();
    };
    const ofRate = ['shop.tax.Rate.apply(long)', 'shop.tax.Rate.parent()'];
    const ofRates = 'shop.tax.Rates.of(java.lang.String)';
    deepEqual(await methodsOf('shop.tax.Rate'), ofRate);
    deepEqual(await methodsOf('Rate.*'), ofRate);
    deepEqual(await methodsOf('shop.tax.**'), [...ofRate, ofRates]);
    deepEqual(await methodsOf('Rate.apply'), ofRate.slice(0, 1));
    deepEqual(await methodsOf('shop.tax.Rate.apply(long)'), ofRate.slice(0, 1));
    deepEqual(await methodsOf('*.apply(long)'), ofRate.slice(0, 1));
    deepEqual(await methodsOf('^shop\\.tax\\.Rate\\.'), ofRate);
    deepEqual(await methodsOf('Rate.apply, Rates.of'), [ofRate[0], ofRates]);
    // As names that are looked for, these are parts of others.
    deepEqual(await methodsOf('shop.tax.Rat', 'hop.tax', 'tax.Rates', 'app'), []);
    deepEqual(await methodsOf('ates.of', 'shop.tax.Rat*.a'), []);
  });

  it('has exceptions, and says how many methods these allow', async () => {
    const result = await checkOf(shop, { forbid: ['shop.tax.*'], allow: ['Rate.parent', 'no.Such'], by: 'method' });
    deepEqual([result.forbidden, result.allowed], [2, 1]);
    match(noteTexts(result.notes).join(), /1 reachable method is forbidden, and allowed by an exception/);
    match(noteTexts(result.notes).join(), /1 pattern matches no method of the report: no.Such/);
  });

  it('says which calls name a forbidden method without reaching it', async () => {
    const result = await checkOf(shop, { forbid: ['shop.Item'] });
    equal(result.forbidden, 0);
    match(
      noteTexts(result.notes).join(),
      /1 call names a forbidden method .* 0 of them without a target.*: shop.Item.price\(\)/,
    );
  });

  it('begins at initialisers of forbidden classes only where nothing else leads', async () => {
    const report = [
      'VM Entry Points',
      '├── entry app:a.B.<clinit>():void id=0, parsing reason:  class initialiser ',
      '│   ├── directly calls app:a.B.own():void id=2 @bci=0 ',
      '│   └── directly calls app:a.B.used():void id=3 @bci=3 ',
      '└── entry app:a.Main.main():void id=1, parsing reason:  root method ',
      '    └── directly calls app:a.Main.run():void id=4 @bci=0 ',
      '        └── directly calls app:a.B.used():void id-ref=3 @bci=0 ',
      '',
    ];
    const session = await openSession([memorySource('call_tree_initialiser.txt', Buffer.from(report.join('\n')))]);
    const { rows } = await checkOf(session, { forbid: ['a.B'] });
    deepEqual(
      rows.map(({ method }) => method),
      ['a.Main.main()', 'a.Main.run()', 'a.B.used()'],
    );
    const byMethod = await checkOf(session, { forbid: ['a.B'], by: 'method' });
    deepEqual(
      byMethod.rows.map(({ path, method }) => `${path} ${method}`),
      ['1 a.Main.main()', '1 a.Main.run()', '1 a.B.used()', '2 a.B.<clinit>()', '3 a.B.<clinit>()', '3 a.B.own()'],
    );
  });

  it('takes lists of methods without calls', async () => {
    const session = await openSession([
      memorySource('used_methods.txt', Buffer.from('app:a.B.c():void\napp:a.D.e():void\n')),
    ]);
    const { rows, notes } = await checkOf(session, { forbid: ['a.B'] });
    deepEqual(
      rows.map(({ call, method, pattern }) => [call, method, pattern]),
      [['listed', 'a.B.c()', 'a.B']],
    );
    match(noteTexts(notes).join(), /no calls/);
  });

  it('pages its lines', async () => {
    const options = { forbid: ['java.util.regex.**'] };
    const whole = await checkOf(hello, options);
    const page = await ask(hello, { view: 'calls-check', options, page: { limit: 7, offset: 5 } });
    deepEqual([...page.rows], whole.rows.slice(5, 12));
    equal(page.total, whole.rows.length);
  });

  it('refuses policies that forbid nothing, or exclude', async () => {
    await rejects(checkOf(shop, { forbid: [] }), /no method is forbidden/);
    await rejects(checkOf(shop, { forbid: [' , '] }), /no method is forbidden/);
    await rejects(checkOf(shop, { forbid: ['~shop.*'] }), /exceptions in place of excluding filters/);
    await rejects(checkOf(shop, { forbid: ['^('] }), /neither methods nor patterns/);
  });
});
