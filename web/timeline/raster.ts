/**
 * Tracks as pixels. Every column of pixels has the exact mean of its time: the height of a state is its share, that of samples their
 * number as a share of the most in view. What is there but lower than a pixel is a faint pixel; where nothing was recorded, nothing is drawn.
 */
import { lifeIn } from '../../src/pictures/timeline/picture.js';
import { counterScale, fillLine } from './counter-line.js';
import { type DrawnRows, type DrawnTime, fillSums, type LaneModel, largest, type TrackModel } from './model.js';

/** Heights in CSS pixels: the states of a track, its samples below them, a counter. */
const STATES = 14;
const SAMPLES = 7;
export const TALL = STATES + SAMPLES;
export const COUNTER_TALL = 46;
/** Of the line of a counter. */
const LINE = 1.5;

/** The least height of something, in real pixels. */
const FAINT = 0.75;
/** Of a pixel: the rest of sums of parts. */
const ALMOST_NONE = 1e-9;

/** Pixels in rows, as `ImageData` has them. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** 0xAABBGGRR. */
  readonly pixels: Uint32Array;
}

export interface RasterColours {
  readonly background: number;
  readonly track: number;
  readonly counter: number;
  readonly counterPale: number;
}

/** `#rrggbb` as a pixel. */
export function pixelOf(colour: string): number {
  const rgb = Number.parseInt(colour.slice(1), 16);
  return (0xff000000 | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}

/** From one column to before another. */
type Columns = readonly [left: number, right: number];

/** The columns in which the thread of a track lived. */
function groundIn(track: TrackModel, window: DrawnTime): Columns {
  const { from, to } = lifeIn(track, window);
  const columnOf = (time: number): number => ((time - window.from) / (window.to - window.from)) * window.pixels;
  return from < to ? [Math.floor(columnOf(from)), Math.ceil(columnOf(to))] : [0, 0];
}

export class Raster {
  readonly #bitmap: Bitmap;
  readonly #ratio: number;
  readonly #colours: RasterColours;
  readonly #lane: Float64Array;
  readonly #most: Float64Array;
  /** By state of a track, by column. */
  readonly #sums: Float64Array[] = [];
  readonly #mean = new Mean();

  /** `ratio`: real pixels in a CSS pixel. */
  constructor(bitmap: Bitmap, ratio: number, colours: RasterColours) {
    this.#bitmap = bitmap;
    this.#ratio = ratio;
    this.#colours = colours;
    this.#lane = new Float64Array(bitmap.width);
    this.#most = new Float64Array(bitmap.width);
  }

  clear(): void {
    this.#bitmap.pixels.fill(this.#colours.background);
  }

  /** Draws a track, as long as its thread lived, whose row begins `y` real pixels below the top; parts outside of the bitmap are left out. */
  draw(rows: DrawnRows, track: TrackModel, window: { readonly from: number; readonly to: number }, y: number): void {
    const whole = { ...window, pixels: this.#bitmap.width };
    const tall = Math.round((track.kind === 'counter' ? COUNTER_TALL : TALL) * this.#ratio);
    const ground = groundIn(track, whole);
    this.#fill(...ground, y, y + tall, this.#colours.track);
    const samples = track.lanes.filter(({ measure }) => measure === 'samples');
    const room = samples.length > 0 ? Math.round(STATES * this.#ratio) : tall;
    const states = track.lanes.filter(({ measure }) => measure === 'share');
    this.#states(rows, states, whole, ground, y, room);
    for (const lane of track.lanes) if (lane.measure === 'value') this.#counter(rows, lane, whole, y, tall);
    for (const lane of samples) this.#samples(rows, lane, whole, y + room, tall - room);
  }

  /** States on top of each other. A pixel that several share has the mean of their colours, and of the track's where none is. */
  #states(
    rows: DrawnRows,
    lanes: readonly LaneModel[],
    window: DrawnTime,
    ground: Columns,
    y: number,
    room: number,
  ): void {
    const sums = lanes.map((lane, i) => {
      this.#sums[i] ??= new Float64Array(window.pixels);
      fillSums(rows, lane, window, this.#sums[i]);
      return this.#sums[i];
    });
    const colours = Uint32Array.from(lanes, ({ colour }) => pixelOf(colour));
    const heightOf = (room * window.pixels) / (window.to - window.from);
    for (let x = 0; x < window.pixels; x++)
      if (x === 0 || ground.includes(x) || sums.some((sum) => sum[x] !== sum[x - 1]))
        this.#stack(sums, colours, heightOf, { x, y, room });
      else this.#repeat(x, y, room);
  }

  /** One column: states from below, each as high as its share. */
  #stack(sums: readonly Float64Array[], colours: Uint32Array, heightOf: number, { x, y, room }: Column): void {
    const mean = this.#mean;
    mean.clear();
    let at = y + room - 1;
    let left = room;
    for (let i = 0; i < sums.length && left > 0; i++) {
      if (sums[i][x] <= 0) continue;
      let height = Math.min(left, Math.max(FAINT, sums[i][x] * heightOf));
      left -= height;
      while (height > 0) {
        const part = Math.min(height, mean.free);
        if (part === 1) this.#put(x, at--, colours[i]);
        else {
          mean.add(colours[i], part);
          if (mean.free < ALMOST_NONE) {
            this.#put(x, at--, mean.pixel);
            mean.clear();
          }
        }
        height = height - part < ALMOST_NONE ? 0 : height - part;
      }
    }
    if (mean.free < 1) {
      mean.add(this.#colours.track, mean.free);
      this.#put(x, at, mean.pixel);
    }
  }

  /** The column to the left once more. */
  #repeat(x: number, y: number, room: number): void {
    const { width, height, pixels } = this.#bitmap;
    const end = Math.min(height, y + room) * width + x;
    for (let i = Math.max(0, y) * width + x; i < end; i += width) pixels[i] = pixels[i - 1];
  }

  #put(x: number, y: number, pixel: number): void {
    const { width, height, pixels } = this.#bitmap;
    if (y >= 0 && y < height) pixels[y * width + x] = pixel;
  }

  #samples(rows: DrawnRows, lane: LaneModel, window: DrawnTime, y: number, room: number): void {
    const counts = this.#lane;
    fillSums(rows, lane, window, counts);
    let most = 0;
    for (let i = 0; i < window.pixels; i++) most = Math.max(most, counts[i]);
    const colour = pixelOf(lane.colour);
    // A sample is a moment: it has the width of a CSS pixel.
    const width = Math.round(this.#ratio);
    for (let i = 0; i < window.pixels; i++) {
      if (counts[i] === 0) continue;
      const height = Math.max(1, (counts[i] / most) * room);
      this.#paint(i, Math.min(window.pixels, i + width), y + room - height, y + room, colour);
    }
  }

  /** A line from reading to reading, pale below. */
  #counter(rows: DrawnRows, lane: LaneModel, window: DrawnTime, y: number, tall: number): void {
    const [least, most] = [this.#lane, this.#most];
    fillLine(rows, lane, window, least, most);
    const { top } = counterScale(largest(rows, lane));
    const height = (value: number): number => (top > 0 ? (Math.max(0, value) / top) * tall : 0);
    const { counter, counterPale } = this.#colours;
    for (let i = 0; i < window.pixels; i++) {
      if (Number.isNaN(most[i])) continue;
      const high = Math.max(LINE * this.#ratio, height(most[i]));
      const low = Math.min(height(least[i]), high - LINE * this.#ratio);
      this.#paint(i, i + 1, y + tall - low, y + tall, counterPale);
      this.#paint(i, i + 1, y + tall - high, y + tall - low, counter);
    }
  }

  #fill(left: number, right: number, top: number, bottom: number, colour: number): void {
    const { width, height, pixels } = this.#bitmap;
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++)
      pixels.fill(colour, y * width + left, y * width + right);
  }

  /** Columns from `top` to `bottom`, which may lie within pixels: those have a part of the colour. */
  #paint(left: number, right: number, top: number, bottom: number, colour: number): void {
    const { width, height, pixels } = this.#bitmap;
    const last = Math.min(height, Math.ceil(bottom));
    for (let y = Math.max(0, Math.floor(top)); y < last; y++) {
      const part = Math.min(bottom, y + 1) - Math.max(top, y);
      for (let i = y * width + left; i < y * width + right; i++) {
        if (part === 1) {
          pixels[i] = colour;
          continue;
        }
        this.#mean.clear();
        this.#mean.add(colour, part);
        this.#mean.add(pixels[i], 1 - part);
        pixels[i] = this.#mean.pixel;
      }
    }
  }
}

/** A column of a track: `room` pixels from `y` down. */
interface Column {
  readonly x: number;
  readonly y: number;
  readonly room: number;
}

/** The mean of colours that share a pixel. */
class Mean {
  #red = 0;
  #green = 0;
  #blue = 0;
  /** The part that no colour has. */
  free = 1;

  clear(): void {
    this.#red = 0;
    this.#green = 0;
    this.#blue = 0;
    this.free = 1;
  }

  add(pixel: number, part: number): void {
    this.#red += (pixel & 255) * part;
    this.#green += ((pixel >> 8) & 255) * part;
    this.#blue += ((pixel >> 16) & 255) * part;
    this.free -= part;
  }

  get pixel(): number {
    return (0xff000000 | ((this.#blue + 0.5) << 16) | ((this.#green + 0.5) << 8) | (this.#red + 0.5)) >>> 0;
  }
}
