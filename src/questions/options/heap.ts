/** Options of questions about heaps. */
import { z } from 'zod';
import { choice, clearedFlag, optionalText, text } from './option.js';
import { CLASS } from './shared.js';

/** Kinds of references that may be left out. */
export const WEAK_KINDS = ['soft', 'weak', 'phantom', 'final'] as const;

/** Whose rule holds: that of the VM, or that of Eclipse MAT. */
export const HEAP_RULES = ['vm', 'mat'] as const;

export const HISTOGRAM_GROUPS = ['class', 'package', 'loader'] as const;
export const DOMINATOR_GROUPS = ['object', 'class', 'loader', 'package'] as const;

/** What all questions about single objects can choose: which references and roots count, and which sizes. */
export const CHOICE = {
  without: z.array(z.enum(WEAK_KINDS)).default([]).meta({
    title: 'Without references',
    description: 'references that do not hold objects',
    value: 'kinds',
  }),
  roots: choice(HEAP_RULES, 'vm', 'Roots', 'roots as in the dump, or as in Eclipse MAT', 'rule'),
  sizes: choice(HEAP_RULES, 'vm', 'Sizes', 'sizes as in the VM, or as in Eclipse MAT', 'rule'),
};

export const HISTOGRAM_OPTIONS = z.object({
  class: CLASS,
  by: choice(HISTOGRAM_GROUPS, 'class', 'Group by', 'rows of the table'),
});

export const DOMINATORS_OPTIONS = z.object({
  by: choice(DOMINATOR_GROUPS, 'object', 'Group by', 'rows of the table'),
  parent: optionalText('Parent', 'list the objects that this one dominates', {
    value: 'address',
    usual: 'those that only roots hold',
  }),
  ...CHOICE,
});

const OF_CLASS = { value: 'regex' };

export const SUSPECTS_OPTIONS = z.object(CHOICE);

export const PATHS_OPTIONS = z.object({
  object: optionalText('Object', 'address of an object, or its id in an object tree', { value: 'address' }),
  class: optionalText('Class', 'objects of the classes with a matching name', OF_CLASS),
  merge: clearedFlag(
    'Merge',
    'one node for the objects of a class below the same node',
    'keep objects of one class apart',
  ),
  ...CHOICE,
});

export const OBJECTS_OPTIONS = z.object({
  class: optionalText('Class', 'only objects of the classes with a matching name', OF_CLASS),
  ...CHOICE,
});

export const INSPECT_OPTIONS = z.object({
  object: text('Object', 'address of the object, as other commands print it, or its id in an object tree', 'address'),
  graph: clearedFlag(
    'Graph',
    'what holds the object, too: needs the graph of the whole heap',
    'only the values of the object: needs little memory for dumps of any size',
  ),
  ...CHOICE,
});
