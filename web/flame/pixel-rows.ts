/**
 * Boxes as pixels: one row of pixels per level, stretched to its height in one copy. A box costs a few writes to memory
 * instead of a call into the canvas, so tens of thousands of them are drawn in a millisecond or two.
 */
import { contextOf } from '../shared/canvas.js';

/** Colour `#rrggbb` as the four bytes of a pixel, in the order of this machine: a signed number. */
export function pixelOf(colour: string): number {
  const bytes = new Uint8Array([1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).concat(255));
  return new Int32Array(bytes.buffer)[0];
}

export class PixelRows {
  readonly #canvas = document.createElement('canvas');
  readonly #context: CanvasRenderingContext2D;
  #image: ImageData;
  #pixels: Int32Array;

  constructor() {
    this.#context = contextOf(this.#canvas);
    this.#image = new ImageData(1, 1);
    this.#pixels = new Int32Array(this.#image.data.buffer);
  }

  /** Makes it `width` × `height` pixels, of one colour if it had another size; else it keeps its pixels. */
  resize(width: number, height: number, colour: number): void {
    if (this.#image.width === width && this.#image.height === height) return;
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#image = new ImageData(width, height);
    this.#pixels = new Int32Array(this.#image.data.buffer).fill(colour);
  }

  clearRow(row: number, colour: number): void {
    this.#pixels.fill(colour, row * this.width, (row + 1) * this.width);
  }

  /** The pixels, row by row; valid until the next `resize`. */
  get pixels(): Int32Array {
    return this.#pixels;
  }

  get width(): number {
    return this.#image.width;
  }

  get height(): number {
    return this.#image.height;
  }

  /** Copies the first `rows` rows to `context` (in its own pixels), from `y` on, each stretched to `height`. */
  copyTo(context: CanvasRenderingContext2D, y: number, height: number, rows = this.height): void {
    this.#context.putImageData(this.#image, 0, 0);
    this.copyRows(context, 0, rows, y, height);
  }

  /** Copies rows as they were at the last `copyTo`. */
  copyRows(context: CanvasRenderingContext2D, first: number, rows: number, y: number, height: number): void {
    const { width } = this;
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#canvas, 0, first, width, rows, 0, y, width, rows * height);
  }
}
