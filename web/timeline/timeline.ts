/**
 * The timeline: one component on a canvas, without a framework.
 *
 *   bar      search of tracks, selection, zoom
 *   view     canvas (role application: it takes the keyboard), in a box that scrolls
 *   legend, keys, details
 *
 * The state is the window of time, the tracks that a search leaves, the focused track with what the keyboard stands on, and the selection.
 */
import { formatCount, plural } from '../../src/base/units.js';
import { element } from '../shared/dom.js';
import { colourList, showFacts } from '../shared/facts.js';
import { listenToPointer, takesKey } from '../shared/input.js';
import { Bar } from './bar.js';
import type { TimelineModel, TrackModel } from './model.js';
import { AXIS, Surface, THEMES } from './surface.js';
import { THREAD_ORDERS, type ThreadOrder, tracksInView } from './track-order.js';
import { TrackRows } from './track-rows.js';
import { moved, readSpan, selectionText, spanText, stretched, type TimeWindow } from './viewport.js';
import { factsOf, neighbour, rowsIn } from './words.js';

/** What of the state differs from that at the start, as texts by key. */
export type TimelineState = Readonly<Record<string, string>>;

const KEYS =
  'Up and Down move between tracks, Left and Right along them, Enter zooms, + and - too, [ and ] select, Escape goes back, / searches.';
const DARK = '(prefers-color-scheme: dark)';
/** Of the window, for a step of the keyboard. */
const PAN = 0.25;
const ZOOM = 0.5;

export class Timeline {
  readonly #model: TimelineModel;
  readonly #changed: (isStep: boolean) => void;
  readonly #surface: Surface;
  readonly #bar: Bar;
  readonly #scroller: HTMLElement;
  readonly #room = element('div', { class: 'timeline-room' });
  readonly #details = element('dl', { class: 'page-details', 'aria-label': 'Details' });
  readonly #live = element('div', { class: 'page-unseen', 'aria-live': 'polite' });
  readonly #scheme = matchMedia(DARK);
  #window: TimeWindow;
  #rows: TrackRows;
  #search = '';
  #order: ThreadOrder = 'events';
  #focused = 0;
  #at: TimeWindow | undefined;
  #selected: TimeWindow | undefined;
  #hover: { readonly x: number; readonly track: number } | undefined;

  /** Fills `host`. `flameWords` begin the command for a flame graph. `changed` is called when the state changed; a step has an entry in the browser's history. */
  constructor(
    host: HTMLElement,
    model: TimelineModel,
    flameWords: readonly string[],
    changed: (isStep: boolean) => void,
  ) {
    this.#model = model;
    this.#changed = changed;
    this.#window = model;
    this.#rows = new TrackRows(model, tracksInView(model, '', 'events'));
    const help = element('p', { class: 'page-keys', id: 'page-keys' }, KEYS);
    const label = `Timeline of ${plural(model.tracks.length, 'track')}`;
    const attributes = { role: 'application', tabindex: '0', 'aria-label': label, 'aria-describedby': help.id };
    this.#surface = new Surface(model, attributes, () => ({
      window: this.#window,
      rows: this.#rows,
      scroll: this.#scroller.scrollTop,
      theme: THEMES[this.#scheme.matches ? 'dark' : 'light'],
      focused: this.#focused,
      at: this.#at,
      selected: this.#selected,
      hover: this.#hover?.x,
    }));
    this.#scroller = element('div', { class: 'timeline-scroller' }, this.#room);
    this.#room.append(this.#surface.canvas);
    this.#bar = new Bar(flameWords, {
      search: (text) => this.#find(text),
      order: (order) => this.#sort(order),
      zoom: () => this.#selected !== undefined && this.#show(this.#selected, true),
      reset: () => this.#show(model, true),
      leave: () => this.focus(),
    });
    const foot = element('div', { class: 'page-foot' }, colourList(coloursOf(model)), help);
    const view = element('div', { class: 'page-view' }, this.#scroller);
    host.replaceChildren(this.#bar.element, view, foot, this.#details, this.#live);
    this.#listen();
    this.#fitRoom();
    new ResizeObserver(() => this.#resize()).observe(view);
    this.#resize();
    this.#changedView(false);
  }

  get canvas(): HTMLCanvasElement {
    return this.#surface.canvas;
  }

  get frameTimes() {
    return this.#surface.frameTimes;
  }

  get window(): TimeWindow {
    return this.#window;
  }

  /** Nanoseconds, as the command line reads the shown text; undefined if nothing is selected. */
  get selected(): TimeWindow | undefined {
    return this.#selected;
  }

  get state(): TimelineState {
    const { from, to } = this.#window;
    const isWhole = from <= this.#model.from && to >= this.#model.to;
    return {
      ...(isWhole ? {} : { time: spanText(this.#window) }),
      ...(this.#selected === undefined ? {} : { select: spanText(this.#selected) }),
      ...(this.#search === '' ? {} : { search: this.#search }),
      ...(this.#order === 'events' ? {} : { order: this.#order }),
      ...(this.#focused <= 0 ? {} : { track: this.#model.tracks[this.#focused]?.name ?? '' }),
    };
  }

  restore(state: TimelineState): void {
    const { from, to } = readSpan(state.time) ?? this.#model;
    this.#search = state.search ?? '';
    this.#order = THREAD_ORDERS.find((one) => one === state.order) ?? 'events';
    this.#bar.set(this.#search, this.#order);
    this.#filter();
    const track = this.#model.tracks.findIndex(({ name }) => name === state.track);
    this.#focused = Math.max(0, track);
    this.#selected = readSpan(state.select);
    this.#window = moved(this.#model, from, to - from);
    this.#bar.select(this.#selected && spanText(this.#selected), this.#focusedThread());
    this.#changedView(false);
  }

  focus(): void {
    this.canvas.focus({ preventScroll: true });
  }

  #listen(): void {
    const { canvas } = this;
    document.addEventListener('keydown', (event) => {
      if (!takesKey(event, canvas) || !this.#key(event)) return;
      event.preventDefault();
      if (event.target !== canvas && event.key !== '/') this.focus();
    });
    this.#scheme.addEventListener('change', () => this.#surface.request());
    this.#scroller.addEventListener('scroll', () => this.#surface.request());
    listenToPointer(canvas, {
      hover: (x, y) => this.#point(x, y),
      leave: () => this.#point(-1, -1),
      click: (x, y) => this.#click(x, y),
      drag: (dx, _, { fromX, x, shift }) => {
        if (shift) this.#pan((-dx / this.#surface.plotWidth) * this.#length);
        else if (fromX >= this.#surface.names) this.#select(this.#timeAt(fromX), this.#timeAt(x), false);
      },
      drop: () => this.#changed(true),
      stretch: (x, factor) => this.#show(stretched(this.#model, this.#window, this.#timeAt(x), factor), false),
      wheel: (dx) => dx !== 0 && this.#pan((dx / this.#surface.plotWidth) * this.#length),
    });
  }

  get #length(): number {
    return this.#window.to - this.#window.from;
  }

  #timeAt(x: number): number {
    return this.#surface.timeAt(x - this.#surface.names);
  }

  #trackAt(y: number): number {
    return y < AXIS ? -1 : (this.#rows.tracks[this.#rows.at(y - AXIS + this.#scroller.scrollTop)] ?? -1);
  }

  /** The time of a pixel around a place. */
  #pixelAt(x: number): TimeWindow {
    const pixel = this.#length / this.#surface.plotWidth;
    const from = this.#window.from + Math.floor(x - this.#surface.names) * pixel;
    return { from, to: from + pixel };
  }

  #point(x: number, y: number): void {
    const track = this.#trackAt(y);
    this.#hover = x < this.#surface.names || track < 0 ? undefined : { x: x - this.#surface.names, track };
    this.#showDetails();
    this.#surface.request();
  }

  /** Focuses a track, and what it has at this place. */
  #click(x: number, y: number): void {
    const id = this.#trackAt(y);
    const track = this.#model.tracks[id];
    if (track === undefined) return;
    const part = this.#pixelAt(x);
    this.#at = x < this.#surface.names ? undefined : this.#singleIn(track, part);
    this.#focus(id);
  }

  /** The shortest span that touches a part of the time. */
  #singleIn({ lanes }: TrackModel, part: TimeWindow): TimeWindow | undefined {
    const { from, to } = this.#model.rows;
    let best = -1;
    for (const lane of lanes) {
      const [first, end] = rowsIn(this.#model.rows, lane, part);
      for (let i = first; i < end; i++) if (best < 0 || to[i] - from[i] < to[best] - from[best]) best = i;
    }
    return best < 0 ? undefined : { from: from[best], to: to[best] };
  }

  #key(event: KeyboardEvent): boolean {
    const { key, shiftKey } = event;
    const across = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (across !== 0 && shiftKey) this.#pan(across * PAN * this.#length);
    else if (across !== 0) this.#step(across);
    else if (key === 'ArrowDown' || key === 'ArrowUp') this.#walk(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'PageDown' || key === 'PageUp') this.#walk(key === 'PageDown' ? 10 : -10);
    else if (key === 'Home' || key === 'End') this.#end(key === 'Home' ? 1 : -1);
    else if (key === '+' || key === '=') this.#zoom(ZOOM);
    else if (key === '-') this.#zoom(1 / ZOOM);
    else if (key === 'Enter') this.#enter();
    else if (key === '[' || key === ']') this.#mark(key === '[');
    else if (key === 'Escape') this.#back();
    else if (key === '/') this.#bar.focusSearch();
    else return false;
    return true;
  }

  #walk(rows: number): void {
    const { tracks } = this.#rows;
    const row = tracks.indexOf(this.#focused) + rows;
    const id = tracks[Math.min(tracks.length - 1, Math.max(0, row))];
    if (id === undefined) return;
    if (id !== this.#focused) this.#at = undefined;
    this.#focus(id);
  }

  #focus(id: number): void {
    this.#focused = id;
    this.#hover = undefined;
    const row = this.#rows.tracks.indexOf(id);
    const [top, bottom] = [this.#rows.top(row), this.#rows.top(row + 1)];
    const room = this.#scroller.clientHeight - AXIS;
    const { scrollTop } = this.#scroller;
    if (top < scrollTop) this.#scroller.scrollTop = top;
    else if (bottom > scrollTop + room) this.#scroller.scrollTop = bottom - room;
    this.#bar.select(this.#selected && spanText(this.#selected), this.#focusedThread());
    this.#changedView(false);
    this.#speak();
  }

  /** To what begins next on the focused track, or last before. */
  #step(step: 1 | -1): void {
    const track = this.#model.tracks[this.#focused];
    const start = step > 0 ? this.#window.from - 1 : this.#window.to;
    const next = track && neighbour(this.#model, track, this.#at?.from ?? start, step);
    if (next === undefined) return;
    this.#reach(next);
  }

  #end(step: 1 | -1): void {
    const track = this.#model.tracks[this.#focused];
    const time = step > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const next = track && neighbour(this.#model, track, time, step);
    if (next !== undefined) this.#reach(next);
  }

  #reach(part: TimeWindow): void {
    this.#at = part;
    const { from, to } = this.#window;
    if (part.from < from || part.from > to)
      this.#window = moved(this.#model, (part.from + part.to - (to - from)) / 2, to - from);
    this.#focus(this.#focused);
  }

  #zoom(factor: number): void {
    const { from, to } = this.#at ?? this.#window;
    this.#show(stretched(this.#model, this.#window, (from + to) / 2, factor), false);
  }

  /** Zooms to what the keyboard stands on, with as much on each side, or ten times around a moment; else to the selection. */
  #enter(): void {
    if (this.#at === undefined) {
      if (this.#selected !== undefined) this.#show(this.#selected, true);
      return;
    }
    const { from, to } = this.#at;
    const length = to > from ? to - from : this.#length / 30;
    this.#show(moved(this.#model, (from + to) / 2 - 1.5 * length, 3 * length), true);
  }

  #mark(isStart: boolean): void {
    const at = this.#at ?? this.#window;
    const now = this.#selected ?? this.#window;
    if (isStart) this.#select(at.from, Math.max(now.to, at.to), true);
    else this.#select(Math.min(now.from, at.from), at.to, true);
  }

  #back(): void {
    if (this.#selected === undefined) this.#show(this.#model, true);
    else {
      this.#selected = undefined;
      this.#bar.select(undefined, this.#focusedThread());
      this.#changedView(true);
    }
  }

  /** Selects a time, rounded to what the shown text says. */
  #select(one: number, other: number, isStep: boolean): void {
    const pixel = this.#length / this.#surface.plotWidth;
    const text = selectionText({ from: Math.min(one, other), to: Math.max(one, other) }, pixel);
    this.#selected = readSpan(text);
    this.#bar.select(this.#selected && text, this.#focusedThread());
    this.#changedView(isStep);
  }

  #focusedThread(): string | undefined {
    const track = this.#model.tracks[this.#focused];
    return track?.kind === 'thread' ? track.name : undefined;
  }

  #pan(time: number): boolean {
    const { from } = this.#window;
    this.#show(moved(this.#model, from + time, this.#length), false);
    return this.#window.from !== from;
  }

  #show(window: TimeWindow, isStep: boolean): void {
    this.#window = moved(this.#model, window.from, window.to - window.from);
    this.#changedView(isStep);
  }

  #find(text: string): void {
    this.#search = text;
    this.#filter();
    this.#changedView(false);
  }

  #sort(order: ThreadOrder): void {
    this.#order = order;
    this.#filter();
    this.#changedView(true);
  }

  /** Tracks of threads stay if their name has the text; all others stay. */
  #filter(): void {
    const shownTracks = tracksInView(this.#model, this.#search, this.#order);
    this.#rows = new TrackRows(this.#model, shownTracks);
    const threads = shownTracks.filter((id) => this.#model.tracks[id]?.kind === 'thread').length;
    this.#bar.found(this.#search === '' ? '' : `${formatCount(threads)} found`);
    if (!shownTracks.includes(this.#focused)) this.#focused = shownTracks[0] ?? -1;
    this.#at = undefined;
    this.#hover = undefined;
    this.#fitRoom();
  }

  #fitRoom(): void {
    this.#room.style.height = `${AXIS + this.#rows.height}px`;
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#scroller;
    this.#surface.resize({ width, height });
  }

  #changedView(isStep: boolean): void {
    this.#showDetails();
    this.#surface.request();
    this.#changed(isStep);
  }

  #facts() {
    const track = this.#model.tracks[this.#hover?.track ?? this.#focused];
    if (track === undefined) return [];
    const pixel = this.#length / this.#surface.plotWidth;
    const at =
      this.#at === undefined ? this.#window : { from: this.#at.from, to: Math.max(this.#at.to, this.#at.from + 1) };
    const part = this.#hover === undefined ? at : this.#pixelAt(this.#hover.x + this.#surface.names);
    return factsOf(this.#model, track, { from: part.from, to: Math.max(part.to, part.from + Math.min(pixel, 1)) });
  }

  #showDetails(): void {
    showFacts(this.#details, this.#facts());
  }

  #speak(): void {
    this.#live.textContent = this.#facts()
      .map(({ key, title, text }) => (key === 'name' ? text : `${title} ${text}`))
      .join(', ');
  }
}

/** The colours of states and samples, each once. */
function coloursOf({ tracks }: TimelineModel): (readonly [string, string])[] {
  const colours = new Map<string, string>();
  for (const { lanes } of tracks)
    for (const { measure, words, colour } of lanes) if (measure !== 'value') colours.set(words, colour);
  return [...colours].map(([words, colour]) => [colour, words]);
}
