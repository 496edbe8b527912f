/** Experiments of gprofng and the Sun Studio Performance Analyzer. Format: docs/formats/experiment.md. */
import { UnreadableError } from '../../base/errors.js';
import { NO_GUESS } from '../capabilities/probe.js';
import type { Format } from '../format.js';
import { claimExperiments } from './claims.js';

export type { EventFacts, ExperimentDetails, MapEvent, ProcessDetails } from './details.js';
export { experimentDetails } from './details.js';
export { CLOCK_CHANGED, LEAF_BCI } from './facts.js';
export { countersOf } from './kinds/counters.js';
export type { ExperimentLog, LogEvent } from './log.js';

export const experiment: Format = {
  id: 'experiment',
  title: 'experiment of gprofng or the Sun Studio Performance Analyzer',
  article: 'an',
  extensions: [],
  // One file of it is no recording: `known/native.ts` names it and says which folder to open.
  probe: () => NO_GUESS,
  read: (source) =>
    Promise.reject(new UnreadableError(`${source.name}: an experiment is a directory`, { code: 'not-a-file' })),
  sets: {
    claims: claimExperiments,
    read: async (tree, set, work, how) => (await import('./read.js')).readExperiment(tree, set, work, how),
    ended: ({ problems }) => problems.list.every(({ code }) => code !== 'experiment-not-closed'),
    programs: {
      impliedCalls: true,
      copyOf: async (tree, set, path) => (await import('./places/archived.js')).archivedCopy(tree, set, path),
      copyNames: async (set) => (await import('./places/archived.js')).archivedNames(set),
      generatedCode: async (tree, set, names) =>
        (await import('./places/generated-code.js')).generatedCode(tree, set, names),
      recordedHere: async (tree, set, here) => (await import('./places/here.js')).recordedHere(tree, set, here),
    },
  },
  writer: {
    set: {
      extensions: ['er'],
      inFolder: true,
      write: async (recording) => (await import('./write/write.js')).writeExperiment(recording),
      fileName: (part, output) => `${output}/${part}`,
    },
  },
};
