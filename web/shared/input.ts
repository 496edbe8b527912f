/** The pointer and the keys of a canvas: hover, click, drag, wheel. A drag shorter than a few pixels is a click. */
const CLICK = 4;

export interface PointerActions {
  readonly hover: (x: number, y: number) => void;
  readonly leave: () => void;
  readonly click: (x: number, y: number) => void;
  /** Pixels since the last call. */
  readonly drag: (dx: number, dy: number, drag: Drag) => void;
  /** The button is up after a drag. */
  readonly drop?: () => void;
  /** Widens (above 1) or narrows the visible part around `x`. */
  readonly stretch: (x: number, factor: number) => void;
  /** Whether anything moved; if not, the page handles the wheel. */
  readonly wheel: (dx: number, dy: number) => boolean;
}

/** From where to where the pointer moved with its button down, and whether Shift is held. */
export interface Drag {
  readonly fromX: number;
  readonly x: number;
  readonly shift: boolean;
}

export function listenToPointer(canvas: HTMLCanvasElement, actions: PointerActions): void {
  let down: { readonly x: number; readonly y: number; lastX: number; lastY: number; dragged: boolean } | undefined;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    down = { x: event.offsetX, y: event.offsetY, lastX: event.offsetX, lastY: event.offsetY, dragged: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const { offsetX: x, offsetY: y } = event;
    if (down === undefined) return actions.hover(x, y);
    if (Math.hypot(x - down.x, y - down.y) > CLICK) down.dragged = true;
    if (down.dragged) actions.drag(x - down.lastX, y - down.lastY, { fromX: down.x, x, shift: event.shiftKey });
    down.lastX = x;
    down.lastY = y;
  });
  canvas.addEventListener('pointerup', (event) => {
    if (down?.dragged === false) actions.click(event.offsetX, event.offsetY);
    if (down?.dragged === true) actions.drop?.();
    down = undefined;
  });
  canvas.addEventListener('pointercancel', () => {
    down = undefined;
  });
  canvas.addEventListener('pointerleave', () => actions.leave());
  canvas.addEventListener(
    'wheel',
    (event) => {
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 20;
      const dx = event.deltaX * pixels;
      const dy = event.deltaY * pixels;
      let moved = true;
      if (event.ctrlKey || event.metaKey) actions.stretch(event.offsetX, 1.002 ** dy);
      else moved = event.shiftKey && dx === 0 ? actions.wheel(dy, 0) : actions.wheel(dx, dy);
      if (moved) event.preventDefault();
    },
    { passive: false },
  );
}

/** Calls `point` while the button is held on an element. */
export function listenToDrag(target: HTMLElement, point: (x: number, y: number) => void): void {
  let isDown = false;
  target.addEventListener('pointerdown', (event) => {
    isDown = true;
    target.setPointerCapture(event.pointerId);
    point(event.offsetX, event.offsetY);
  });
  target.addEventListener('pointermove', (event) => {
    if (isDown) point(event.offsetX, event.offsetY);
  });
  for (const end of ['pointerup', 'pointercancel'])
    target.addEventListener(end, () => {
      isDown = false;
    });
}

/**
 * Whether a key goes to a canvas: it has the focus, or nothing has, as on a page just opened, or a button that makes
 * nothing of this key.
 */
export function takesKey(event: KeyboardEvent, canvas: HTMLElement): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (target === canvas || target === document.body || target === document.documentElement) return true;
  const isOwn = event.key === 'Enter' || event.key === ' ';
  return target instanceof HTMLButtonElement && target.closest('aside') === null && !isOwn;
}
