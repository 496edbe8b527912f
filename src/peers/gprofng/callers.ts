/** Callers and callees of each function, with attributed values. */
import { attributedAround } from '../../analysis/stacks/stack-values.js';
import { factsOf, functionList, nameIn } from './functions.js';
import { factText, TOTAL_FACTS } from './list.js';
import { attributed, type ShownMetric, sortTitle, titleIn } from './metrics.js';
import { byBytes } from './numbers.js';
import { TOTAL } from './peer/peer-program.js';
import type { ChosenFunction, PrintState } from './state.js';
import { headLines, type Row, rowLine, shapeOf } from './table.js';
import type { Asked } from './values.js';

/** A function beside the one in the centre; -1 is `<Total>`. */
interface Neighbour extends Row {
  readonly id: number;
}

/** Values by neighbour, and of the function itself, of one metric. */
interface Around {
  readonly callers: ReadonlyMap<number, number>;
  readonly callees: ReadonlyMap<number, number>;
  readonly self: number;
  readonly whole: number;
}

export async function callersText(asked: Asked, state: PrintState): Promise<string> {
  const metrics = attributed(state.metrics);
  const columns = metrics.filter(({ base }) => base.id !== 'name');
  const list = await functionList(asked, state);
  const of = await Surroundings.of(asked, state, columns);
  const sorted = columns.findIndex(({ base }) => base.id === state.sorting.metric.base.id);
  const blocks: string[] = [];
  const widest = of.around([-1]);
  // Names and facts are as wide as those of any function, values as those of `<Total>`.
  const all = shapeOf(
    metrics,
    list.rows.map(({ row }) => of.facts(row)),
    [],
  );
  for (const { row } of state.limit > 0 ? list.rows.slice(0, state.limit) : list.rows) {
    const { callers, callees, own, wholes } = row < 0 ? widest : of.around([row]);
    const total = shapeOf(metrics, [widest.own], wholes);
    const widths = columns.map(({ flavour }, i) => (flavour === undefined ? all : total).widths[i] ?? 0);
    const shape = { ...total, nameWidth: all.nameWidth, widths };
    const bySort = neighbourOrder(sorted);
    const self = rowLine(row < 0 ? { ...shape, wholes: wholes.map(() => 0) } : shape, own, '*');
    const lines = [
      ...[...callers].sort(bySort).map((each) => rowLine(shape, each)),
      self,
      ...[...callees].sort(bySort).map((each) => rowLine(shape, each)),
    ];
    blocks.push(`${[...headLines(shape), ...lines].join('\n')}\n\n`);
  }
  const { metric } = state.sorting;
  const title = `Functions sorted by metric: ${sortTitle(state.sorting)}\nCallers and callees sorted by metric: ${titleIn(metric, 'a')}\n\n`;
  return title + blocks.join('');
}

/** `<Total>` first, then falling values of a column, then rising names. */
function neighbourOrder(column: number): (a: Neighbour, b: Neighbour) => number {
  return (a, b) =>
    Number(b.id < 0) - Number(a.id < 0) ||
    Number(b.values[column] ?? 0) - Number(a.values[column] ?? 0) ||
    byBytes(a.name, b.name) ||
    a.id - b.id;
}

/** What is around a chain of functions that call each other. */
export async function fragmentText(asked: Asked, state: PrintState): Promise<string> {
  const metrics = attributed(state.metrics);
  const columns = metrics.filter(({ base }) => base.id !== 'name');
  const of = await Surroundings.of(asked, state, columns);
  const sorted = columns.findIndex(({ base }) => base.id === state.sorting.metric.base.id);
  const { callers, callees, own, wholes } = of.around(state.fragment.map(({ id }) => id));
  const bySort = neighbourOrder(sorted);
  const shape = shapeOf(metrics, callers.length > 0 ? [...callers, ...callees, own] : [], wholes);
  const heads = headLines(shape);
  // Where the name is the first column, it has no blank before it.
  const offset = Math.max(...heads.map((line) => line.lastIndexOf(' Name')), 0);
  const named = ({ name }: ChosenFunction): string => `${' '.repeat(offset + 1)}${name}`;
  const last = state.fragment.at(-1);
  const isUsed = callers.length > 0;
  const titled = (text: string): string => (offset === 0 ? text : `${'='.repeat(offset)} ${text}`);
  const { metric } = state.sorting;
  return `${[
    `Callers and callees sorted by metric: ${titleIn(metric, 'a')}`,
    '',
    ...heads,
    titled(callers.length > 0 ? 'Callers' : 'No Callers'),
    ...[...callers].sort(bySort).map((each) => rowLine(shape, each)),
    '',
    titled('Stack Fragment'),
    ...state.fragment.slice(0, -1).map(named),
    isUsed || last === undefined ? rowLine(shape, own) : named(last),
    '',
    titled(callees.length > 0 ? 'Callees' : 'No Callees'),
    ...[...callees].sort(bySort).map((each) => rowLine(shape, each)),
  ].join('\n')}\n\n`;
}

/** What is around each function. */
class Surroundings {
  readonly #state: PrintState;
  readonly #asked: Asked;
  readonly #functions: Int32Array;
  readonly #parent: Int32Array;
  readonly #used: Uint8Array;
  readonly #columns: readonly ShownMetric[];
  /** By column; those of facts are empty. */
  readonly #byStack: readonly Float64Array[];
  readonly #profile: Awaited<ReturnType<Asked['profile']>>;

  static async of(asked: Asked, state: PrintState, columns: readonly ShownMetric[]): Promise<Surroundings> {
    const byStack: Float64Array[] = [];
    for (const { base, flavour } of columns)
      byStack.push(flavour === undefined ? new Float64Array(0) : await asked.byStack(base));
    return new Surroundings({
      asked,
      state,
      profile: await asked.profile(),
      used: await asked.used(),
      columns,
      byStack,
    });
  }

  private constructor({
    asked,
    state,
    profile,
    used,
    columns,
    byStack,
  }: {
    readonly asked: Asked;
    readonly state: PrintState;
    readonly profile: Awaited<ReturnType<Asked['profile']>>;
    readonly used: Uint8Array;
    readonly columns: readonly ShownMetric[];
    readonly byStack: readonly Float64Array[];
  }) {
    this.#asked = asked;
    this.#state = state;
    this.#profile = profile;
    this.#used = used;
    this.#columns = columns;
    this.#byStack = byStack;
    const { program } = asked.experiment;
    this.#parent = profile.stacks.parent;
    this.#functions = profile.stacks.location.map((location) => program.locations.function[location]);
  }

  /** What is around a chain of functions that call each other, outermost first; `<Total>` alone is -1. */
  around(fragment: readonly number[]): {
    readonly callers: readonly Neighbour[];
    readonly callees: readonly Neighbour[];
    readonly own: Row;
    readonly wholes: readonly number[];
  } {
    const id = fragment.at(-1) ?? -1;
    const neighbours = this.#neighbours(fragment);
    const values = this.#byStack.map((byStack) => (id === -1 ? this.#ofTotal(byStack) : this.#of(fragment, byStack)));
    const row = (of: number, side: 'callers' | 'callees'): Neighbour => ({
      id: of,
      name: this.name(of),
      values: values.map((each, i) => this.#fact(i, of) ?? each[side].get(of) ?? 0),
    });
    return {
      callers: [...neighbours.callers].map((of) => row(of, 'callers')),
      callees: [...neighbours.callees].map((of) => row(of, 'callees')),
      own: { name: this.name(id), values: values.map(({ self }, i) => this.#fact(i, id) ?? self) },
      wholes: values.map(({ whole }) => whole),
    };
  }

  /** A function with what static columns show of it, and 0 elsewhere. */
  facts(id: number): Row {
    return { name: this.name(id), values: this.#columns.map((_, i) => this.#fact(i, id) ?? 0) };
  }

  /** The text of a column that shows a fact of functions; undefined for other columns. */
  #fact(column: number, id: number): string | undefined {
    const metric = this.#columns[column];
    if (metric?.flavour !== undefined || metric === undefined) return undefined;
    return factText(metric, id < 0 ? TOTAL_FACTS : factsOf(this.#asked.experiment.functions[id]));
  }

  name(id: number): string {
    return nameIn(this.#state, this.#asked.experiment.functions[id] ?? TOTAL);
  }

  #neighbours(fragment: readonly number[]): { readonly callers: Set<number>; readonly callees: Set<number> } {
    const [callers, callees] = [new Set<number>(), new Set<number>()];
    for (let stack = 0; stack < this.#parent.length; stack++) {
      if (this.#used[stack] === 0) continue;
      const top = this.#outermost(stack, fragment);
      if (top >= 0) callers.add(this.#parent[top] < 0 ? -1 : this.#functions[this.#parent[top]]);
      const isBelow =
        this.#parent[stack] < 0 ? fragment[0] === -1 : this.#outermost(this.#parent[stack], fragment) >= 0;
      if (isBelow) callees.add(this.#functions[stack]);
    }
    return { callers, callees };
  }

  /** The outermost frame of the fragment that ends at a stack, -1 if none does. */
  #outermost(stack: number, fragment: readonly number[]): number {
    let at = stack;
    for (let i = fragment.length - 1; i >= 0; i--) {
      if (at < 0 || this.#functions[at] !== fragment[i]) return -1;
      if (i > 0) at = this.#parent[at];
    }
    return at;
  }

  #of(fragment: readonly number[], byStack: Float64Array): Around {
    const chosen = fragment.map((id) => {
      const mask = new Uint8Array(this.#asked.experiment.functions.length);
      mask[id] = 1;
      return mask;
    });
    const { callers, callees, inclusive, exclusive } = attributedAround(
      this.#profile.stacks,
      this.#functions,
      byStack,
      chosen,
    );
    return { callers, callees, self: exclusive, whole: inclusive };
  }

  #ofTotal(byStack: Float64Array): Around {
    const callees = new Map<number, number>();
    const root = Int32Array.from(this.#functions);
    let sum = 0;
    for (let stack = 0; stack < byStack.length; stack++) {
      const parent = this.#parent[stack];
      if (parent >= 0) root[stack] = root[parent];
      sum += byStack[stack];
      callees.set(root[stack], (callees.get(root[stack]) ?? 0) + byStack[stack]);
    }
    return { callers: new Map(), callees, self: sum, whole: sum };
  }
}
