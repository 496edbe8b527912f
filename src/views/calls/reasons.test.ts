/** Chains of reasons, found by hand in the trace of the examples. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const TRACE = join(ROOT, 'examples/points-to/trace_types_shop.txt');
let session: Session;

before(async () => {
  session = await openSession([memorySource('trace.txt', readFileSync(TRACE))]);
});
after(() => session.close());

const why = (options: { element?: string; chains?: number }) => ask(session, { view: 'calls-reasons', options });
const chainsOf = ({ rows }: Awaited<ReturnType<typeof why>>): string[] => {
  const chains: string[] = [];
  for (const { chain, element } of rows)
    chains[chain - 1] = [...(chains[chain - 1]?.split(' > ') ?? []), element].join(' > ');
  return chains;
};

describe('why something is reachable', () => {
  it('is a chain from the first reason to what was asked for; the shortest whole one first', async () => {
    const answer = await why({});
    deepEqual(answer.elements, ['demo.Shop', 'demo.Pool']);
    deepEqual(chainsOf(answer), [
      'AnalysisMethod<Main.x -> HotSpotMethod<Main.x(int)>, invoked: false> > demo.Main.<clinit>() > scanning root demo.Main@1f: demo.Main@1f embedded in > demo.Main > demo.Main.open > demo.Shop',
      'manually triggered rescan > trying to constant fold field demo.Shop.size of constant > demo.Shop.pool > demo.Pool',
    ]);
    deepEqual(answer.rows[2]?.at, 'demo.Main.<clinit>(Main.java:3)');
    // Shop: the text, `root method` by Pool, and Größe, whose reason the trace does not have. Pool.take leads to Start.run again.
    equal(answer.chains, 4);
    match(noteTexts(answer.notes).join(), /2 more chains: --paths 0 shows each/);
  });

  it('follows a name to the line with its reasons', async () => {
    const answer = await why({ element: 'Start.run', chains: 0 });
    deepEqual(chainsOf(answer), [
      'root method > demo.Pool.get() > reading static field demo.Pool.all > demo.Pool > demo.Pool.take(int, java.lang.String) > demo.Start.run',
      'demo.Größe > demo.Start.run',
    ]);
    match(noteTexts(answer.notes).join(), /1 chain shown: the trace has no further reason/);
  });

  it('of a name that is not in the trace is an error', async () => {
    await rejects(why({ element: 'demo.None' }), /nothing in .* matches demo\.None/);
    await rejects(why({ element: '(' }), /neither a name nor a regular expression/);
  });
});
