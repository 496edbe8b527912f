/** A flame result as a static SVG picture. */
import stringWidth from 'string-width';
import { layout } from '../../pictures/flame/layout.js';
import { type FlameResult, flamePicture } from '../../pictures/flame/picture.js';
import { CHARACTER, drawSvg, usualColours } from '../../pictures/flame/svg.js';
import { noteTexts } from './spelling.js';

/** The whole picture as the text of an SVG file. Pure. */
export function flameSvg(result: FlameResult): string {
  const picture = flamePicture(result);
  const placed = layout(picture, 'name');
  return drawSvg(picture, {
    recording: result.recording,
    notes: noteTexts(result.notes),
    measure: (text) => stringWidth(text) * CHARACTER,
    layout: placed,
    from: 0,
    to: placed.width[0],
    colour: usualColours(picture),
  });
}
