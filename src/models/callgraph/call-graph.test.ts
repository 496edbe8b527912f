import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stringAt } from '../../base/text.js';
import { type CallGraph, EDGE_REASONS, faultsOf, outerBci } from './call-graph.js';
import { CallGraphBuilder } from './call-graph-builder.js';

const [CALLER, FIRST, SECOND, LONELY] = [0, 1, 2, 4];

function graph(): CallGraph {
  const builder = new CallGraphBuilder(5, { counts: true });
  builder.method(LONELY);
  const inlined = builder.site(CALLER, [3, 17], 'virtual', FIRST);
  const twin = builder.site(CALLER, [3, 17], 'virtual', FIRST);
  const unused = builder.site(FIRST, [-5], 'direct', SECOND);
  // Targets come in any order, as a table of edges has them.
  const second = builder.target(twin, SECOND, 'reported');
  builder.target(inlined, FIRST, 'reported', 7);
  builder.target(inlined, SECOND, 'derived');
  builder.addTo(second, 'sampled');
  builder.addTo(second, 'counted', 4);
  builder.addTo(second, 'counted', -1);
  builder.receiver(twin, 2, 9);
  builder.receiver(inlined, 1);
  builder.setKind(unused, 'unknown');
  builder.entry(CALLER, 'root method');
  builder.entry(CALLER, 'at Main.main(Main.java:3) [bci: 4]', 2);
  return builder.finish(false);
}

describe('call graphs', () => {
  it('keep equal sites separate, with their targets and receivers', () => {
    const { sites, targets, receivers, methods } = graph();
    equal(sites.length, 3);
    deepEqual([...sites.first], [0, 2, 3, 3]);
    deepEqual([...targets.callee], [FIRST, SECOND, SECOND]);
    deepEqual([...(targets.count ?? [])], [7, Number.NaN, 3]);
    deepEqual([...sites.firstReceiver], [0, 1, 2, 2]);
    deepEqual([...receivers.class], [1, 2]);
    deepEqual(
      [0, 1, 2].map((site) => outerBci(sites, site)),
      [17, 17, -5],
    );
    deepEqual([...sites.bcis], [3, 17, 3, 17, -5]);
    deepEqual([...methods].sort(), [CALLER, FIRST, SECOND, LONELY]);
  });

  it('have every reason of an edge', () => {
    const { targets } = graph();
    const reasons = [...targets.why].map((bits) => EDGE_REASONS.filter((_, bit) => ((bits >> bit) & 1) === 1));
    deepEqual(reasons, [['reported'], ['derived'], ['counted', 'sampled', 'reported']]);
  });

  it('have the reasons of an entry, possibly several', () => {
    const { entries, reasons } = graph();
    deepEqual(
      [...entries.reason].map((id) => stringAt(reasons, id)),
      ['root method', 'at Main.main(Main.java:3) [bci: 4]'],
    );
  });

  it('have no counts if nothing was counted', () => {
    const builder = new CallGraphBuilder(2, { counts: false });
    builder.target(builder.site(0, [1], 'direct'), 1, 'derived');
    const { targets, entries, receivers } = builder.finish(false);
    deepEqual([targets.count, entries.count, receivers.count], [undefined, undefined, undefined]);
  });

  it('report what is wrong with them', () => {
    const sound = graph();
    deepEqual(faultsOf(sound, 5, 3), []);
    deepEqual(faultsOf(sound, 5, 2), ['a receiver is not a class']);
    deepEqual(faultsOf({ ...sound, methods: Int32Array.of(CALLER, FIRST) }, 5, 3), [
      'a callee is not among the methods',
    ]);
    const sites = { ...sound.sites, first: Int32Array.of(0, 1, 3, 3) };
    deepEqual(faultsOf({ ...sound, sites }, 5, 3), ['targets are not grouped by site']);
    const targets = { ...sound.targets, why: Uint8Array.of(1, 0, 1) };
    deepEqual(faultsOf({ ...sound, targets }, 5, 3), ['an edge has no reason']);
  });
});
