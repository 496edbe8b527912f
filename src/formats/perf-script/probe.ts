/** Recognises the output of `perf script` by lines that begin events, and frames below them. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import { filledLines, textOf } from '../shared/head-text.js';

/** Event line: command, process or process/thread, [cpu], flags, seconds, period, event name, colon. */
const PERF_EVENT =
  /^\s{0,8}\S.{0,40}?\s{1,12}-?\d{1,10}(?:\/-?\d{1,10})?\s{1,12}(?:\[\d{1,4}\]\s{1,8})?(?:[.a-zA-Z]{4,5}\s{1,8})?\d{1,12}\.\d{3,9}:\s{1,12}(?:\d{1,19}\s{1,8})?[^\s:]{0,60}[a-zA-Z][^\s]{0,100}:/;
const PERF_FRAME = /^\s{1,40}[0-9a-f]{2,16}\s{1,8}\S/;

/** Recognises the output of `perf script` by its events and frames. */
export function probePerfScript(head: Head): Guess {
  const lines = filledLines(head, 'drop', 400);
  const events = lines.filter((line) => PERF_EVENT.test(line.slice(0, 300))).length;
  const frames = lines.filter((line) => PERF_FRAME.test(line.slice(0, 100))).length;
  if (events > 0 && frames > 0 && events + frames > lines.length / 2) {
    return claim(0.95, 'events of command, process, time and name, with frames below them');
  }
  if (events >= 2 && events > lines.length / 2) return claim(0.8, 'events of command, process, time and name');
  if (/^# ={8}\n# captured on/.test(textOf(head).text)) return claim(0.4, 'the header that perf writes');
  return events > 0 ? claim(0.3, 'a line like an event of perf script') : NO_GUESS;
}

function claim(confidence: number, because: string): Guess {
  return { confidence, because };
}
