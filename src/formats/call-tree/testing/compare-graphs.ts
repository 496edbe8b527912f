/**
 * Call graphs of one program in words, to compare those of a tree in text with those of tables. Names that change from run to run are
 * made equal. Tables have more than a tree (declared targets, direct calls without a target), and the seven tables have less: equal calls
 * are one, and all virtual calls of a declared method have the same targets. Each difference is counted.
 */
import { CALL_KINDS } from '../../../models/callgraph/call-graph.js';
import type { Recording } from '../../../models/recording.js';
import { methodName } from '../write-text.js';

export interface WordedGraph {
  readonly methods: string[];
  readonly entries: string[];
  /** `caller @bcis kind declared -> targets`, sorted. */
  readonly calls: string[];
  /** Methods that are only declared as targets. */
  readonly declaredOnly: number;
  /** Direct calls without a target. */
  readonly withoutTarget: number;
}

/** Names of generated classes: the counter behind a digest, addresses, and the numbers of proxies. */
function stable(name: string): string {
  return name
    .replace(/(0x[0-9a-f]{32})\d/g, '$1')
    .replace(/\$\$Lambda\$\d+\/0x[0-9a-f]{16}/g, '$$$$Lambda')
    .replace(/0x[0-9a-f]{16}(?![0-9a-f])/g, '0x')
    .replace(/\$Proxy\d+(?:_constructor_[0-9a-f]{40})?/g, '$$Proxy')
    .replace(/jdk\.proxy\d+/g, 'jdk.proxy');
}

/** `merged`: as the seven tables have it. */
export function wordedGraph({ program, callGraph }: Recording, merged = false): WordedGraph {
  if (callGraph === undefined) throw new Error('no call graph');
  const { sites, targets, entries, methods } = callGraph;
  const names = Array.from({ length: program.functions.length }, (_, id) => stable(methodName(program, id)));
  const isMethod = new Set(methods);
  const declared = new Set([...sites.declared].filter((id) => id >= 0 && !isMethod.has(id)));
  const sharedTargets = new Map<string, Set<string>>();
  const calls: { words: string; declared: string; targets: string[] }[] = [];
  let withoutTarget = 0;
  for (let site = 0; site < sites.length; site++) {
    const own = Array.from(targets.callee.subarray(sites.first[site], sites.first[site + 1]), (id) => names[id] ?? '');
    const isVirtual = CALL_KINDS[sites.kind[site]] === 'virtual';
    if (!isVirtual && own.length === 0) {
      withoutTarget++;
      continue;
    }
    const name = isVirtual ? (names[sites.declared[site]] ?? '') : '';
    const bcis = sites.bcis.subarray(sites.bciStart[site], sites.bciStart[site + 1]).join('->');
    calls.push({ words: `${names[sites.caller[site]]} @${bcis}`, declared: name, targets: own });
    const shared = sharedTargets.get(name) ?? new Set();
    for (const target of own) shared.add(target);
    sharedTargets.set(name, shared);
  }
  const targetsOf = (call: (typeof calls)[number]): string[] =>
    merged && call.declared !== '' ? [...(sharedTargets.get(call.declared) ?? [])] : call.targets;
  const texts = calls.map((call) => `${call.words} ${call.declared} -> ${targetsOf(call).sort().join('; ')}`);
  return {
    methods: Array.from(methods, (id) => names[id] ?? '').sort(),
    entries: Array.from(entries.function, (id) => names[id] ?? '').sort(),
    calls: (merged ? [...new Set(texts)] : texts).sort(),
    declaredOnly: declared.size,
    withoutTarget,
  };
}

/** What one list has and the other lacks, each element as often as it does. */
export function difference(a: readonly string[], b: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const each of b) count.set(each, (count.get(each) ?? 0) + 1);
  return a.filter((each) => {
    const left = count.get(each) ?? 0;
    count.set(each, left - 1);
    return left <= 0;
  });
}
