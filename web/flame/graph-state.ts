/** What the owner of a flame graph gives and gets; its state as texts by key, for the address of the page. Pure. */
import type { FlameLayout } from '../../src/pictures/flame/layout.js';
import type { FlamePicture } from '../../src/pictures/flame/picture.js';
import type { Size } from '../shared/canvas.js';
import type { Order } from './bar.js';
import { panned, scrolled, type Viewport, whole, zoomTo } from './viewport.js';

export type GraphState = Readonly<Record<string, string>>;

export interface GraphOptions {
  /** Of siblings; `time` first if the picture has it. */
  readonly order?: Order;
  /** The orders to choose from; `time` is another picture, which the owner of the graph has to make. */
  readonly orders?: readonly Order[];
  /** Another order needs another picture. */
  readonly reorder?: (order: Order) => void;
  /** The state changed; `isStep`: so that the reader may want to come back. */
  readonly changed?: (isStep: boolean) => void;
  /** A box got the keyboard focus. */
  readonly focused?: (node: number) => void;
}

/** What of the viewport differs from the whole: a node, or units from and to; and pixels from the top. */
export function viewportState(picture: FlamePicture, layout: FlameLayout, viewport: Viewport, size: Size): GraphState {
  const { from, to, zoomed, scroll } = viewport;
  const exact = zoomTo(picture, layout, zoomed, size, viewport);
  const isExact = exact.from === from && exact.to === to;
  return {
    ...(zoomed > 0 && isExact ? { zoom: String(zoomed) } : {}),
    ...(isExact ? {} : { x: `${from}..${to}` }),
    ...(scroll > 0 ? { y: String(Math.round(scroll)) } : {}),
  };
}

/** The viewport of a state; what does not fit the picture is ignored. */
export function viewportOf(picture: FlamePicture, layout: FlameLayout, state: GraphState, size: Size): Viewport {
  let viewport = whole(layout);
  const zoom = Number(state.zoom ?? '');
  if (Number.isInteger(zoom) && zoom > 0 && zoom < picture.length)
    viewport = zoomTo(picture, layout, zoom, size, viewport);
  const [from = Number.NaN, to = Number.NaN] = (state.x ?? '').split('..').map((text) => Number.parseFloat(text));
  if (to > from) viewport = panned(viewport, picture, layout, from, to - from);
  const scroll = Number.parseFloat(state.y ?? '');
  return Number.isFinite(scroll) ? scrolled(viewport, picture, scroll, size) : viewport;
}
