/** Recognises callgrind's and cachegrind's text by its first line, or by the lines that every such file has. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { filledLines } from '../shared/head-text.js';

export function probeCallgrind(head: Head): Guess {
  const lines = filledLines(head, 'keep', 400);
  if (lines[0]?.trim() === '# callgrind format')
    return { confidence: 1, because: 'its first line is "# callgrind format"' };
  const events = lines.find((line) => /^events:\s/.test(line));
  if (events === undefined || !lines.some((line) => /^(?:fn|fl|ob)=/.test(line))) return NO_GUESS;
  const isBegun = /^(?:version|creator|positions|events|pid|cmd|part|desc|#)/.test(lines[0] ?? '');
  return isBegun
    ? { confidence: 0.9, because: `${events.slice(0, 60)} and lines fn=, fl=` }
    : { confidence: 0.3, because: 'lines events: and fn=' };
}
