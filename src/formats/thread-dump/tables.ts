/** The fields that thread dumps have beyond those of the models. */
import { STATE_FIELDS } from '../../models/locks/locks.js';
import { THREAD_FIELDS } from '../../models/profile/fields.js';
import type { Metric } from '../../models/profile/profile.js';
import type { Field } from '../../models/table.js';

export const DUMP_THREAD_FIELDS: readonly Field[] = [
  ...THREAD_FIELDS,
  { key: 'number', title: 'Id', holds: 'number', unit: 'none', meaning: 'Thread.threadId(); -1 not told', wide: true },
  {
    key: 'native',
    title: 'Native id',
    holds: 'number',
    unit: 'none',
    meaning: 'of the operating system; -1 not told',
    wide: true,
  },
  { key: 'address', title: 'Address', holds: 'number', unit: 'none', meaning: 'in the VM; -1 not told', wide: true },
  { key: 'daemon', title: 'Daemon', holds: 'number', unit: 'none', meaning: '1 for daemons; -1 not told' },
  { key: 'virtual', title: 'Virtual', holds: 'number', unit: 'none', meaning: '1 for virtual threads; -1 not told' },
  { key: 'priority', title: 'Priority', holds: 'number', unit: 'none', meaning: 'of Java; -1 not told' },
];

/** Follows them where the dump has thread containers. */
export const GROUP_FIELD: Field = {
  key: 'group',
  title: 'Group',
  holds: 'string',
  unit: 'none',
  meaning: 'the thread container it was in',
};

export const DUMP_STATE_FIELDS: readonly Field[] = [
  ...STATE_FIELDS,
  {
    key: 'cpu',
    title: 'CPU',
    holds: 'number',
    unit: 'ns',
    meaning: 'of the thread since it began; -1 not told',
    wide: true,
  },
  {
    key: 'elapsed',
    title: 'Elapsed',
    holds: 'number',
    unit: 'ns',
    meaning: 'since the thread began; -1 not told',
    wide: true,
  },
  {
    key: 'allocated',
    title: 'Allocated',
    holds: 'number',
    unit: 'bytes',
    meaning: 'by the thread since it began; -1 not told',
    wide: true,
  },
  { key: 'defined', title: 'Classes', holds: 'number', unit: 'count', meaning: 'that the thread defined; -1 not told' },
];

export const THREADS_METRIC: Metric = {
  id: 'threads',
  title: 'Threads',
  unit: 'samples',
  nature: 'flow',
  table: 'state',
};
