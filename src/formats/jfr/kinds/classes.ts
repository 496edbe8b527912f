/** Class loading. Unloaded classes have no stack: `events` lists them, and a counter has the number of classes. */
import { note } from '../../../base/note.js';
import { CLASS_LOAD_EVENTS } from '../../../models/events/class.js';
import type { KindOfEvents, KindSource } from './kind-source.js';

const HAPPENED = { stack: 'stackTrace', thread: 'eventThread', time: 'startTime' };
const source = (type: string, columns: KindSource['columns']): KindSource => ({
  type,
  columns: { ...HAPPENED, loaded: 0, defined: 0, spent: 0, ...columns },
});

const NESTED = [note('nested-loading', 'Loading a class includes loading those that it needs, so times overlap.')];

export const CLASSES: readonly KindOfEvents[] = [
  {
    kind: CLASS_LOAD_EVENTS,
    sources: [
      source('jdk.ClassLoad', { class: 'loadedClass', loaded: 1, spent: 'duration' }),
      source('jdk.ClassDefine', { class: 'definedClass', defined: 1 }),
    ],
    metrics: [
      CLASS_LOAD_EVENTS.metric('spent', { id: 'class-loading', title: 'Time of class loading', notes: NESTED }),
      CLASS_LOAD_EVENTS.metric('loaded', { id: 'classes-loaded', title: 'Classes loaded' }),
      CLASS_LOAD_EVENTS.metric('defined', { id: 'classes-defined', title: 'Classes defined' }),
    ],
  },
];
