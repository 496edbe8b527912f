/**
 * Line coverage from a PGO profile and a class path: functions, branches and lines that ran, by source file, in the
 * terms of line coverage tools. Rules and limits: docs/formats/lcov.md.
 *
 * Cost: the classes are parsed one by one; a number is kept for each line and each outcome of a branch.
 */
import { ACCESS } from '../../code/java/class-file/access.js';
import type { ClassFile, MethodInfo } from '../../code/java/class-file/class-file.js';
import type { Code } from '../../code/java/class-file/code.js';
import { eachBranch } from '../../code/java/flow/ways.js';
import { flowNetwork } from './flow-network.js';
import type { MethodContext, Ran } from './method-contexts.js';
import { lineCounts, methodCounts } from './method-counts.js';

/** How a method without any count in the profile is written: with 0 runs, or not at all. */
export const MISSING = ['zero', 'omit'] as const;
export type MissingMethods = (typeof MISSING)[number];

/** What the profile has of a method of a class. */
export interface MethodEvidence {
  readonly contexts: readonly MethodContext[];
  readonly ran: Ran;
  /** Whether the profile lists the method. */
  readonly listed: boolean;
}

export interface FunctionCoverage {
  readonly name: string;
  readonly line: number;
  readonly calls: number;
}

/**
 * An `if` or a switch: how often each outcome was taken; `never`: it was not reached; `open`: the profile does not
 * determine it. All branches of a source file are included, so they have the same numbers in every profile.
 */
export interface BranchCoverage {
  readonly line: number;
  readonly ways: number;
  readonly taken: readonly number[] | 'never' | 'open';
}

/** The part of a class in a source file; methods in their order. */
interface ClassPart {
  readonly functions: FunctionCoverage[];
  readonly branches: BranchCoverage[];
}

export interface SourceCoverage {
  /** Package as folders, and the name of the file. */
  readonly folder: string;
  readonly file: string;
  readonly module: string | undefined;
  /** By class in the order of names, independent of the order of the class path. */
  readonly functions: readonly FunctionCoverage[];
  readonly branches: readonly BranchCoverage[];
  /** Count by line, in rising order of lines; NaN if not determined. */
  readonly lines: ReadonlyMap<number, number>;
}

interface SourceParts extends Pick<SourceCoverage, 'folder' | 'file' | 'module'> {
  readonly classes: Map<string, ClassPart>;
  readonly lines: Map<number, number>;
}

/** How many counts are determined, and why the others are not. */
export interface CoverageTally {
  /** Methods with code in classes that name their source file. */
  methods: number;
  ran: number;
  /** Methods that ran, with a context without a count of calls: the count written is the smallest possible one. */
  atLeast: number;
  /** Counted, with 0. */
  zero: number;
  /** Methods without counts, and how many of these the profile does not list. */
  missing: number;
  unlisted: number;
  /** Lines with a count, lines with a count above 0, lines without a determined count. */
  lines: number;
  linesHit: number;
  openLines: number;
  /** The same for outcomes of branches. */
  ways: number;
  waysTaken: number;
  openWays: number;
  /** Contexts whose counts contradict each other; records of branches that are missing from the code. */
  contradictory: number;
  unplaced: number;
  /** Classes without a source file; methods with unknown control flow. */
  classesWithoutSource: number;
  methodsNotFollowed: number;
}

export class LineCoverage {
  readonly #files = new Map<string, SourceParts>();
  readonly #missing: MissingMethods;
  readonly #evidence: (method: MethodInfo) => MethodEvidence;
  readonly tally: CoverageTally = {
    methods: 0,
    ran: 0,
    atLeast: 0,
    zero: 0,
    missing: 0,
    unlisted: 0,
    lines: 0,
    linesHit: 0,
    openLines: 0,
    ways: 0,
    waysTaken: 0,
    openWays: 0,
    contradictory: 0,
    unplaced: 0,
    classesWithoutSource: 0,
    methodsNotFollowed: 0,
  };

  constructor(evidence: (method: MethodInfo) => MethodEvidence, missing: MissingMethods) {
    this.#evidence = evidence;
    this.#missing = missing;
  }

  add(file: ClassFile, module: string | undefined): void {
    const methods = file.methods.filter((method) => isWritten(method) && method.code() !== undefined);
    if (methods.length === 0) return;
    const name = file.sourceFile;
    if (name === undefined) {
      this.tally.classesWithoutSource++;
      return;
    }
    const folder = file.name.split('.').slice(0, -1).join('/');
    const key = `${module ?? ''}/${folder}/${name}`;
    let source = this.#files.get(key);
    if (source === undefined) {
      source = { folder, file: name, module, classes: new Map(), lines: new Map() };
      this.#files.set(key, source);
    }
    const part: ClassPart = { functions: [], branches: [] };
    source.classes.set(file.name, part);
    for (const method of methods) this.#addMethod(part, source.lines, method);
  }

  /** The source files in the order of their names. The tally is complete only after this call. */
  finish(): SourceCoverage[] {
    return sorted(this.#files).map(([, { classes, lines, ...place }]) => {
      const parts = sorted(classes).map(([, part]) => part);
      for (const count of lines.values()) {
        if (Number.isNaN(count)) this.tally.openLines++;
        else this.tally.lines++;
        if (count > 0) this.tally.linesHit++;
      }
      return {
        ...place,
        functions: parts.flatMap(({ functions }) => functions),
        branches: parts.flatMap(({ branches }) => branches),
        lines: new Map([...lines].sort((a, b) => a[0] - b[0])),
      };
    });
  }

  #addMethod(part: ClassPart, lines: Map<number, number>, method: MethodInfo): void {
    const { contexts, ran, listed } = this.#evidence(method);
    this.tally.methods++;
    if (!listed) this.tally.unlisted++;
    const none = ran === 'none';
    if (ran === 'ran') this.tally.ran++;
    else this.tally[none ? 'missing' : 'zero']++;
    const code = method.code();
    if (code === undefined) return;
    if (none && this.#missing === 'omit') {
      this.#addBranches(part, code, 'open');
      return;
    }
    const line = code.lineAt(0);
    const calls = contexts.reduce((sum, context) => sum + (context.calls ?? 0), 0);
    const whole = contexts.every((context) => context.calls !== undefined) && (contexts.length > 0 || ran !== 'ran');
    if (!whole) this.tally.atLeast++;
    if (line !== undefined)
      part.functions.push({ name: nameOf(method), line, calls: ran === 'ran' ? Math.max(calls, 1) : calls });
    if (contexts.length === 0 && ran !== 'ran') this.#addUnseen(part, lines, code);
    else this.#addSeen(part, lines, code, contexts);
  }

  /** Adds a method without counts: most methods of a class path. */
  #addUnseen(part: ClassPart, lines: Map<number, number>, code: Code): void {
    for (const line of new Set(code.lineTable.map((row) => row.line))) lines.set(line, lines.get(line) ?? 0);
    this.#addBranches(part, code, 'never');
  }

  /** Adds all branches of a method with the same result. */
  #addBranches(part: ClassPart, code: Code, taken: 'never' | 'open'): void {
    eachBranch(code, (bci, ways) => this.#addBranch(part, code.lineAt(bci) ?? -1, ways, taken));
  }

  #addBranch(part: ClassPart, line: number, ways: number, taken: BranchCoverage['taken']): void {
    if (line < 0) return;
    if (taken === 'open') this.tally.openWays += ways;
    else this.tally.ways += ways;
    if (typeof taken === 'object') this.tally.waysTaken += taken.filter((count) => count > 0).length;
    part.branches.push({ line, ways, taken });
  }

  #addSeen(part: ClassPart, lines: Map<number, number>, code: Code, contexts: readonly MethodContext[]): void {
    const flow = flowNetwork(code);
    if (flow === undefined) {
      this.tally.methodsNotFollowed++;
      this.#addBranches(part, code, 'open');
      return;
    }
    // A method with samples alone ran, but the number of calls is unknown.
    const open: readonly MethodContext[] = [{ calls: undefined, branches: new Map() }];
    const counts = methodCounts(flow, contexts.length === 0 ? open : contexts);
    this.tally.contradictory += counts.contradictory;
    this.tally.unplaced += counts.unplaced;
    for (const [at, count] of lineCounts(flow, counts)) lines.set(at, (lines.get(at) ?? 0) + count);
    for (const { line, node, edges } of flow.branches) {
      const taken = edges.map((edge) => counts.edges[edge]);
      const known = taken.every((count) => !Number.isNaN(count));
      this.#addBranch(part, line, edges.length, counts.nodes[node] === 0 ? 'never' : known ? taken : 'open');
    }
  }
}

function sorted<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Whether a method is in the source: bodies of lambdas are; bridges and accessors that javac adds are not. */
function isWritten(method: MethodInfo): boolean {
  return (method.access & ACCESS.synthetic) === 0 || method.name.startsWith('lambda$');
}

/** Parameters with blanks between: `lcov -a` cuts names at commas. */
function nameOf(method: MethodInfo): string {
  return `${method.owner.name}.${method.name}(${method.types?.parameters.join(' ') ?? method.descriptor})`;
}
