/**
 * The canvases of a flame graph and its frames: the visible part is drawn when it changes, labels and overview as time allows.
 * It keeps no state of the graph: `state` gives it for each frame.
 */
import { type Areas, areasOf } from '../../src/pictures/flame/areas.js';
import { Labels } from '../../src/pictures/flame/labels.js';
import type { FlameLayout } from '../../src/pictures/flame/layout.js';
import type { FlamePicture } from '../../src/pictures/flame/picture.js';
import type { Stretch } from '../../src/pictures/flame/stretch.js';
import { contextOf, fit, type Size } from '../shared/canvas.js';
import { element } from '../shared/dom.js';
import { FrameTimes } from '../shared/frame-times.js';
import { Boxes, type Scene } from './draw.js';
import { drawMinimap, frameOf, MINIMAP_WIDTH, Overview } from './minimap.js';
import type { Painter } from './painter.js';
import type { GraphSearch } from './search/search.js';
import { contentHeight, type Viewport } from './viewport.js';

/** What is left of labels and overview after this time is drawn in the next frames. */
const FRAME_MS = 3;
const FIRST_FRAME_MS = 100;

export interface FlameSurfaceState {
  readonly layout: FlameLayout;
  readonly viewport: Viewport;
  readonly focused: number;
  readonly hovered: Stretch | undefined;
}

export class Surface {
  readonly frameTimes = new FrameTimes();
  readonly canvas: HTMLCanvasElement;
  readonly minimap = element('canvas', { class: 'flame-minimap', 'aria-hidden': 'true' });
  readonly element: HTMLElement;
  readonly #picture: FlamePicture;
  readonly #state: () => FlameSurfaceState;
  readonly #context: CanvasRenderingContext2D;
  readonly #minimapContext: CanvasRenderingContext2D;
  readonly #overview = new Overview();
  readonly #boxes = new Boxes();
  readonly #labels: Labels;
  #painter: Painter;
  #areas: Areas | undefined;
  #matches: Int32Array | undefined;
  #size: Size = { width: 0, height: 0 };
  #overviewIsDone = false;
  #minimapIsOld = true;
  /** False if only labels or the overview are left to draw. */
  #isOld = true;
  #requested = 0;
  /** The first picture has no animation, so it may take its time. */
  #first = true;

  /** `attributes` are those of the canvas that takes the keyboard. */
  constructor(
    picture: FlamePicture,
    painter: Painter,
    attributes: Readonly<Record<string, string>>,
    state: () => FlameSurfaceState,
  ) {
    this.#picture = picture;
    this.#painter = painter;
    this.#state = state;
    this.canvas = element('canvas', { class: 'page-canvas', ...attributes });
    this.element = element('div', { class: 'page-view' }, this.canvas, this.minimap);
    this.#context = contextOf(this.canvas);
    this.#minimapContext = contextOf(this.minimap);
    this.#labels = new Labels((text) => this.#context.measureText(text).width);
  }

  get size(): Size {
    return this.#size;
  }

  /** Takes colours, order of boxes or matches over. O(nodes). */
  repaint(painter: Painter, layout: FlameLayout, { found, matches }: GraphSearch): void {
    const { function: functions } = this.#picture;
    const { order } = layout;
    const colour = (place: number): number => {
      const node = order[place];
      return found?.functions[functions[node]] === 1 ? painter.match : painter.box(node, false);
    };
    this.#painter = painter;
    this.#matches = matches;
    this.#areas = areasOf(layout, colour, painter.background, this.#areas);
    this.#clearOverview();
    this.request();
  }

  /** Fits the canvases into the element. */
  resize(): void {
    const { clientWidth, clientHeight } = this.element;
    const isDeep = contentHeight(this.#picture) > clientHeight;
    this.minimap.hidden = !isDeep;
    this.#size = { width: Math.max(0, clientWidth - (isDeep ? MINIMAP_WIDTH + 4 : 0)), height: clientHeight };
    fit(this.canvas, this.#context, this.#size);
    fit(this.minimap, this.#minimapContext, { width: MINIMAP_WIDTH, height: clientHeight });
    this.#clearOverview();
    this.request();
  }

  request(): void {
    this.#isOld = true;
    this.#requestFrame();
  }

  remove(): void {
    cancelAnimationFrame(this.#requested);
    this.element.remove();
  }

  #clearOverview(): void {
    this.#overview.clear(this.#size, devicePixelRatio, this.#painter.background);
    this.#overviewIsDone = false;
  }

  #requestFrame(): void {
    if (this.#requested !== 0) return;
    this.#requested = requestAnimationFrame(() => {
      this.#requested = 0;
      this.#drawFrame();
    });
  }

  #drawFrame(): void {
    const begin = performance.now();
    const areas = this.#areas;
    if (areas === undefined || this.#size.width === 0) return;
    const deadline = begin + (this.#first ? FIRST_FRAME_MS : FRAME_MS);
    this.#first = false;
    const scene = this.#scene(areas);
    if (this.#isOld || !this.#boxes.isPainted) {
      this.#boxes.draw(this.#context, scene, deadline);
      this.#isOld = false;
      this.#minimapIsOld = true;
    }
    const areLabelled = this.#boxes.drawLabels(this.#context, scene, deadline);
    const isDone = areLabelled && this.#boxes.isPainted && this.#drawOverview(scene, deadline);
    if (!isDone) this.#requestFrame();
    this.frameTimes.add(performance.now() - begin);
  }

  #scene(areas: Areas): Scene {
    const { layout, viewport, focused, hovered } = this.#state();
    return {
      picture: this.#picture,
      layout,
      viewport,
      size: this.#size,
      ratio: devicePixelRatio,
      painter: this.#painter,
      labels: this.#labels,
      areas,
      matches: this.#matches,
      focused,
      hovered,
      active: document.activeElement === this.canvas,
    };
  }

  /** True when nothing of it is left to draw. */
  #drawOverview(scene: Scene, deadline: number): boolean {
    if (this.minimap.hidden || (this.#overviewIsDone && !this.#minimapIsOld)) return true;
    this.#overviewIsDone ||= this.#overview.draw(scene, deadline);
    const { picture, layout, viewport, size, ratio, painter } = scene;
    const frame = frameOf(picture, layout, viewport, size);
    this.#minimapIsOld = false;
    drawMinimap(this.#minimapContext, this.#overview.rows, frame, painter, ratio);
    return this.#overviewIsDone;
  }
}
