/** Recognises a class histogram by its line of titles, or by rows of its shape with Java names. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { filledLines, share } from '../shared/head-text.js';
import { behind, headingIn, linesOfLog } from '../shared/log-head.js';
import { IMAGE_HEADING, IMAGE_TITLES } from './image-histogram.js';
import { OPENJ9_TITLES } from './line.js';
import { HISTOGRAMS } from './read.js';

const ROW =
  /^(?:\[.{0,200}\](?: GC\(\d{1,9}\))?)?\s{0,20}\d{1,10}:\s{1,20}\d[\d,.'’]{0,18}\s{1,20}\d[\d,.'’]{0,18}\s{1,4}\S/;
const BARE_ROW = /^\s{0,20}\d{1,19}\s{1,20}\d{1,19}\s{1,4}(?:\[|<\w{1,60}Klass>|[\w$]{1,200}(?:[.$/]|$))/;
const JAVA_NAME = /\s(?:\[[BCDFIJSZ]|\[Ljava|java\.lang\.|<\w{1,60}Klass>)/;

export function probeClassHistogram(head: Head): Guess {
  const titles = headingIn(head, HISTOGRAMS);
  if (titles !== undefined) {
    const { before } = titles;
    const after = before < 10 ? '' : `, after ${before} other lines`;
    const because = `columns num, #instances, #bytes and class name${after}${behind(titles)}`;
    return { confidence: before < 10 ? 1 : 0.92, because };
  }
  if (linesOfLog(head).some((line) => OPENJ9_TITLES.test(line.slice(0, 200))))
    return { confidence: 0.95, because: 'columns num, object count, total size and class name, as OpenJ9 writes them' };
  const [heading, second] = filledLines(head, 'keep', 2, 'drop');
  if (heading?.trim() === IMAGE_HEADING)
    return IMAGE_TITLES.test(second ?? '')
      ? { confidence: 1, because: 'columns Count and Class' }
      : { confidence: 0.4, because: 'the heading Heap histogram' };
  const first = linesOfLog(head)
    .filter((line) => line.trim() !== '')
    .slice(0, 100);
  if (first.length >= 3 && share(first, ROW) >= 0.9)
    return { confidence: 0.8, because: 'rows of number, instances, bytes, class' };
  const java = first.some((line) => JAVA_NAME.test(line.slice(0, 200)));
  if (first.length >= 3 && java && share(first, BARE_ROW) >= 0.9)
    return { confidence: 0.8, because: 'rows of instances, bytes, class' };
  return NO_GUESS;
}
