/** A table of functions that makes only the rows that can be seen: a hundred thousand cost as much as thirty. */
import { formatCount } from '../../../src/base/units.js';
import { button, element } from '../../shared/dom.js';
import { NameButtons } from './name-button.js';
import type { PictureValues } from './values.js';

const ROW_HEIGHT = 22;
/** Rows made beyond either edge. */
const BEYOND = 6;
const KEYS = ['name', 'self', 'total'] as const;
type Key = (typeof KEYS)[number];
const TITLES: Readonly<Record<Key, string>> = { name: 'Function', self: 'Self', total: 'Total' };

export class FunctionTable {
  readonly element: HTMLElement;
  readonly #choose: (id: number) => void;
  readonly #names = new NameButtons();
  readonly #input = element('input', { type: 'search', spellcheck: 'false', autocomplete: 'off' });
  readonly #status = element('span', { role: 'status', class: 'page-quiet' });
  readonly #heads = element('div', { role: 'row', class: 'function-row function-heads' });
  readonly #rows = element('div', { role: 'rowgroup', class: 'function-rows' });
  readonly #scroller: HTMLElement;
  readonly #table: HTMLElement;
  #values: PictureValues | undefined;
  #order = new Int32Array();
  #sort: Key = 'self';
  #isDown = true;
  #selected = -1;

  /** `choose` gets the function of a row that was pressed. */
  constructor(choose: (id: number) => void) {
    this.#choose = choose;
    this.#table = element(
      'div',
      { role: 'table', 'aria-label': 'Functions', class: 'function-table' },
      element('div', { role: 'rowgroup' }, this.#heads),
      this.#rows,
    );
    this.#scroller = element(
      'div',
      { class: 'function-scroller', tabindex: '0', role: 'region', 'aria-label': 'Functions' },
      this.#table,
    );
    this.element = element(
      'section',
      { class: 'function-section' },
      element('label', {}, 'Filter functions ', this.#input),
      this.#status,
      this.#scroller,
    );
    this.#input.addEventListener('input', () => this.#arrange());
    this.#scroller.addEventListener('scroll', () => this.#fill());
    new ResizeObserver(() => this.#fill()).observe(this.#scroller);
  }

  show(values: PictureValues): void {
    this.#values = values;
    if (!this.#keys.includes(this.#sort)) this.#sort = 'self';
    this.#arrange();
  }

  select(id: number): void {
    this.#selected = id;
    this.#fill();
  }

  /** Width of a column of values, in pixels; once there are functions. */
  get valueWidth(): number {
    return this.#heads.lastElementChild?.clientWidth ?? 0;
  }

  #arrange(): void {
    const values = this.#values;
    if (values === undefined) return;
    const { names, self, total } = values;
    const wanted = this.#input.value.toLocaleLowerCase();
    const order = self.map((_, id) => id);
    const found = order
      .filter((id) => self[id] !== 0 || (total !== undefined && total[id] !== 0))
      .filter((id) => names[id]?.toLocaleLowerCase().includes(wanted) === true);
    const by = (this.#sort === 'total' ? total : undefined) ?? self;
    const side = this.#isDown ? -1 : 1;
    const compare = (a: number, b: number): number => ((names[a] ?? '') < (names[b] ?? '') ? -1 : 1);
    found.sort((a, b) => (this.#sort === 'name' ? side * compare(a, b) : side * (by[a] - by[b]) || compare(a, b)));
    this.#order = Int32Array.from(found);
    this.#status.textContent = ` ${formatCount(found.length)} of ${formatCount(names.length)}`;
    this.#table.setAttribute('aria-rowcount', String(found.length + 1));
    this.#rows.style.height = `${found.length * ROW_HEIGHT}px`;
    this.#showHeads();
    this.#scroller.scrollTop = 0;
    this.#fill();
  }

  /** The columns: metrics that do not add up along stacks have no total. */
  get #keys(): readonly Key[] {
    return this.#values?.total === undefined ? KEYS.filter((key) => key !== 'total') : KEYS;
  }

  #showHeads(): void {
    this.#heads.replaceChildren(
      ...this.#keys.map((key) => {
        const isSorted = key === this.#sort;
        const press = button(TITLES[key], `Sort by ${TITLES[key].toLowerCase()}`, () => this.#sortBy(key));
        const sort = isSorted ? (this.#isDown ? 'descending' : 'ascending') : 'none';
        return element('span', { role: 'columnheader', 'aria-sort': sort }, press);
      }),
    );
  }

  #sortBy(key: Key): void {
    this.#isDown = key === this.#sort ? !this.#isDown : key !== 'name';
    this.#sort = key;
    this.#arrange();
    this.#heads.querySelectorAll('button')[this.#keys.indexOf(key)]?.focus();
  }

  /** Makes the rows in view. */
  #fill(): void {
    const values = this.#values;
    if (values === undefined) return;
    const first = Math.max(0, Math.floor(this.#scroller.scrollTop / ROW_HEIGHT) - BEYOND);
    const end = Math.min(
      this.#order.length,
      Math.ceil((this.#scroller.scrollTop + this.#scroller.clientHeight) / ROW_HEIGHT) + BEYOND,
    );
    this.#names.measureIn(this.#scroller);
    const width = this.#heads.firstElementChild?.clientWidth ?? 0;
    const rows: HTMLElement[] = [];
    for (let at = first; at < end; at++) rows.push(this.#row(values, at, width));
    const focused = document.activeElement?.closest('.function-rows [aria-rowindex]')?.getAttribute('aria-rowindex');
    this.#rows.replaceChildren(...rows);
    const again = this.#rows.querySelector<HTMLElement>(`[aria-rowindex="${focused}"] button`);
    again?.focus({ preventScroll: true });
  }

  #row({ names, packages, self, total, text }: PictureValues, at: number, width: number): HTMLElement {
    const id = this.#order[at];
    const cell = (value: number): HTMLElement =>
      element('span', { role: 'cell', class: 'function-value' }, text(value));
    const name = this.#names.of(names[id] ?? '', packages[id] ?? '', width, () => this.#choose(id));
    const row = element(
      'div',
      {
        role: 'row',
        class: 'function-row',
        'aria-rowindex': String(at + 2),
        ...(id === this.#selected ? { 'data-selected': '' } : {}),
      },
      element('span', { role: 'cell', class: 'function-name' }, name),
      cell(self[id]),
      ...(total === undefined ? [] : [cell(total[id])]),
    );
    row.style.top = `${at * ROW_HEIGHT}px`;
    return row;
  }
}
