/**
 * Boxes as pixels: one row of pixels per level, stretched to its height in one copy. A box costs a few writes to memory
 * instead of a call into the canvas, so tens of thousands of them are drawn in a millisecond or two.
 */

import { contextOf } from './canvas.js';

/** Colour `#rrggbb` as the four bytes of a pixel, in the order of this machine. */
export function pixelOf(colour: string): number {
  const bytes = new Uint8Array([1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)).concat(255));
  return new Uint32Array(bytes.buffer)[0];
}

export class PixelRows {
  readonly #canvas = document.createElement('canvas');
  readonly #context: CanvasRenderingContext2D;
  #image: ImageData;
  #pixels: Uint32Array;

  constructor() {
    this.#context = contextOf(this.#canvas);
    this.#image = new ImageData(1, 1);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
  }

  /** Makes it `width` × `height` pixels, all of one colour. Allocates only when the size changed. */
  clear(width: number, height: number, colour: number): void {
    if (this.#image.width !== width || this.#image.height !== height) {
      this.#canvas.width = width;
      this.#canvas.height = height;
      this.#image = new ImageData(width, height);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
    }
    this.#pixels.fill(colour);
  }

  /** Colours the pixels of a row from `left` to `right` (rounded, at least one). */
  bar(row: number, left: number, right: number, colour: number): void {
    const width = this.#image.width;
    const start = Math.max(0, Math.min(width - 1, Math.round(left)));
    let end = Math.max(start + 1, Math.min(width, Math.round(right)));
    // A gap of one pixel separates neighbours, if there is room.
    if (end - start > 3) end--;
    const pixels = this.#pixels;
    const base = row * width;
    if (end - start > 32) pixels.fill(colour, base + start, base + end);
    else for (let at = base + start; at < base + end; at++) pixels[at] = colour;
  }

  /** Copies the rows to `context` (in its own pixels), from `y` on, each stretched to `height`. */
  copyTo(context: CanvasRenderingContext2D, y: number, height: number): void {
    const { width, height: rows } = this.#image;
    this.#context.putImageData(this.#image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#canvas, 0, 0, width, rows, 0, y, width, rows * height);
  }
}
