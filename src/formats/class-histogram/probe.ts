/** Is it a class histogram? Decided by its line of titles, or by rows of such a shape with Java's names. */
import { type Guess, type Head, NO_GUESS } from '../format.js';
import { filledLines, share } from '../shared/head-text.js';

const TITLES = /^(?:\[.{0,200}\](?: GC\(\d{1,9}\))?)?\s{0,20}num\s{1,20}#instances\s{1,20}#bytes\s/;
const ROW = /^(?:\[.{0,200}\](?: GC\(\d{1,9}\))?)?\s{0,20}\d{1,10}:\s{1,20}\d{1,19}\s{1,20}\d{1,19}\s{1,4}\S/;
const BARE_ROW = /^\s{0,20}\d{1,19}\s{1,20}\d{1,19}\s{1,4}(?:\[|<\w{1,60}Klass>|[\w$]{1,200}(?:[.$/]|$))/;
const JAVA_NAME = /\s(?:\[[BCDFIJSZ]|\[Ljava|java\.lang\.|<\w{1,60}Klass>)/;

/** A fence or heading of Markdown. */
const MARKDOWN = /^\s{0,3}(?:`{3}|~{3}|#{1,6}\s{1,8}\S)/;

/** Lines among which the titles are looked for: logs of the VM have other lines before. */
const LINES = 1000;

export function probeClassHistogram(head: Head): Guess {
  const lines = filledLines(head, 'keep', LINES);
  const titles = lines.findIndex((line) => TITLES.test(line.slice(0, 400)));
  const because = 'columns num, #instances, #bytes and class name';
  // A page that explains histograms, with a sample of one in it.
  if (lines.slice(0, Math.max(titles, 0)).some((line) => MARKDOWN.test(line.slice(0, 100)))) return NO_GUESS;
  if (titles >= 0 && titles < 10) return { confidence: 1, because };
  if (titles >= 0) return { confidence: 0.92, because: `${because}, after ${titles} other lines` };
  const first = lines.slice(0, 100);
  if (first.length >= 3 && share(first, ROW) >= 0.9)
    return { confidence: 0.8, because: 'rows of number, instances, bytes, class' };
  const java = first.some((line) => JAVA_NAME.test(line.slice(0, 200)));
  if (first.length >= 3 && java && share(first, BARE_ROW) >= 0.9)
    return { confidence: 0.8, because: 'rows of instances, bytes, class' };
  return NO_GUESS;
}
