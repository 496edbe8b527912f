/** The rows of a difference of reports: causes, methods, classes, packages, entries, call sites or targets that one side lacks. */
import type { ChangedRows } from '../../analysis/callgraph/changed-calls.js';
import type { CallChanges, ChangedSide } from '../../analysis/callgraph/changes.js';
import { callerOf } from '../../analysis/callgraph/reach.js';
import { identityOf, withoutHashes } from '../../analysis/identity/spelling.js';
import { MATCHES, type United } from '../../analysis/identity/unite.js';
import { functionsOf } from '../../analysis/origin.js';
import { packageOf } from '../../analysis/packages.js';
import { NONE } from '../../base/flavor.js';
import { CALL_KINDS, type CallGraph, type CallSiteId } from '../../models/callgraph/call-graph.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { CallDiffBy } from '../../questions/options/diff.js';
import { bciText, entryText, siteText } from './choice.js';

export const CALL_STATES = ['new', 'gone', 'changed'] as const;
type State = (typeof CALL_STATES)[number];

/** A row; each kind of rows has some of these. Own code comes first, then the largest. */
export interface CallChange {
  readonly state: State;
  readonly own: boolean;
  readonly size: number;
  /** The joined function that the row is about. */
  readonly function?: number;
  readonly name: () => string;
  readonly caller?: () => string | null;
  readonly methods?: number;
  readonly only?: number;
  readonly classes?: number;
  readonly packages?: number;
  readonly base?: number;
  readonly value?: number;
  readonly added?: number;
  readonly removed?: number;
  readonly codeBytes?: number | undefined;
  readonly count?: number;
  readonly at?: () => string | null;
  readonly call?: () => string;
  readonly cause?: () => string;
}

/** The methods of a group on both sides. */
interface Group {
  base: number;
  value: number;
  added: number;
  removed: number;
  bytes: number;
  own: boolean;
}

/** One side with its program. */
interface Named extends ChangedSide {
  readonly program: Program;
  /** By function of the program. */
  readonly own: Uint8Array;
  /** By class of the program, as asked for. */
  readonly types: Map<number, string>;
}

/** Changes as rows. Names are made when asked for. */
export class CallChangeRows {
  readonly changes: CallChanges;
  readonly #functions: United;
  readonly #base: Named;
  readonly #now: Named;

  constructor(changes: CallChanges, functions: United, base: Program, now: Program) {
    this.changes = changes;
    this.#functions = functions;
    this.#base = named(changes.base, base);
    this.#now = named(changes.now, now);
  }

  /** In order. */
  of(by: CallDiffBy): CallChange[] {
    return this.#unordered(by).sort((a, b) => Number(b.own) - Number(a.own) || b.size - a.size);
  }

  #unordered(by: CallDiffBy): CallChange[] {
    const { sites, targets } = this.changes.calls;
    switch (by) {
      case 'cause':
        return [...this.#causes(this.#now, this.#base, 'new'), ...this.#causes(this.#base, this.#now, 'gone')];
      case 'function':
        return this.#methods();
      case 'class':
        return this.#grouped((type) => type);
      case 'package':
        return this.#grouped(packageOf);
      case 'entry':
        return [...this.#entries(this.#now, this.#base, 'new'), ...this.#entries(this.#base, this.#now, 'gone')];
      case 'site':
        return this.#rows(sites, ({ index }, site) => [site, calledAt(index.graph, site)]);
      case 'target':
        return this.#rows(targets, ({ index: { graph } }, row) => [graph.targets.site[row], graph.targets.callee[row]]);
    }
  }

  /** Methods of both graphs that share a row with another one of the same graph. */
  merged(): number {
    let count = 0;
    for (const { has, listed: listedCounts } of [this.#base, this.#now])
      for (let row = 0; row < has.length; row++)
        if (has[row] === 1 && listedCounts[row] > 1) count += listedCounts[row];
    return count;
  }

  /** Methods of the new part and of the old one that no other name of the other side can be joined with for certain. */
  ambiguous(): number {
    const ambiguous = MATCHES.indexOf('ambiguous');
    let count = 0;
    for (const { part } of [this.#base, this.#now])
      for (let row = 0; row < part.isNew.length; row++)
        if (part.isNew[row] === 1 && this.#functions.match[row] === ambiguous) count++;
    return count;
  }

  #typeOf(side: Named, row: number): string {
    const type = side.program.functions.class[side.example[row]];
    const identity = side.types.get(type) ?? withoutHashes(identityOf(className(side.program, type)));
    side.types.set(type, identity);
    return identity;
  }

  #isOwn({ own: ownFunctions, example }: Named, row: number): boolean {
    return ownFunctions[example[row]] === 1;
  }

  #callText({ index: { graph } }: Named, site: CallSiteId, callee: number): string {
    return siteText(graph.sites, site, callee, (declared) => this.#functions.name(declared));
  }

  #causes(side: Named, other: Named, state: State): CallChange[] {
    const { causes, causeOf, isNew } = side.part;
    const { graph } = side.index;
    const otherNames = this.#namesOf(other);
    const classes = new Int32Array(causes.length);
    const packages = new Int32Array(causes.length);
    const bytes = new Float64Array(causes.length);
    for (const row of side.reach.order) {
      if (isNew[row] === 0) continue;
      const cause = causeOf[row];
      const type = this.#typeOf(side, row);
      if (!otherNames.classes.has(type)) classes[cause]++;
      if (!otherNames.packages.has(packageOf(type))) packages[cause]++;
      // A class or package counts for the cause of its first method.
      otherNames.classes.add(type);
      otherNames.packages.add(packageOf(type));
      bytes[cause] += side.codeBytes?.[row] || 0;
    }
    return Array.from(causes.head, (head, i): CallChange => {
      const target = causes.by[i];
      const caller = target < 0 ? NONE : callerOf(graph, target);
      return {
        state,
        own: this.#isOwn(side, head) || (caller >= 0 && this.#isOwn(side, caller)),
        size: causes.methods[i],
        methods: causes.methods[i],
        only: causes.only[i],
        classes: classes[i],
        packages: packages[i],
        codeBytes: side.codeBytes && bytes[i],
        at: () => (target < 0 ? null : bciText(graph, graph.targets.site[target])),
        call: () => (target < 0 ? entryText(graph, head) : this.#callText(side, graph.targets.site[target], head)),
        caller: () => (caller < 0 ? null : this.#functions.name(caller)),
        function: head,
        name: () => this.#functions.name(head),
      };
    });
  }

  /** `caller -> callee`, or the entry. */
  #causeName({ part: { causes }, index: { graph } }: Named, cause: number): string {
    const [target, head] = [causes.by[cause], this.#functions.name(causes.head[cause])];
    return target < 0 ? head : `${this.#functions.name(callerOf(graph, target))} -> ${head}`;
  }

  /** Names of the classes and packages of a side. */
  #namesOf(side: Named) {
    const classes = new Set<string>();
    for (let row = 0; row < side.has.length; row++) if (side.has[row] === 1) classes.add(this.#typeOf(side, row));
    return { classes, packages: new Set([...classes].map(packageOf)) };
  }

  #methods(): CallChange[] {
    const changes: CallChange[] = [];
    for (const side of [this.#now, this.#base]) {
      const state = side === this.#now ? 'new' : 'gone';
      for (let row = 0; row < side.has.length; row++) {
        const cause = side.part.causeOf[row];
        if (side.part.isNew[row] === 1) {
          const causeText = (): string => (cause < 0 ? '' : this.#causeName(side, cause));
          changes.push({ ...this.#method(side, row, side.codeBytes?.[row]), state, cause: causeText });
        } else if (state === 'new' && side.has[row] === 1) {
          const more = (side.codeBytes?.[row] ?? Number.NaN) - (this.#base.codeBytes?.[row] ?? Number.NaN);
          if (Math.abs(more) > 0) changes.push({ ...this.#method(side, row, more), state: 'changed', cause: () => '' });
        }
      }
    }
    return changes;
  }

  #method(side: Named, row: number, bytes: number | undefined) {
    return {
      own: this.#isOwn(side, row),
      size: Math.abs(bytes ?? 0) || 0,
      codeBytes: bytes,
      function: row,
      name: () => this.#functions.name(row),
    };
  }

  /** Groups of methods that changed. */
  #grouped(nameOf: (type: string) => string): CallChange[] {
    const groups = this.groups(nameOf);
    const hasBytes = this.#hasBytes();
    return [...groups]
      .filter(([, { added, removed, bytes }]) => added + removed > 0 || bytes !== 0)
      .map(([name, { bytes, ...group }]) => ({
        ...group,
        state: group.base === 0 ? 'new' : group.value === 0 ? 'gone' : 'changed',
        size: group.added + group.removed,
        codeBytes: hasBytes ? bytes : undefined,
        name: () => name,
      }));
  }

  #hasBytes(): boolean {
    return this.#now.codeBytes !== undefined && this.#base.codeBytes !== undefined;
  }

  groups(nameOf: (type: string) => string): Map<string, Group> {
    const groups = new Map<string, Group>();
    for (const side of [this.#base, this.#now])
      for (let row = 0; row < side.has.length; row++) {
        if (side.has[row] === 0) continue;
        const name = nameOf(this.#typeOf(side, row));
        const group = groups.get(name) ?? { base: 0, value: 0, added: 0, removed: 0, bytes: 0, own: false };
        groups.set(name, group);
        const isNow = side === this.#now;
        group[isNow ? 'value' : 'base']++;
        group[isNow ? 'added' : 'removed'] += side.part.isNew[row];
        group.bytes += (isNow ? 1 : -1) * (side.codeBytes?.[row] || 0);
        group.own ||= this.#isOwn(side, row);
      }
    return groups;
  }

  #entries(side: Named, other: Named, state: State): CallChange[] {
    const { graph } = side.index;
    const otherEntries = new Set(other.index.graph.entries.function);
    return [...new Set(graph.entries.function)]
      .filter((row) => !otherEntries.has(row))
      .map((row) => ({
        state,
        own: this.#isOwn(side, row),
        size: 0,
        call: () => entryText(graph, row),
        function: row,
        name: () => this.#functions.name(row),
      }));
  }

  /** `ends`: the site of a row, and the method behind the arrow. */
  #rows(rows: ChangedRows, ends: (side: Named, row: number) => readonly [site: CallSiteId, to: number]): CallChange[] {
    return Array.from(rows.row, (row, i): CallChange => {
      const side = rows.isNew[i] === 1 ? this.#now : this.#base;
      const { graph } = side.index;
      const [site, to] = ends(side, row);
      const caller = graph.sites.caller[site];
      return {
        state: rows.isNew[i] === 1 ? 'new' : 'gone',
        own: this.#isOwn(side, caller) || (to >= 0 && this.#isOwn(side, to)),
        size: rows.count[i],
        count: rows.count[i],
        at: () => bciText(graph, site),
        call: () => this.#callText(side, site, to),
        caller: () => this.#functions.name(caller),
        function: to,
        name: () => (to < 0 ? '' : this.#functions.name(to)),
      };
    });
  }
}

function named(side: ChangedSide, program: Program): Named {
  return { ...side, program, own: functionsOf(program, ['own']), types: new Map() };
}

/** What a site declares; of a direct one, what it calls. */
function calledAt({ sites, targets }: CallGraph, site: CallSiteId): number {
  return CALL_KINDS[sites.kind[site]] === 'virtual' ? sites.declared[site] : targets.callee[sites.first[site]];
}
