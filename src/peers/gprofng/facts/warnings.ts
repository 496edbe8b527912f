/** What warnings of the recorder say. */
import { dictionary } from '../../../base/dictionary.js';
import { CLOCK_CHANGED } from '../../../formats/experiment/index.js';

/** By number; of words that the recorder wrote beside it. */
const WARNINGS = dictionary<(text: string) => string>({
  '200': () => 'No warning',
  '201': (type) => `Experiment was written to a filesystem of type \`${type}'; data may be distorted`,
  '202': (change) => `Profiling interval was changed from requested ${change} (microsecs.) used`,
  '203': () => 'Experiment size limit exceeded',
  '204': (by) => `SIGPROF handler was changed (${by}) during the run; profile data may be unreliable`,
  '205': (rate) => `Periodic sampling rate adjusted ${rate} microseconds`,
  '206': (to) => `Application's attempt to set interval timer period to ${to} was ignored; its behavior may be changed`,
  [CLOCK_CHANGED]: (text) => `Collection interval timer period was changed (${text}); profile data may be unreliable`,
  '208': () => 'SIGEMT handler was changed during the run; profile data may be unreliable',
  '210': (call) => `vfork(2) replaced by ${call}; execution may be affected`,
  '211': (count) => `exec environment augmented with ${count} missing collection variables`,
  '212': (signal) => `target installed handler for sample signal ${signal}; samples may be lost`,
  '213': (signal) => `target installed handler for pause/resume signal ${signal}; data may be lost or unexpected`,
  '216': (signal) => `Blocking ${signal} ignored while in use for collection`,
  '217': (why) => `Following disabled for uncollectable target (${why})`,
  '218': (why) => `Following unqualified target may be unreliable (${why})`,
  '219': (change) => `Imminent process ID change (${change}) may result in an inconsistent experiment`,
  '221': (timer) => `Collector reset application's profile timer ${timer}; application behavior may be changed`,
  '222': () => 'Java heap profiling is not supported by JVMTI; disabled ',
  '231': () => 'No profile data recorded in experiment',
});

/** The words of a warning by its number, as gprofng prints them. */
export function warningText(id: string, text: string): string {
  return WARNINGS[id]?.(text) ?? text;
}
