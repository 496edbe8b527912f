/**
 * A listing as a grid. Rows are asked for page by page as they come into view, and only those in view are elements. Browsers limit the height of
 * an element (16 million pixels in Firefox): the scroll position of a longer listing is scaled.
 */
import { Component, type ComponentChildren } from 'preact';
import { isText, peopleCell, type ResultRow } from '../../src/pictures/cells.js';
import type { ResultColumn } from '../../src/views/listing.js';

export const ROW_HEIGHT = 22;
const MOST_PIXELS = 8_000_000;
/** Rows beyond both ends of the view that are elements, too. */
const MARGIN = 6;
/** Characters that a column of texts has at least, and asks for at most. */
const LEAST_TEXT = 12;
const MOST_TEXT = 110;

export interface ListingProps {
  readonly label: string;
  readonly columns: readonly ResultColumn[];
  /** The first ones. */
  readonly rows: readonly ResultRow[];
  readonly total: number;
  readonly pageRows: number;
  /** Gets further rows; undefined if all that can be asked for are there. */
  readonly more: ((offset: number, signal: AbortSignal) => Promise<readonly ResultRow[]>) | undefined;
  readonly sort?: string | undefined;
  /** Undefined if the order is fixed. */
  readonly sortBy: ((column: string | undefined) => void) | undefined;
  readonly focus: (row: ResultRow) => void;
}

interface ListingState {
  readonly top: number;
  readonly height: number;
  readonly focused: number;
  readonly loaded: number;
}

export class Listing extends Component<ListingProps, ListingState> {
  override state: ListingState = { top: 0, height: 400, focused: 0, loaded: 0 };
  readonly #pages = new Map<number, readonly ResultRow[]>();
  readonly #asked = new Set<number>();
  readonly #controller = new AbortController();
  #scroller: HTMLElement | null = null;
  #resized: ResizeObserver | undefined;
  /** Characters of the widest cell of each column so far. */
  #widths: number[] = [];

  override componentDidMount(): void {
    const scroller = this.#scroller;
    if (scroller === null) return;
    this.#resized = new ResizeObserver(() => this.setState({ height: scroller.clientHeight }));
    this.#resized.observe(scroller);
  }

  override componentWillUnmount(): void {
    this.#controller.abort();
    this.#resized?.disconnect();
  }

  #count(): number {
    const { total, rows, more } = this.props;
    return more === undefined ? rows.length : Math.max(total, rows.length);
  }

  #row(place: number): ResultRow | undefined {
    const { rows, pageRows } = this.props;
    if (place < rows.length) return rows[place];
    return this.#pages.get(Math.floor(place / pageRows))?.[place % pageRows];
  }

  #load(first: number, end: number): void {
    const { more, pageRows, rows } = this.props;
    if (more === undefined) return;
    for (let page = Math.floor(first / pageRows); page * pageRows < end; page++) {
      if ((page + 1) * pageRows <= rows.length || this.#asked.has(page)) continue;
      this.#asked.add(page);
      more(page * pageRows, this.#controller.signal)
        .then((loaded) => {
          this.#pages.set(page, loaded);
          this.setState(({ loaded: before }) => ({ loaded: before + 1 }));
        })
        .catch(() => this.#asked.delete(page));
    }
  }

  /** Pixels of the scrolled element, and how many rows' pixels one of them stands for. */
  #scale(): { readonly pixels: number; readonly factor: number } {
    const whole = (this.#count() + 1) * ROW_HEIGHT;
    const { height } = this.state;
    const pixels = Math.min(whole, MOST_PIXELS);
    return { pixels, factor: pixels <= height ? 1 : Math.max(1, (whole - height) / (pixels - height)) };
  }

  #focusRow(place: number): void {
    const count = this.#count();
    const focused = Math.max(0, Math.min(count - 1, place));
    const { height, top } = this.state;
    const { factor } = this.#scale();
    const inView = height - 2 * ROW_HEIGHT;
    const viewTop = top * factor;
    const at = focused * ROW_HEIGHT;
    const newTop = at < viewTop ? at : at > viewTop + inView ? at - inView : viewTop;
    if (newTop !== viewTop && this.#scroller !== null) this.#scroller.scrollTop = newTop / factor;
    this.setState({ focused });
    const row = this.#row(focused);
    if (row !== undefined) this.props.focus(row);
  }

  #key(event: KeyboardEvent): void {
    // Enter on the head of a column is for its button.
    if (event.target !== this.#scroller) return;
    const { focused, height } = this.state;
    const step = Math.max(1, Math.floor(height / ROW_HEIGHT) - 2);
    const places: Readonly<Record<string, number>> = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      PageDown: focused + step,
      PageUp: focused - step,
      Home: 0,
      End: this.#count() - 1,
      Enter: focused,
    };
    const place = places[event.key];
    if (place === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#focusRow(place);
  }

  override render({ label, columns, sort, sortBy }: ListingProps, { top, height, focused }: ListingState) {
    const count = this.#count();
    const { pixels, factor } = this.#scale();
    const first = Math.max(0, Math.floor((top * factor) / ROW_HEIGHT) - MARGIN);
    const end = Math.min(count, first + Math.ceil(height / ROW_HEIGHT) + 2 * MARGIN);
    this.#load(first, end);
    const cells = Array.from({ length: end - first }, (_, i) => {
      const row = this.#row(first + i);
      return row === undefined ? undefined : columns.map((column) => peopleCell(row, column));
    });
    const template = this.#template(cells);
    const offset = first * ROW_HEIGHT - top * factor + top;
    return (
      <div
        class="app-grid"
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length}
        tabIndex={0}
        aria-activedescendant={focused >= first && focused < end ? `row-${focused}` : undefined}
        onKeyDown={(event) => this.#key(event)}
        onScroll={(event) => this.setState({ top: event.currentTarget.scrollTop })}
        ref={(scroller) => {
          this.#scroller = scroller;
        }}
      >
        <div class="app-grid-room" style={{ height: `${pixels}px` }}>
          <div class="app-grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
            {columns.map((column) => headCell(column, sort, sortBy))}
          </div>
          <div class="app-grid-rows" role="rowgroup" style={{ transform: `translateY(${offset}px)` }}>
            {cells.map((texts, i) => {
              const place = first + i;
              return (
                <div
                  key={place}
                  id={`row-${place}`}
                  role="row"
                  aria-rowindex={place + 2}
                  aria-selected={place === focused}
                  class="app-grid-row"
                  style={{ gridTemplateColumns: template }}
                  onClick={() => this.#focusRow(place)}
                >
                  {columns.map((column, k) => bodyCell(column, texts?.[k]))}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    );
  }

  /** Numbers have the room that they need, texts share the rest. */
  #template(cells: readonly (readonly string[] | undefined)[]): string {
    const { columns } = this.props;
    this.#widths = columns.map(({ title }, k) =>
      cells.reduce(
        (most, texts) => Math.max(most, texts?.[k]?.length ?? 0),
        Math.max(this.#widths[k] ?? 0, title.length + 2),
      ),
    );
    return columns
      .map(({ unit }, k) => {
        const width = this.#widths[k] ?? 0;
        return isText(unit)
          ? `minmax(${Math.min(width, LEAST_TEXT)}ch, ${Math.min(width, MOST_TEXT)}fr)`
          : `${width}ch`;
      })
      .join(' ');
  }
}

function headCell({ key, title, unit }: ResultColumn, sort: string | undefined, sortBy: ListingProps['sortBy']) {
  const isSorted = sort === key || sort === `-${key}`;
  const isReversed = sort?.startsWith('-') === true;
  const order = !isSorted ? 'none' : isText(unit) === isReversed ? 'descending' : 'ascending';
  const next = !isSorted ? key : isReversed ? undefined : `-${key}`;
  return (
    <div key={key} role="columnheader" aria-sort={order} class={isText(unit) ? 'app-text' : 'app-number'}>
      {sortBy === undefined ? (
        title
      ) : (
        <button type="button" class="app-sort" title={`Sort by ${title}`} onClick={() => sortBy(next)}>
          {title}
          {isSorted ? (order === 'descending' ? ' ▾' : ' ▴') : ''}
        </button>
      )}
    </div>
  );
}

function bodyCell({ key, unit }: ResultColumn, text: string | undefined): ComponentChildren {
  return (
    <div
      key={key}
      role="gridcell"
      class={isText(unit) ? 'app-text' : 'app-number'}
      title={isText(unit) ? text : undefined}
    >
      {text ?? '…'}
    </div>
  );
}
