/** Questions about the objects of a program. */
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { phrase, theInput, theOption } from '../../base/phrase.js';
import {
  DOMINATORS_OPTIONS,
  HISTOGRAM_OPTIONS,
  INSPECT_OPTIONS,
  OBJECTS_OPTIONS,
  PATHS_OPTIONS,
  SUSPECTS_OPTIONS,
} from '../options/heap.js';
import { BASE, defineQuestion, HEAP_STEPS } from './entry.js';

const EXAMPLE = 'examples/histogram/before.txt';
const DUMP = 'examples/heap/graph.hprof.gz';
const FULL = 'examples/heap/out-of-memory.hprof.gz';
const EARLIER = 'examples/heap/cache-before.hprof.gz';
const LATER = 'examples/heap/cache-after.hprof.gz';
const TREE = 'examples/points-to/object_tree_shop.txt';
const DUMPS = { description: 'heap dumps, object trees', several: true };
const ONE_DUMP = { description: 'heap dump or object tree', several: false };

export const histogram = defineQuestion({
  id: 'heap histogram',
  steps: HEAP_STEPS,
  title: 'number and size of the objects of each class',
  recordings: { description: 'class histograms, heap dumps, object trees', several: true },
  options: HISTOGRAM_OPTIONS,
  compared: [BASE],
  view: ({ class: match, by }, { compared }) => {
    if (compared === undefined) return { view: 'heap-histogram', options: { by, ...defined({ class: match }) } };
    if (by !== 'class')
      throw new UsageError('histograms are compared by class', {
        code: 'options-exclude',
        advice: phrase`Omit ${theOption('by')} or ${theInput('base')}.`,
        action: { omit: ['by'] },
      });
    return { view: 'diff', options: { by: 'class', ...defined({ match }) } };
  },
  examples: [
    `heap histogram ${EXAMPLE}`,
    `heap histogram ${EXAMPLE} --class ^Growing --sort objects`,
    `heap histogram ${DUMP} --by package`,
  ],
});

export const dominators = defineQuestion({
  id: 'heap dominators',
  steps: HEAP_STEPS,
  title: 'objects that keep most memory alive, with their retained sizes',
  recordings: DUMPS,
  options: DOMINATORS_OPTIONS,
  compared: [BASE],
  view: (options) => ({ view: 'heap-dominators', options }),
  examples: [
    `heap dominators ${DUMP}`,
    `heap dominators ${DUMP} --by package --without weak,soft`,
    `heap dominators ${LATER} --base ${EARLIER}`,
    `heap dominators ${TREE}`,
  ],
});

export const suspects = defineQuestion({
  id: 'heap suspects',
  steps: HEAP_STEPS,
  title: 'what may leak: objects or classes that retain a large part of the heap, and where they are collected',
  recordings: DUMPS,
  options: SUSPECTS_OPTIONS,
  view: (options) => ({ view: 'heap-suspects', options }),
  examples: [`heap suspects ${FULL}`],
});

export const paths = defineQuestion({
  id: 'heap paths',
  title: 'why objects are alive: shortest paths from roots to them',
  recordings: ONE_DUMP,
  subject: 'object',
  options: PATHS_OPTIONS,
  page: 'limit',
  view: (options) => ({ view: 'heap-paths', options }),
  examples: [
    `heap paths ${DUMP} --class GraphDemo.Derived --without weak`,
    'heap paths examples/jfr/leak.jfr.gz',
    `heap paths ${TREE} 4`,
  ],
});

export const objects = defineQuestion({
  id: 'heap objects',
  steps: HEAP_STEPS,
  title: 'every object with address, class, sizes and dominator',
  recordings: DUMPS,
  options: OBJECTS_OPTIONS,
  view: (options) => ({ view: 'heap-objects', options }),
  examples: [`heap objects ${DUMP} --limit 5`, `heap objects ${DUMP} --class GraphDemo --sort retained`],
});

export const inspect = defineQuestion({
  id: 'heap inspect',
  steps: HEAP_STEPS,
  title: 'one object: values, sizes, referrers, path from a root, stack of a thread',
  recordings: ONE_DUMP,
  subject: 'object',
  options: INSPECT_OPTIONS,
  page: 'rows',
  view: (options) => ({ view: 'heap-inspect', options }),
  examples: [`heap inspect ${DUMP} 0xfe0708a0`, `heap inspect ${DUMP} 0xfe0708a0 --offset 100 --limit 50`],
});
