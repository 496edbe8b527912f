/** The standalone page that `kansoku timeline -o out.html` writes: a timeline with its notes, and its state in the address. */
import { plainNotes } from '../../src/base/note.js';
import type { TimelineResult } from '../../src/pictures/timeline/picture.js';
import { showCarried } from '../shared/carried.js';
import { button, element } from '../shared/dom.js';
import { Address, readFragment } from '../shared/fragment.js';
import { canvasImage, fileName, saveFile } from '../shared/save.js';
import { timelineModel } from './model.js';
import { Timeline } from './timeline.js';

declare global {
  /** The component on the page, for tests and benchmarks. */
  var kansokuTimeline: Timeline | undefined;
}

/** What the page carries, as `timelineHtml` writes it. */
type CarriedTimeline = TimelineResult & { readonly scopeWords?: readonly string[] };

function show(result: CarriedTimeline): void {
  const host = element('div', { class: 'page-picture' });
  const notes = element('ul', { class: 'page-notes', 'aria-label': 'Notes' });
  notes.replaceChildren(...plainNotes(result.notes).map((note) => element('li', {}, note)));
  let timeline: Timeline | undefined;
  const savePng = async (): Promise<void> => {
    if (timeline !== undefined) saveFile(await canvasImage(timeline.canvas), fileName(result.recording, 'png'));
  };
  document.body.replaceChildren(
    element(
      'header',
      {},
      element('h1', {}, 'Timeline'),
      element('p', { class: 'page-recording' }, element('bdi', {}, result.recording)),
      button('PNG', 'Save as PNG', () => void savePng()),
    ),
    element('main', {}, notes, host),
  );
  const address = new Address((fragment) => timeline?.restore(fragment));
  const flameWords = ['kansoku', 'flame', result.recording, ...(result.scopeWords ?? [])];
  const made = new Timeline(host, timelineModel(result), flameWords, (isStep) => {
    if (timeline !== undefined) address.write(timeline.state, isStep);
  });
  made.restore(readFragment());
  timeline = made;
  globalThis.kansokuTimeline = made;
}

showCarried<CarriedTimeline>('timeline', 'timeline', show);
