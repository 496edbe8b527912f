/**
 * How sampled objects are held: each row is an object, and the reference to it from the object above, up to one that a root holds.
 *
 *   root ──► class Work ──LEAK──► ArrayList ──elementData──► Object[] ──[5]──► byte[]
 *            above -1             above 0                    above 1            above 2
 */
import { CLASS } from '../events/shared-fields.js';
import { defineTable, type RowsOf } from '../table-kind.js';

/** Objects above come first. */
export const REFERENCES = defineTable('reference', 'References', [
  {
    key: 'above',
    title: 'Above',
    holds: 'row',
    unit: 'none',
    meaning: 'row of the object that refers to it; -1 a root',
  },
  CLASS,
  { key: 'field', title: 'Field', holds: 'string', unit: 'none', meaning: 'field of the object above; -1 none' },
  { key: 'index', title: 'Index', holds: 'number', unit: 'none', meaning: 'element of the array above; -1 none' },
  {
    key: 'skipped',
    title: 'Skipped',
    holds: 'number',
    unit: 'count',
    meaning: 'objects between this one and the one above that are not recorded',
  },
  {
    key: 'description',
    title: 'Description',
    holds: 'string',
    unit: 'none',
    meaning: 'of the object, such as the name of a class; -1 none',
  },
  { key: 'address', title: 'Address', holds: 'number', unit: 'none', meaning: 'address of the object', wide: true },
]);
export type ReferenceRows = RowsOf<typeof REFERENCES>;
