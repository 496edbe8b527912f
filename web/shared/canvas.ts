/** Canvases in CSS pixels. */

/** In CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The context of an opaque canvas. */
export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { alpha: false });
  if (context === null) throw new Error('this browser does not support canvas drawing');
  return context;
}

/** Sets the size of the canvas, with the real pixels of the screen. */
export function fit(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, size: Size): void {
  canvas.style.width = `${size.width}px`;
  canvas.style.height = `${size.height}px`;
  canvas.width = Math.round(size.width * devicePixelRatio);
  canvas.height = Math.round(size.height * devicePixelRatio);
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
}
