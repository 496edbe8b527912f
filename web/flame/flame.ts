/**
 * The flame graph: one component on a canvas, without a framework, for the standalone page and for the workbench.
 *
 *   bar      search, colours, order
 *   view     canvas (role application: it takes the keyboard) │ minimap, if not all levels fit
 *   legend, details
 *
 * The state is the viewport, the focused node and the search; a frame is drawn from it when something changed. Memory:
 * 45 bytes per node for the picture, 24 for the layout, 28 for drawing, 4 during a search.
 */
import { formatCount, plural } from '../../src/base/units.js';
import { COLOURINGS, type Colouring, type Theme } from '../../src/pictures/flame/colours.js';
import { type FlameLayout, layout, SIBLING_ORDERS } from '../../src/pictures/flame/layout.js';
import { depthOf, type FlamePicture } from '../../src/pictures/flame/picture.js';
import { heaviestOf, type Stretch, stretchAt } from '../../src/pictures/flame/stretch.js';
import { sentence } from '../../src/pictures/flame/words.js';
import type { Size } from '../shared/canvas.js';
import { element } from '../shared/dom.js';
import type { FrameTimes } from '../shared/frame-times.js';
import { listenToDrag, listenToPointer, takesKey } from '../shared/input.js';
import { Bar, type Order } from './bar.js';
import { Details } from './details.js';
import { type GraphOptions, type GraphState, viewportOf, viewportState } from './graph-state.js';
import { graphSvg } from './graph-svg.js';
import { hiddenChildren, isSeen, WALK_KEYS, walk } from './keyboard.js';
import { legend } from './legend.js';
import { pointed } from './minimap.js';
import { type Painter, painter } from './painter.js';
import { GraphSearch, nextMatch } from './search/search.js';
import { Surface } from './surface.js';
import { panned, ROW, scrolled, scrolledTo, type Viewport, whole, windowOf, zoomTo } from './viewport.js';

/** The legend follows the view after so many milliseconds without a movement. */
const LEGEND_MS = 100;
const DARK = '(prefers-color-scheme: dark)';
const KEYS =
  'Arrow keys move, Enter zooms, Escape resets the zoom, / searches, n and N go to the next and previous match.';

export class FlameGraph {
  readonly #host: HTMLElement;
  readonly #options: GraphOptions;
  #order: Order;
  readonly #picture: FlamePicture;
  readonly #surface: Surface;
  readonly #live = element('div', { class: 'page-unseen', 'aria-live': 'polite' });
  readonly #details = new Details();
  readonly #search = new GraphSearch();
  readonly #legend = element('div');
  readonly #bar: Bar;
  readonly #resized: ResizeObserver;
  readonly #scheme = matchMedia(DARK);
  #colouring: Colouring;
  #painter: Painter;
  #legendTimer: ReturnType<typeof setTimeout> | undefined;
  #layout: FlameLayout;
  #viewport: Viewport;
  #focused = 0;
  #hovered: Stretch | undefined;

  /** Builds the component inside `host`, which it fills. */
  constructor(host: HTMLElement, picture: FlamePicture, options: GraphOptions = {}) {
    this.#host = host;
    this.#picture = picture;
    this.#options = options;
    this.#order = options.order ?? 'name';
    this.#colouring = this.#usualColouring;
    this.#layout = layout(picture, this.#order === 'weight' ? 'weight' : 'name');
    this.#viewport = whole(this.#layout);
    const help = element('p', { class: 'page-keys', id: 'page-keys' }, KEYS);
    const attributes = {
      role: 'application',
      tabindex: '0',
      'aria-label': labelOf(picture),
      'aria-describedby': help.id,
    };
    this.#painter = painter(picture, this.#colouring, this.#theme);
    this.#surface = new Surface(picture, this.#painter, attributes, () => ({
      layout: this.#layout,
      viewport: this.#viewport,
      focused: this.#focused,
      hovered: this.#hovered,
    }));
    this.#bar = this.#makeBar();
    const foot = element('div', { class: 'page-foot' }, this.#legend, help);
    host.replaceChildren(this.#bar.element, this.#surface.element, foot, this.#details.element, this.#live);
    this.#listen();
    this.#resized = new ResizeObserver(() => this.#resize());
    this.#resized.observe(this.#surface.element);
    this.#resize();
    this.#recolour();
  }

  get frameTimes(): FrameTimes {
    return this.#surface.frameTimes;
  }

  /** The node with the keyboard focus. */
  get focused(): number {
    return this.#focused;
  }

  get viewport(): Viewport {
    return this.#viewport;
  }

  /** The function of the focused box, -1 for all. */
  get focusedFunction(): number {
    return this.#picture.function[this.#focused];
  }

  get canvas(): HTMLCanvasElement {
    return this.#surface.canvas;
  }

  /** What of the state differs from that at the start, as texts by key. */
  get state(): GraphState {
    const { text, isExpression } = this.#search;
    return {
      ...(this.#order === 'name' ? {} : { order: this.#order }),
      ...(this.#colouring === this.#usualColouring ? {} : { colour: this.#colouring }),
      ...(text === '' ? {} : { search: text }),
      ...(isExpression ? { expression: '1' } : {}),
      ...viewportState(this.#picture, this.#layout, this.#viewport, this.#size),
    };
  }

  /** Brings a state back, but for the order, which the constructor takes. */
  restore(state: GraphState): void {
    const { base } = this.#picture;
    const wanted = COLOURINGS.find((one) => one === state.colour && (one !== 'difference' || base !== undefined));
    this.#colouring = wanted ?? this.#usualColouring;
    this.#bar.set(state.search ?? '', state.expression === '1', this.#colouring);
    this.#recolour();
    this.#find(state.search ?? '', state.expression === '1');
    this.#show(viewportOf(this.#picture, this.#layout, state, this.#size));
  }

  /** Focuses the widest box of a function. */
  select(id: number): void {
    let widest = -1;
    for (let place = 1; place < this.#picture.length; place++) {
      if (this.#picture.function[this.#layout.order[place]] !== id) continue;
      if (widest < 0 || this.#layout.width[place] > this.#layout.width[widest]) widest = place;
    }
    if (widest >= 0) this.#reveal(widest);
  }

  svg(of: { readonly recording: string; readonly notes: readonly string[] }): string {
    return graphSvg(this.#picture, this.#layout, this.#viewport, this.#colouring, of);
  }

  get #usualColouring(): Colouring {
    return this.#picture.base === undefined ? 'package' : 'difference';
  }

  /** Takes the component out of its host. */
  remove(): void {
    this.#resized.disconnect();
    this.#scheme.removeEventListener('change', this.#recolour);
    document.removeEventListener('keydown', this.#keyDown);
    clearTimeout(this.#legendTimer);
    this.#surface.remove();
    this.#host.replaceChildren();
  }

  /** Moves the keyboard focus to the canvas. */
  focus(): void {
    this.#surface.canvas.focus({ preventScroll: true });
  }

  get #size(): Size {
    return this.#surface.size;
  }

  get #theme(): Theme {
    return this.#scheme.matches ? 'dark' : 'light';
  }

  #makeBar(): Bar {
    const actions = {
      search: (text: string, isExpression: boolean) => this.#find(text, isExpression),
      step: (step: 1 | -1) => this.#stepMatch(step),
      reset: () => this.#reset(),
      colouring: (value: Colouring) => {
        this.#colouring = value;
        this.#recolour();
        this.#options.changed?.(true);
      },
      order: (value: Order) => this.#reorder(value),
      leave: () => this.focus(),
    };
    const { orders = SIBLING_ORDERS } = this.#options;
    return new Bar(actions, this.#colouring, this.#order, orders, this.#picture.base !== undefined);
  }

  #listen(): void {
    this.#scheme.addEventListener('change', this.#recolour);
    const { canvas } = this.#surface;
    document.addEventListener('keydown', this.#keyDown);
    for (const change of ['focus', 'blur']) canvas.addEventListener(change, () => this.#surface.request());
    listenToPointer(canvas, {
      hover: (x, y) => this.#hover(this.#stretchAt(x, y)),
      leave: () => this.#hover(undefined),
      click: (x, y) => this.#click(this.#stretchAt(x, y)),
      drag: (dx, dy) => this.#move(-dx, -dy),
      stretch: (x, factor) => this.#stretch(x, factor),
      wheel: (dx, dy) => this.#move(dx, dy),
    });
    listenToDrag(this.#surface.minimap, (x, y) => {
      const to = pointed(this.#picture, this.#layout, this.#viewport, this.#size, x, y);
      const { from, to: end } = this.#viewport;
      const moved = panned(this.#viewport, this.#picture, this.#layout, to.from, end - from);
      this.#show(scrolled(moved, this.#picture, to.scroll, this.#size));
    });
  }

  readonly #keyDown = (event: KeyboardEvent): void => {
    if (!takesKey(event, this.#surface.canvas) || !this.#key(event)) return;
    event.preventDefault();
    if (event.target !== this.#surface.canvas && event.key !== '/') this.focus();
  };

  #key(event: KeyboardEvent): boolean {
    const window = windowOf(this.#viewport, this.#size);
    const key = WALK_KEYS.find((one) => one === event.key);
    if (key !== undefined) this.#focus(walk(this.#picture, this.#layout, window, this.#focused, key));
    else if (event.key === 'Enter') this.#zoom(this.#focused);
    else if (event.key === 'Escape') this.#reset();
    else if (event.key === '/') this.#bar.focusSearch();
    else if (event.key === 'n') this.#stepMatch(1);
    else if (event.key === 'N') this.#stepMatch(-1);
    else return false;
    return true;
  }

  #focus(node: number): void {
    this.#focused = node;
    this.#hovered = undefined;
    this.#show(scrolledTo(this.#viewport, this.#picture, depthOf(this.#picture, node), this.#size));
    this.#speak();
    this.#options.focused?.(node);
  }

  #speak(): void {
    const hidden = hiddenChildren(this.#layout, windowOf(this.#viewport, this.#size), this.#focused);
    const more = hidden === 0 ? '' : `. ${plural(hidden, 'box', 'boxes')} below too narrow to show: Enter zooms`;
    this.#live.textContent = sentence(this.#picture, this.#focused, this.#viewport.zoomed) + more;
  }

  #zoom(node: number): void {
    this.#viewport = zoomTo(this.#picture, this.#layout, node, this.#size, this.#viewport);
    this.#focus(node);
    this.#options.changed?.(true);
  }

  #reset(): void {
    this.#viewport = { ...whole(this.#layout), scroll: this.#viewport.scroll };
    this.#focus(this.#focused);
    this.#options.changed?.(true);
  }

  #hover(stretch: Stretch | undefined): void {
    if (stretch?.first === this.#hovered?.first && stretch?.last === this.#hovered?.last) return;
    this.#hovered = stretch;
    this.#showDetails();
    this.#surface.request();
  }

  #stretchAt(x: number, y: number): Stretch | undefined {
    const depth = Math.floor((y + this.#viewport.scroll) / ROW);
    return stretchAt(this.#layout, depth, windowOf(this.#viewport, this.#size), x);
  }

  /** Zooms to a box, or to all boxes of a stretch with the focus on the heaviest. */
  #click(stretch: Stretch | undefined): void {
    if (stretch === undefined) return;
    const { first, last } = stretch;
    const { order, x, width } = this.#layout;
    const node = order[heaviestOf(this.#layout, stretch)];
    if (first === last) this.#zoom(node);
    else {
      const span = x[last] + width[last] - x[first];
      this.#viewport = panned(this.#viewport, this.#picture, this.#layout, x[first], span);
      this.#focus(node);
      this.#options.changed?.(true);
    }
  }

  #move(dx: number, dy: number): boolean {
    const { from, to } = this.#viewport;
    const unitsPerPixel = this.#size.width === 0 ? 0 : (to - from) / this.#size.width;
    const before = this.#viewport;
    const across = panned(before, this.#picture, this.#layout, from + dx * unitsPerPixel, to - from);
    const moved = scrolled(across, this.#picture, before.scroll + dy, this.#size);
    this.#show(moved);
    return moved.from !== before.from || moved.scroll !== before.scroll;
  }

  #stretch(x: number, factor: number): void {
    const { from, to } = this.#viewport;
    const fixed = from + ((to - from) * x) / this.#size.width;
    const span = (to - from) * factor;
    this.#show(panned(this.#viewport, this.#picture, this.#layout, fixed - (span * x) / this.#size.width, span));
  }

  #find(text: string, isExpression: boolean): void {
    const { said, isWrong } = this.#search.run(this.#picture, this.#layout, text, isExpression);
    this.#bar.found(said, isWrong);
    this.#repaint();
    this.#showDetails();
    this.#options.changed?.(false);
  }

  #stepMatch(step: 1 | -1): void {
    const { matches } = this.#search;
    if (matches === undefined) return;
    const place = nextMatch(matches, this.#layout.placeOf[this.#focused], step);
    if (place < 0) return;
    this.#reveal(place);
  }

  /** Focuses the box at a place; zooms to it if it cannot be seen else. */
  #reveal(place: number): void {
    const node = this.#layout.order[place];
    if (!isSeen(this.#layout, windowOf(this.#viewport, this.#size), place)) {
      this.#viewport = whole(this.#layout);
      const isWide = isSeen(this.#layout, windowOf(this.#viewport, this.#size), place);
      this.#viewport = zoomTo(this.#picture, this.#layout, isWide ? 0 : node, this.#size, this.#viewport);
    }
    this.#focus(node);
  }

  #reorder(order: Order): void {
    if (order === 'time' || this.#order === 'time') {
      this.#options.reorder?.(order);
      return;
    }
    this.#order = order;
    this.#layout = layout(this.#picture, order);
    this.#search.place(this.#picture, this.#layout);
    this.#hovered = undefined;
    this.#repaint();
    const { zoomed } = this.#viewport;
    this.#show(zoomTo(this.#picture, this.#layout, zoomed, this.#size, whole(this.#layout)));
    this.#options.changed?.(true);
  }

  readonly #recolour = (): void => {
    this.#painter = painter(this.#picture, this.#colouring, this.#theme);
    this.#repaint();
    this.#drawLegend();
  };

  #repaint(): void {
    this.#surface.repaint(this.#painter, this.#layout, this.#search);
  }

  /** Soon, once: it costs more than a frame of a large graph. */
  #showLegend(): void {
    clearTimeout(this.#legendTimer);
    this.#legendTimer = setTimeout(() => this.#drawLegend(), LEGEND_MS);
  }

  #drawLegend(): void {
    const made = legend(this.#painter, this.#colouring, this.#theme, this.#layout, this.#viewport, this.#size);
    this.#legend.replaceChildren(made);
  }

  #resize(): void {
    this.#surface.resize();
    this.#show(scrolled(this.#viewport, this.#picture, this.#viewport.scroll, this.#size));
  }

  #show(viewport: Viewport): void {
    const now = this.#viewport;
    const { from, to, scroll, zoomed } = viewport;
    // The same object while the view is unchanged, so that boxes are not recreated.
    const isSame = from === now.from && to === now.to && scroll === now.scroll && zoomed === now.zoomed;
    if (!isSame) {
      this.#viewport = viewport;
      this.#showLegend();
      this.#options.changed?.(false);
    }
    this.#showDetails();
    this.#surface.request();
  }

  #showDetails(): void {
    const place = this.#layout.placeOf[this.#focused];
    const stretch = this.#hovered ?? { first: place, last: place };
    this.#details.show(this.#picture, this.#layout, stretch, this.#viewport.zoomed, this.#search.found);
  }
}

function labelOf(picture: FlamePicture): string {
  const way = picture.inverted ? 'inverted: functions at the top, their callers below' : 'callers above callees';
  const compared = picture.base === undefined ? '' : `, compared with ${picture.base.recording}`;
  return `Flame graph of ${picture.metric.title.toLowerCase()}${compared}, ${way}, ${formatCount(picture.length - 1)} boxes`;
}
