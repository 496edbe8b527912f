/** Questions about what a program asked of its operating system, and about parts of its run. */
import { INDEX_OPTIONS, IO_FILES_OPTIONS, USAGE_OPTIONS } from '../options/recording.js';
import { NO_OPTIONS } from '../options/shared.js';
import { defineQuestion, IO_STEPS } from './entry.js';

const EXAMPLE = 'examples/experiment/store.er.tar.gz';
const WITH_CALLS = {
  description: 'recordings with calls of input and output: experiments, JDK Flight Recorder',
  several: true,
};

export const ioFiles = defineQuestion({
  id: 'io files',
  steps: IO_STEPS,
  title: 'calls, bytes and times of each file, or of each opening of one',
  recordings: WITH_CALLS,
  options: IO_FILES_OPTIONS,
  view: (options) => ({ view: 'io-files', options }),
  examples: [`io files ${EXAMPLE}`, `io files ${EXAMPLE} --by opening --limit 5`],
});

export const ioSizes = defineQuestion({
  id: 'io sizes',
  steps: IO_STEPS,
  title: 'calls that read and wrote by their bytes, and the sums of all calls',
  recordings: WITH_CALLS,
  options: NO_OPTIONS,
  view: () => ({ view: 'io-sizes' }),
  examples: [`io sizes ${EXAMPLE}`, `io sizes ${EXAMPLE} --focus read_all`],
});

export const memory = defineQuestion({
  id: 'memory',
  title: 'native memory: blocks by size, what was not freed, most in use; `sites` has it by stack',
  recordings: { description: 'recordings with events of native memory: experiments, async-profiler', several: true },
  options: NO_OPTIONS,
  view: () => ({ view: 'memory' }),
  examples: [`memory ${EXAMPLE}`, `memory ${EXAMPLE} --focus read_all`],
});

const WITH_PROCESSES = {
  description: 'recordings that describe their processes: experiments of gprofng',
  several: true,
};

export const processes = defineQuestion({
  id: 'processes',
  title: 'what a recording is of: commands, machine, kinds of data, pauses, descendants',
  recordings: WITH_PROCESSES,
  options: NO_OPTIONS,
  hasScope: false,
  view: () => ({ view: 'processes' }),
  examples: [`processes ${EXAMPLE}`, `processes ${EXAMPLE} --sort events`],
});

export const usage = defineQuestion({
  id: 'usage',
  title: 'what the operating system counted: CPU time, page faults, blocks, context switches',
  recordings: WITH_PROCESSES,
  options: USAGE_OPTIONS,
  hasScope: false,
  view: (options) => ({ view: 'usage', options }),
  examples: [`usage ${EXAMPLE}`, `usage ${EXAMPLE} --by sample`],
});

export const indexObjects = defineQuestion({
  id: 'index',
  title:
    'a metric by samples, seconds, collections, sizes, durations, processes, processors, parallel regions or tasks',
  options: INDEX_OPTIONS,
  view: (options) => ({ view: 'index-objects', options }),
  examples: [
    `index ${EXAMPLE} --by process`,
    `index ${EXAMPLE} --by size --metric io-written`,
    'index examples/jfr/shop.jfr.gz --by second --metric io-time',
  ],
});
