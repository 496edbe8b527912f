/** The page around a flame graph: the choice of picture, its notes, the panel beside it, and the state in its address. */
import { plainNotes } from '../../../src/base/note.js';
import { shellLine } from '../../../src/base/parsing/shell-word.js';
import type { FlameResult } from '../../../src/pictures/flame/picture.js';
import { button, chooser, element } from '../../shared/dom.js';
import { Address, type Fragment, readFragment } from '../../shared/fragment.js';
import { canvasImage, copyText, fileName, saveFile } from '../../shared/save.js';
import { ORDERS, type Order } from '../bar.js';
import { FlameGraph } from '../flame.js';
import type { GraphState } from '../graph-state.js';
import { Side } from '../panels/side.js';
import { isCountable } from '../panels/values.js';
import { ThreadChooser } from './thread-chooser.js';
import { type Carried, type Choice, type Variant, Variants } from './variants.js';

export class Page {
  readonly #variants: Variants;
  readonly #carried: Carried;
  readonly #usual: Choice;
  readonly #host = element('div', { class: 'page-picture' });
  readonly #notes = element('ul', { class: 'page-notes', 'aria-label': 'Notes' });
  readonly #choices = element('div', { class: 'page-choices' });
  readonly #status = element('p', { class: 'page-status', role: 'status' });
  readonly #side: Side;
  readonly #threads: ThreadChooser;
  readonly #toggle: HTMLButtonElement;
  readonly #address: Address;
  #choice: Choice;
  #order: Order = 'name';
  #graph: FlameGraph | undefined;
  #shown: FlameResult | undefined;

  constructor(carried: Carried, first: FlameResult) {
    this.#carried = carried;
    this.#variants = new Variants(carried);
    const inverted = carried.inverted ?? first.inverted;
    this.#usual = { metric: first.metric.id, inverted, thread: undefined, inTime: false };
    this.#choice = this.#usual;
    this.#side = new Side((id) => {
      this.#graph?.select(id);
      this.#side.select(id);
    });
    const names = this.#variants.metrics.flatMap(([id]) => this.#variants.threads(id));
    this.#threads = new ThreadChooser(names, (thread) => this.#chooseThreads(thread));
    this.#toggle = button('Functions', 'Functions, callers and callees', () => this.#openSide(!this.#side.isOpen));
    const compared = first.base === null ? '' : ` compared with ${first.base.recording}`;
    document.body.replaceChildren(
      element(
        'header',
        {},
        element('h1', {}, 'Flame graph'),
        element('p', { class: 'page-recording' }, element('bdi', {}, first.recording), compared),
        this.#choices,
        this.#threads.element,
        ...this.#buttons(),
      ),
      element(
        'main',
        {},
        this.#notes,
        this.#status,
        element('div', { class: 'page-panels' }, this.#host, this.#side.element),
      ),
    );
    this.#address = new Address((fragment) => this.#restore(fragment));
    this.#restore(readFragment());
  }

  #buttons(): HTMLElement[] {
    this.#toggle.setAttribute('aria-expanded', 'false');
    return [
      this.#toggle,
      button('Copy name', 'Copy name of the function', () => void this.#copy()),
      button('Copy command', 'Copy command with the numbers of this graph', () => void this.#copyCommand()),
      button('PNG', 'Save as PNG', () => void this.#savePng()),
      button('SVG', 'Save as SVG', () => this.#saveSvg()),
    ];
  }

  #openSide(isOpen: boolean): void {
    this.#side.open(isOpen);
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
  }

  async #copy(): Promise<void> {
    const name = this.#shown?.functions.name[this.#graph?.focusedFunction ?? -1];
    if (name === undefined) this.#say('Select a function first.');
    else await this.#copyWords(name);
  }

  /** The command whose numbers are those of the graph. */
  async #copyCommand(): Promise<void> {
    if (this.#shown === undefined) return;
    const { recording, base, metric } = this.#shown;
    const { thread } = this.#choice;
    await this.#copyWords(
      shellLine([
        ...['kansoku', 'functions', recording, ...(base === null ? [] : ['--base', base.recording])],
        ...['--metric', metric.id, ...(this.#carried.scopeWords ?? [])],
        ...(thread === undefined ? [] : ['--thread', thread]),
      ]),
    );
  }

  async #copyWords(words: string): Promise<void> {
    this.#say((await copyText(words)) ? `Copied: ${words}` : 'This browser does not allow copying.');
  }

  async #savePng(): Promise<void> {
    if (this.#graph === undefined || this.#shown === undefined) return;
    saveFile(await canvasImage(this.#graph.canvas), fileName(this.#shown.recording, 'png'));
  }

  #saveSvg(): void {
    if (this.#graph === undefined || this.#shown === undefined) return;
    const svg = new Blob(
      [this.#graph.svg({ recording: this.#shown.recording, notes: plainNotes(this.#shown.notes) })],
      { type: 'image/svg+xml' },
    );
    saveFile(svg, fileName(this.#shown.recording, 'svg'));
  }

  #say(text: string, ...more: readonly HTMLElement[]): void {
    this.#status.replaceChildren(text, ...more);
  }

  /** Shows what an address says, without a step back from it: what does not fit in it is replaced. */
  #restore(fragment: Fragment): void {
    const metric = this.#variants.metrics.some(([id]) => id === fragment.metric) ? fragment.metric : undefined;
    const inverted = fragment.view === undefined ? this.#usual.inverted : fragment.view === 'inverted';
    const chosen = metric ?? this.#usual.metric;
    this.#order = ORDERS.find((one) => one === fragment.order) ?? 'name';
    this.#choose(
      { metric: chosen, inverted, thread: fragment.thread, inTime: this.#order === 'time' },
      fragment,
      false,
    );
  }

  /** Shows the threads that a pattern means; one that means none stays in its field, with the reason. */
  #chooseThreads(thread: string | undefined): void {
    const refusal = thread === undefined ? undefined : this.#variants.refusal(this.#choice.metric, thread);
    if (refusal === undefined) this.#choose({ ...this.#choice, thread }, this.#kept());
    else {
      this.#threads.refuse();
      this.#say(refusal);
    }
  }

  /** Shows a graph, now or when it is made, with the state of the one before or a given one. */
  #choose(wanted: Choice, state: GraphState, isStep = true): void {
    const choice = this.#possible(wanted);
    if (this.#order === 'time' && !choice.inTime) this.#order = 'name';
    this.#variants.cancel();
    this.#say(
      choice.thread === wanted.thread ? '' : `All threads are shown: none of this metric matches ${wanted.thread}.`,
    );
    if (!isStep && this.#graph !== undefined && this.#isShown(choice)) {
      this.#graph.restore(state);
      this.#write(false);
      return;
    }
    try {
      const variant = this.#variants.at(choice);
      if (variant !== undefined) this.#show(choice, variant, state, isStep);
      else this.#make(choice, state, isStep);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Whether the graph in view is of this choice and order: its focus stays where it is. */
  #isShown({ metric, inverted, thread, inTime }: Choice): boolean {
    const now = this.#choice;
    const isSame = now.metric === metric && now.inverted === inverted && now.thread === thread && now.inTime === inTime;
    return isSame && (this.#graph?.state.order ?? 'name') === this.#order;
  }

  #make(choice: Choice, state: GraphState, isStep: boolean): void {
    const stop = (): void => {
      this.#variants.cancel();
      this.#say('');
      this.#showChoices();
    };
    const what = choice.inTime ? 'the order of time' : choice.inverted ? 'the inverted graph' : 'the graph';
    const progress = element('progress', { 'aria-label': `Making ${what}` });
    this.#say(`Making ${what} … `, progress, button('Cancel', 'Cancel', stop));
    this.#variants.make(choice).then(
      (variant) => {
        this.#say('');
        this.#show(choice, variant, state, isStep);
      },
      (error: unknown) => this.#fail(error),
    );
  }

  #fail(error: unknown): void {
    this.#say(`Not possible: ${error instanceof Error ? error.message : String(error)}`);
    this.#showChoices();
  }

  /** The choice without what its metric does not have. */
  #possible(choice: Choice): Choice {
    const ways = this.#variants.ways(choice.metric);
    const inTime = choice.inTime && this.#variants.hasTime(choice.metric);
    const inverted = ways.includes(choice.inverted && !inTime) ? choice.inverted && !inTime : ways[0] === true;
    const { thread } = choice;
    const hasThreads = thread !== undefined && this.#variants.refusal(choice.metric, thread) === undefined;
    return { ...choice, inverted, inTime, thread: hasThreads ? thread : undefined };
  }

  #show(choice: Choice, { result, picture }: Variant, state: GraphState, isStep: boolean): void {
    this.#choice = choice;
    this.#shown = result;
    const notes = [...plainNotes(result.notes), ...(this.#carried.omitted ?? [])];
    this.#notes.replaceChildren(...notes.map((note) => element('li', {}, note)));
    this.#graph?.remove();
    const orders = ORDERS.filter(
      (one) => one !== 'time' || (this.#variants.hasTime(choice.metric) && !choice.inverted),
    );
    const graph = new FlameGraph(this.#host, picture, {
      order: this.#order,
      orders,
      reorder: (order) => this.#reorder(order),
      changed: (isStep) => this.#write(isStep),
      focused: () => this.#side.select(graph.focusedFunction),
    });
    this.#graph = undefined;
    graph.restore(state);
    this.#graph = graph;
    globalThis.kansokuFlame = graph;
    this.#showChoices();
    this.#showSide(choice, result);
    this.#write(isStep);
  }

  /** Functions are counted in a whole graph, from the roots if values add up; without it, there is no panel. */
  #showSide(choice: Choice, result: FlameResult): void {
    const { metric, inverted, inTime, thread } = choice;
    const fromRoots = { ...choice, inverted: false, inTime: false };
    const isFromRoots = !inverted && !inTime;
    const whole = thread === undefined ? this.#variants.source(metric) : undefined;
    const of = isFromRoots ? result : (whole ?? this.#variants.at(fromRoots)?.result);
    const counted = [of, result].find((one) => one !== undefined && isCountable(one));
    this.#toggle.disabled = counted === undefined;
    if (counted === undefined) this.#openSide(false);
    this.#side.show(counted);
  }

  #reorder(order: Order): void {
    this.#order = order;
    this.#choose({ ...this.#choice, inTime: order === 'time' }, this.#kept());
  }

  /** What stays when another graph is shown: nodes are others there. */
  #kept(): GraphState {
    const { search, expression, colour } = this.#graph?.state ?? {};
    return Object.fromEntries(
      Object.entries({ search, expression, colour }).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, value]],
      ),
    );
  }

  #write(isStep: boolean): void {
    if (this.#graph === undefined) return;
    const { metric, inverted, thread } = this.#choice;
    const fragment: Fragment = {
      ...(metric === this.#usual.metric ? {} : { metric }),
      ...(inverted === this.#usual.inverted ? {} : { view: inverted ? 'inverted' : 'top-down' }),
      ...(thread === undefined ? {} : { thread: thread }),
      ...this.#graph.state,
    };
    this.#address.write(fragment, isStep);
  }

  /** Choosers with several options; a single option is shown as text. */
  #showChoices(): void {
    const { metric, inverted, thread } = this.#choice;
    const { metrics } = this.#variants;
    const threads = this.#variants.threads(metric);
    const ways = this.#variants.ways(metric);
    const wayName = (way: boolean): string => (way ? 'inverted' : 'top-down');
    const change = (choice: Partial<Choice>): void => this.#choose({ ...this.#choice, ...choice }, this.#kept());
    const metricChooser =
      metrics.length > 1
        ? chooser('Metric', metrics, metric, (id) => change({ metric: id }))
        : element('span', {}, `Metric: ${metrics.map(([, title]) => title).join()}`);
    const wayChooser =
      ways.length > 1
        ? chooser(
            'View',
            ways.map((way) => [String(way), wayName(way)] as const),
            String(inverted),
            (way) => change({ inverted: way === 'true', inTime: false }),
          )
        : element('span', {}, `View: ${ways.map(wayName).join()}`);
    this.#choices.replaceChildren(metricChooser, wayChooser);
    this.#threads.show(threads, thread);
  }
}
