/**
 * The canvas of a timeline and its frames: an axis, names of tracks at the left, the tracks of the rows in view. A frame is drawn when
 * something changed; what it shows is asked from `state`, which this keeps no copy of.
 */
import { formatValue } from '../../src/base/units.js';
import { Labels } from '../../src/pictures/flame/labels.js';
import { COUNTER_COLOUR, COUNTER_PALE } from '../../src/pictures/timeline/picture.js';
import { contextOf, fit, type Size } from '../shared/canvas.js';
import { element } from '../shared/dom.js';
import { FrameTimes } from '../shared/frame-times.js';
import { counterScale } from './counter-line.js';
import { largest, type TimelineModel, type TrackModel } from './model.js';
import { type Bitmap, pixelOf, Raster } from './raster.js';
import { type TrackRows, tallOf } from './track-rows.js';
import { type TimeWindow, ticks } from './viewport.js';

export const AXIS = 24;
const FONTS = 'system-ui, "Segoe UI", "Noto Sans", sans-serif';
const MOST_NAMES = 220;
/** Between the axis labels. */
const TICK_PIXELS = 110;

export interface TimelineColours {
  readonly background: string;
  readonly track: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly focus: string;
}

export const THEMES: Readonly<Record<'light' | 'dark', TimelineColours>> = {
  light: {
    ...{ background: '#ffffff', track: '#f1f1f4', text: '#1a1a1a' },
    ...{ quiet: '#55585f', line: '#00000022', focus: '#0b3d91' },
  },
  dark: {
    ...{ background: '#16181d', track: '#24272e', text: '#f2f2f2' },
    ...{ quiet: '#b5b8c0', line: '#ffffff26', focus: '#9ec1ff' },
  },
};

export interface TimelineSurfaceState {
  readonly window: TimeWindow;
  readonly rows: TrackRows;
  /** CSS pixels above the upper edge. */
  readonly scroll: number;
  readonly theme: TimelineColours;
  /** Track with the keyboard focus, -1 if it is hidden. */
  readonly focused: number;
  /** What the keyboard stands on. */
  readonly at: TimeWindow | undefined;
  readonly selected: TimeWindow | undefined;
  /** Place of the pointer in the plot. */
  readonly hover: number | undefined;
}

export class Surface {
  readonly canvas: HTMLCanvasElement;
  readonly frameTimes = new FrameTimes();
  readonly #model: TimelineModel;
  readonly #state: () => TimelineSurfaceState;
  readonly #context: CanvasRenderingContext2D;
  readonly #labels: Labels;
  #size: Size = { width: 0, height: 0 };
  #image: ImageData | undefined;
  #requested = 0;

  constructor(model: TimelineModel, attributes: Readonly<Record<string, string>>, state: () => TimelineSurfaceState) {
    this.#model = model;
    this.#state = state;
    this.canvas = element('canvas', { class: 'page-canvas timeline-canvas', ...attributes });
    this.#context = contextOf(this.canvas);
    this.#labels = new Labels((text) => this.#context.measureText(text).width);
  }

  /** Width of the names. */
  get names(): number {
    return Math.round(Math.min(MOST_NAMES, this.#size.width * 0.35));
  }

  get plotWidth(): number {
    return Math.max(1, this.#size.width - this.names);
  }

  get size(): Size {
    return this.#size;
  }

  resize(size: Size): void {
    this.#size = size;
    fit(this.canvas, this.#context, size);
    this.#image = undefined;
    this.request();
  }

  request(): void {
    if (this.#requested !== 0) return;
    this.#requested = requestAnimationFrame(() => {
      this.#requested = 0;
      const begin = performance.now();
      if (this.#size.width > 0) this.#draw(this.#state());
      this.frameTimes.add(performance.now() - begin);
    });
  }

  /** The time at a place of the plot, in CSS pixels from its left edge. */
  timeAt(x: number): number {
    const { from, to } = this.#state().window;
    return from + (Math.min(this.plotWidth, Math.max(0, x)) / this.plotWidth) * (to - from);
  }

  #draw(state: TimelineSurfaceState): void {
    const context = this.#context;
    const { theme, scroll } = state;
    context.fillStyle = theme.background;
    context.fillRect(0, 0, this.#size.width, this.#size.height);
    const { rows } = state;
    const first = Math.max(0, rows.at(scroll));
    const last = Math.min(rows.tracks.length, rows.at(scroll + this.#size.height - AXIS) + 1);
    this.#drawTracks(state, first, last);
    this.#drawTimes(state);
    this.#drawNames(state, first, last);
    this.#drawAxis(state);
  }

  #drawTracks({ window, rows, scroll, theme }: TimelineSurfaceState, first: number, last: number): void {
    const ratio = devicePixelRatio;
    const width = Math.max(1, Math.round(this.plotWidth * ratio));
    const height = Math.max(1, Math.round((this.#size.height - AXIS) * ratio));
    if (this.#image?.width !== width || this.#image.height !== height) this.#image = new ImageData(width, height);
    const image = this.#image;
    const bitmap: Bitmap = { width, height, pixels: new Uint32Array(image.data.buffer) };
    const raster = new Raster(bitmap, ratio, {
      background: pixelOf(theme.background),
      track: pixelOf(theme.track),
      counter: pixelOf(COUNTER_COLOUR),
      counterPale: pixelOf(COUNTER_PALE),
    });
    raster.clear();
    for (let i = first; i < last; i++) {
      const track = this.#trackOf(rows, i);
      const top = Math.round((rows.top(i) + 2 - scroll) * ratio);
      if (track !== undefined) raster.draw(this.#model.rows, track, window, top);
    }
    this.#context.putImageData(image, Math.round(this.names * ratio), Math.round(AXIS * ratio));
  }

  /** Lines of the axis, the selection, the pointer, and what the keyboard stands on. */
  #drawTimes({ window, rows, scroll, theme, selected, hover, at, focused }: TimelineSurfaceState): void {
    const context = this.#context;
    const height = this.#size.height - AXIS;
    const x = (time: number): number =>
      this.names + Math.min(1, Math.max(0, (time - window.from) / (window.to - window.from))) * this.plotWidth;
    context.fillStyle = theme.line;
    for (const { time } of this.#ticks(window)) context.fillRect(Math.round(x(time)), AXIS, 1, height);
    if (selected !== undefined && (selected.from > window.from || selected.to < window.to)) {
      context.fillStyle = `${theme.focus}33`;
      context.fillRect(x(selected.from), AXIS, x(selected.to) - x(selected.from), height);
      context.fillStyle = theme.focus;
      for (const time of [selected.from, selected.to])
        if (time >= window.from && time <= window.to) context.fillRect(Math.round(x(time)), AXIS, 1, height);
    }
    if (hover !== undefined) {
      context.fillStyle = theme.quiet;
      context.fillRect(Math.round(this.names + hover), AXIS, 1, height);
    }
    const row = rows.tracks.indexOf(focused);
    const track = this.#trackOf(rows, row);
    if (at === undefined || track === undefined || at.to < window.from || at.from > window.to) return;
    context.strokeStyle = theme.focus;
    context.lineWidth = 2;
    const left = x(at.from) - 1;
    const top = AXIS + rows.top(row) + 1 - scroll;
    context.strokeRect(left, top, Math.max(3, x(at.to) + 1 - left), tallOf(track) + 2);
  }

  #drawNames({ rows, scroll, theme, focused }: TimelineSurfaceState, first: number, last: number): void {
    const context = this.#context;
    context.fillStyle = theme.background;
    context.fillRect(0, AXIS, this.names, this.#size.height - AXIS);
    context.textBaseline = 'middle';
    for (let i = first; i < last; i++) {
      const track = this.#trackOf(rows, i);
      if (track === undefined) continue;
      const tall = tallOf(track);
      const top = AXIS + rows.top(i) + 2 - scroll;
      if (rows.tracks[i] === focused) {
        context.fillStyle = theme.focus;
        context.fillRect(0, top, 3, tall);
      }
      const beside = track.kind === 'counter' ? this.#drawScale(track, top, theme) : 0;
      context.font = `12px ${FONTS}`;
      context.textAlign = 'left';
      context.fillStyle = theme.text;
      context.fillText(this.#labels.fit([track.name], this.names - 16 - beside), 8, top + tall / 2);
    }
  }

  /** The values of a counter beside its lines; the width of the widest. */
  #drawScale(track: TrackModel, top: number, theme: TimelineColours): number {
    const context = this.#context;
    const lane = track.lanes.find(({ measure }) => measure === 'value');
    if (lane === undefined) return 0;
    const { lines, top: most } = counterScale(largest(this.#model.rows, lane));
    const tall = tallOf(track);
    context.font = `10px ${FONTS}`;
    context.textAlign = 'right';
    let widest = 0;
    for (const value of lines) {
      const y = top + tall - (most > 0 ? (value / most) * tall : 0);
      const text = formatValue(value, track.unit).replace(/[.]0+(?=\D|$)/, '');
      context.fillStyle = theme.line;
      context.fillRect(this.names, Math.round(y), this.plotWidth, 1);
      context.fillStyle = theme.quiet;
      context.fillText(text, this.names - 5, Math.min(top + tall - 4, Math.max(top + 5, y)));
      widest = Math.max(widest, context.measureText(text).width);
    }
    return widest + 8;
  }

  #trackOf({ tracks }: TrackRows, row: number): TrackModel | undefined {
    return this.#model.tracks[tracks[row] ?? -1];
  }

  #drawAxis({ window, theme }: TimelineSurfaceState): void {
    const context = this.#context;
    context.fillStyle = theme.background;
    context.fillRect(0, 0, this.#size.width, AXIS);
    context.fillStyle = theme.quiet;
    context.font = `11px ${FONTS}`;
    context.textBaseline = 'middle';
    const { from, to } = window;
    for (const { time, text } of this.#ticks(window)) {
      const x = this.names + ((time - from) / (to - from)) * this.plotWidth;
      const wide = context.measureText(text).width;
      context.textAlign = x + wide / 2 > this.#size.width ? 'right' : 'center';
      context.fillText(text, Math.min(x, this.#size.width), AXIS / 2 + 2);
    }
    // Where the window lies in the whole time.
    const all = this.#model.to - this.#model.from;
    context.fillStyle = theme.line;
    context.fillRect(this.names, 0, this.plotWidth, 4);
    context.fillStyle = theme.focus;
    const left = ((from - this.#model.from) / all) * this.plotWidth;
    context.fillRect(this.names + left, 0, Math.max(3, ((to - from) / all) * this.plotWidth), 4);
  }

  #ticks(window: TimeWindow) {
    return ticks(window, Math.max(2, Math.floor(this.plotWidth / TICK_PIXELS)));
  }
}
