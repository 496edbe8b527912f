/**
 * The flame graph: one component on a canvas, without a framework, for the standalone page and for the workbench.
 *
 *   bar      search, colours, order
 *   view     canvas (role application: it takes the keyboard) │ minimap, if not all levels fit
 *   legend, details
 *
 * The state is the viewport, the focused node and the search; a frame is drawn from it when something changed. Memory:
 * 45 bytes per node for the picture, 24 for the layout, 4 during a search.
 */
import { formatCount, plural } from '../../src/base/units.js';
import type { Colouring, Theme } from '../../src/views/flame/colours.js';
import { Labels } from '../../src/views/flame/labels.js';
import { type FlameLayout, layout, placeAt, type SiblingOrder } from '../../src/views/flame/layout.js';
import { depthOf, type FlamePicture, valueText } from '../../src/views/flame/picture.js';
import { percent, sentence } from '../../src/views/flame/words.js';
import { Bar } from './bar.js';
import { contextOf, fit } from './canvas.js';
import { Details, legend } from './details.js';
import { element } from './dom.js';
import { drawBoxes, PendingLabels, type Scene } from './draw.js';
import { FrameTimes } from './frame-times.js';
import { hiddenChildren, isSeen, WALK_KEYS, walk } from './keyboard.js';
import { drawMinimap, drawWhole, frameOf, MINIMAP_WIDTH, pointed } from './minimap.js';
import { type Painter, painter } from './painter.js';
import { PixelRows } from './pixel-rows.js';
import { listenToDrag, listenToPointer } from './pointer.js';
import { type Found, matcher, matchesBefore, nextMatch, search } from './search.js';
import {
  contentHeight,
  panned,
  ROW,
  type Size,
  scrolled,
  scrolledTo,
  type Viewport,
  whole,
  windowOf,
  zoomTo,
} from './viewport.js';

/** Labels beyond this time are drawn in the next frames. */
const FRAME_MS = 3.5;
const FIRST_FRAME_MS = 100;
const DARK = '(prefers-color-scheme: dark)';
const KEYS =
  'Arrow keys move, Enter zooms, Escape resets the zoom, / searches, n and N go to the next and previous match.';

export class FlameGraph {
  readonly frameTimes = new FrameTimes();
  readonly #host: HTMLElement;
  readonly #picture: FlamePicture;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #minimap: HTMLCanvasElement;
  readonly #minimapContext: CanvasRenderingContext2D;
  readonly #overview = new PixelRows();
  readonly #rows = new PixelRows();
  readonly #pending = new PendingLabels();
  readonly #view: HTMLElement;
  readonly #live = element('div', { class: 'flame-unseen', 'aria-live': 'polite' });
  readonly #details = new Details();
  readonly #legend = element('div');
  readonly #bar: Bar;
  readonly #labels: Labels;
  readonly #resized: ResizeObserver;
  readonly #scheme = matchMedia(DARK);
  #colouring: Colouring;
  #painter: Painter;
  #layout: FlameLayout;
  #viewport: Viewport;
  #size: Size = { width: 0, height: 0 };
  #focused = 0;
  #hovered = -1;
  #found: Found | undefined;
  #matches: Int32Array | undefined;
  #overviewIsOld = true;
  /** False if only labels are left to draw. */
  #isOld = true;
  #drawn: Scene | undefined;
  #requested = 0;

  /** Builds the component inside `host`, which it fills. */
  constructor(host: HTMLElement, picture: FlamePicture) {
    this.#host = host;
    this.#picture = picture;
    this.#colouring = picture.base === undefined ? 'package' : 'difference';
    this.#painter = painter(picture, this.#colouring, this.#theme);
    this.#layout = layout(picture, 'name');
    this.#viewport = whole(this.#layout);
    const help = element('p', { class: 'flame-keys', id: 'flame-keys' }, KEYS);
    this.#canvas = element('canvas', {
      class: 'flame-canvas',
      role: 'application',
      tabindex: '0',
      'aria-label': labelOf(picture),
      'aria-describedby': help.id,
    });
    this.#minimap = element('canvas', { class: 'flame-minimap', 'aria-hidden': 'true' });
    this.#context = contextOf(this.#canvas);
    this.#minimapContext = contextOf(this.#minimap);
    this.#labels = new Labels((text) => this.#context.measureText(text).width);
    this.#bar = this.#makeBar();
    this.#view = element('div', { class: 'flame-view' }, this.#canvas, this.#minimap);
    const foot = element('div', { class: 'flame-foot' }, this.#legend, help);
    host.replaceChildren(this.#bar.element, this.#view, foot, this.#details.element, this.#live);
    this.#showLegend();
    this.#listen();
    this.#resized = new ResizeObserver(() => this.#resize());
    this.#resized.observe(this.#view);
    this.#resize();
  }

  /** The node with the keyboard focus. */
  get focused(): number {
    return this.#focused;
  }

  get viewport(): Viewport {
    return this.#viewport;
  }

  /** Takes the component out of its host. */
  remove(): void {
    this.#resized.disconnect();
    this.#scheme.removeEventListener('change', this.#recolour);
    cancelAnimationFrame(this.#requested);
    this.#host.replaceChildren();
  }

  /** Moves the keyboard focus to the canvas. */
  focus(): void {
    this.#canvas.focus({ preventScroll: true });
  }

  get #theme(): Theme {
    return this.#scheme.matches ? 'dark' : 'light';
  }

  #makeBar(): Bar {
    const actions = {
      search: (text: string, isExpression: boolean) => this.#search(text, isExpression),
      step: (step: 1 | -1) => this.#stepMatch(step),
      reset: () => this.#reset(),
      colouring: (value: Colouring) => {
        this.#colouring = value;
        this.#recolour();
      },
      siblings: (value: SiblingOrder) => this.#reorder(value),
      leave: () => this.focus(),
    };
    return new Bar(actions, this.#colouring, 'name', this.#picture.base !== undefined);
  }

  #listen(): void {
    this.#scheme.addEventListener('change', this.#recolour);
    this.#canvas.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.#key(event)) event.preventDefault();
    });
    for (const change of ['focus', 'blur']) this.#canvas.addEventListener(change, () => this.#request());
    listenToPointer(this.#canvas, {
      hover: (x, y) => this.#hover(this.#nodeAt(x, y)),
      leave: () => this.#hover(-1),
      click: (x, y) => {
        const node = this.#nodeAt(x, y);
        if (node >= 0) this.#zoom(node);
      },
      drag: (dx, dy) => this.#move(-dx, -dy),
      stretch: (x, factor) => this.#stretch(x, factor),
      wheel: (dx, dy) => this.#move(dx, dy),
    });
    listenToDrag(this.#minimap, (x, y) => {
      const to = pointed(this.#picture, this.#layout, this.#viewport, this.#size, x, y);
      const { from, to: end } = this.#viewport;
      const moved = panned(this.#viewport, this.#picture, this.#layout, to.from, end - from);
      this.#show(scrolled(moved, this.#picture, to.scroll, this.#size));
    });
  }

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
    this.#hovered = -1;
    this.#show(scrolledTo(this.#viewport, this.#picture, depthOf(this.#picture, node), this.#size));
    this.#speak();
  }

  #speak(): void {
    const hidden = hiddenChildren(this.#layout, windowOf(this.#viewport, this.#size), this.#focused);
    const more = hidden === 0 ? '' : `. ${plural(hidden, 'box', 'boxes')} below too narrow to show: Enter zooms`;
    this.#live.textContent = sentence(this.#picture, this.#focused, this.#viewport.zoomed) + more;
  }

  #zoom(node: number): void {
    this.#viewport = zoomTo(this.#picture, this.#layout, node, this.#size, this.#viewport);
    this.#focus(node);
  }

  #reset(): void {
    this.#viewport = { ...whole(this.#layout), scroll: this.#viewport.scroll };
    this.#focus(this.#focused);
  }

  #hover(node: number): void {
    if (node === this.#hovered) return;
    this.#hovered = node;
    this.#showDetails();
    this.#request();
  }

  #nodeAt(x: number, y: number): number {
    const { from, scale } = windowOf(this.#viewport, this.#size);
    const depth = Math.floor((y + this.#viewport.scroll) / ROW);
    const place = scale === 0 ? -1 : placeAt(this.#layout, depth, from + x / scale);
    return place < 0 ? -1 : this.#layout.order[place];
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

  #search(text: string, isExpression: boolean): void {
    this.#found = undefined;
    this.#matches = undefined;
    let said = '';
    let isWrong = false;
    if (text !== '') {
      try {
        this.#found = search(this.#picture, matcher(text, isExpression));
        this.#matches = matchesBefore(this.#picture, this.#layout, this.#found);
        said = this.#foundText(this.#found);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        isWrong = true;
        said = `not a regular expression: ${error.message}`;
      }
    }
    this.#bar.found(said, isWrong);
    this.#request();
  }

  #foundText(found: Found): string {
    const { metric, base } = this.#picture;
    const total = `${valueText(this.#picture, found.total)}, ${percent(found.total, metric.sum)} of all`;
    const ofBase = base === undefined ? '' : ` (base ${valueText(this.#picture, found.baseTotal)})`;
    return `${plural(found.count, 'match', 'matches')}: ${total}${ofBase}`;
  }

  #stepMatch(step: 1 | -1): void {
    if (this.#matches === undefined) return;
    const place = nextMatch(this.#matches, this.#layout.placeOf[this.#focused], step);
    if (place < 0) return;
    const node = this.#layout.order[place];
    if (!isSeen(this.#layout, windowOf(this.#viewport, this.#size), place)) {
      this.#viewport = whole(this.#layout);
      const isWide = isSeen(this.#layout, windowOf(this.#viewport, this.#size), place);
      this.#viewport = zoomTo(this.#picture, this.#layout, isWide ? 0 : node, this.#size, this.#viewport);
    }
    this.#focus(node);
  }

  #reorder(siblings: SiblingOrder): void {
    this.#layout = layout(this.#picture, siblings);
    if (this.#found !== undefined) this.#matches = matchesBefore(this.#picture, this.#layout, this.#found);
    this.#overviewIsOld = true;
    const { zoomed } = this.#viewport;
    this.#show(zoomTo(this.#picture, this.#layout, zoomed, this.#size, whole(this.#layout)));
  }

  readonly #recolour = (): void => {
    this.#painter = painter(this.#picture, this.#colouring, this.#theme);
    this.#overviewIsOld = true;
    this.#showLegend();
    this.#request();
  };

  #showLegend(): void {
    this.#legend.replaceChildren(legend(this.#picture, this.#colouring, this.#theme));
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#view;
    const isDeep = contentHeight(this.#picture) > clientHeight;
    this.#minimap.hidden = !isDeep;
    this.#size = { width: Math.max(0, clientWidth - (isDeep ? MINIMAP_WIDTH + 4 : 0)), height: clientHeight };
    fit(this.#canvas, this.#context, this.#size);
    fit(this.#minimap, this.#minimapContext, { width: MINIMAP_WIDTH, height: clientHeight });
    this.#overviewIsOld = true;
    this.#show(scrolled(this.#viewport, this.#picture, this.#viewport.scroll, this.#size));
  }

  #show(viewport: Viewport): void {
    const now = this.#viewport;
    const { from, to, scroll, zoomed } = viewport;
    // The same object while the view is unchanged, so that boxes are not recreated.
    const isSame = from === now.from && to === now.to && scroll === now.scroll && zoomed === now.zoomed;
    if (!isSame) this.#viewport = viewport;
    this.#showDetails();
    this.#request();
  }

  #showDetails(): void {
    const node = this.#hovered >= 0 ? this.#hovered : this.#focused;
    this.#details.show(this.#picture, node, this.#viewport.zoomed);
  }

  #request(): void {
    this.#isOld = true;
    this.#requestFrame();
  }

  #requestFrame(): void {
    if (this.#requested !== 0) return;
    this.#requested = requestAnimationFrame(() => {
      this.#requested = 0;
      this.#drawFrame();
    });
  }

  /** The first picture has no animation, so it may take its time. */
  #first = true;

  #drawFrame(): void {
    const begin = performance.now();
    const scene = this.#scene();
    if (this.#isOld) {
      drawBoxes(this.#context, scene, this.#drawn, this.#rows, this.#pending);
      this.#drawn = scene;
      if (!this.#minimap.hidden) this.#drawMinimap();
      this.#isOld = false;
    }
    const time = this.#first ? FIRST_FRAME_MS : FRAME_MS;
    this.#first = false;
    if (!this.#pending.draw(this.#context, scene, begin + time)) this.#requestFrame();
    this.frameTimes.add(performance.now() - begin);
  }

  #scene(): Scene {
    return {
      picture: this.#picture,
      layout: this.#layout,
      viewport: this.#viewport,
      size: this.#size,
      ratio: devicePixelRatio,
      painter: this.#painter,
      labels: this.#labels,
      matches: this.#matches,
      focused: this.#focused,
      hovered: this.#hovered,
      active: document.activeElement === this.#canvas,
    };
  }

  #drawMinimap(): void {
    if (this.#overviewIsOld)
      drawWhole(this.#overview, this.#picture, this.#layout, this.#painter, this.#size, devicePixelRatio);
    this.#overviewIsOld = false;
    const frame = frameOf(this.#picture, this.#layout, this.#viewport, this.#size);
    drawMinimap(this.#minimapContext, this.#overview, frame, this.#painter, devicePixelRatio);
  }
}

function labelOf(picture: FlamePicture): string {
  const way = picture.inverted ? 'inverted: functions at the top, their callers below' : 'callers above callees';
  const compared = picture.base === undefined ? '' : `, compared with ${picture.base.recording}`;
  return `Flame graph of ${picture.metric.title.toLowerCase()}${compared}, ${way}, ${formatCount(picture.length - 1)} boxes`;
}
