/** `heap`: questions about the objects of a program. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../base/errors.js';
import { WEAK_KINDS } from '../../views/heap/choice.js';
import type { Invocation } from '../host.js';
import { answer } from '../invocation/answer.js';
import {
  addBaseOptions,
  addExamples,
  addLimitOption,
  addOffsetOption,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type BaseOptions,
  type LimitOptions,
  type ListingOptions,
} from '../invocation/options.js';

const EXAMPLE = 'examples/histogram/before.txt';
const DUMP = 'examples/heap/graph.hprof.gz';
const EARLIER = 'examples/heap/cache-before.hprof.gz';
const LATER = 'examples/heap/cache-after.hprof.gz';
const TREE = 'examples/points-to/object_tree_shop.txt';
const FILES = 'class histograms, heap dumps, object trees';
const DUMPS = 'heap dumps, object trees';

type WeakKind = (typeof WEAK_KINDS)[number];

/** Options that say which references and roots count, and which sizes. */
interface ChoiceOptions {
  readonly without?: readonly WeakKind[];
  readonly roots?: 'vm' | 'mat';
  readonly sizes?: 'vm' | 'mat';
}

export function registerHeap(program: Command, invocation: Invocation): void {
  const heap = program
    .command('heap')
    .description('Java heap: classes, objects, what keeps them alive')
    .helpCommand(false);
  registerHistogram(heap, invocation);
  registerDominators(heap, invocation);
  registerPaths(heap, invocation);
  registerObjects(heap, invocation);
  registerInspect(heap, invocation);
}

function registerHistogram(heap: Command, invocation: Invocation): void {
  const command = heap
    .command('histogram')
    .description('number and size of the objects of each class')
    .argument('<file...>', FILES)
    .option('--class <regex>', 'only classes with a matching name')
    .addOption(
      new Option('--by <group>', 'rows of the table').choices(['class', 'package', 'loader']).default('class'),
    );
  addScopeOptions(addPageOptions(addBaseOptions(addOutputOptions(command)))).action(
    (
      files: string[],
      options: ListingOptions & BaseOptions & { class?: string; by: 'class' | 'package' | 'loader' },
    ) => {
      const { class: pattern, by } = options;
      if (options.base !== undefined) {
        if (by !== 'class') throw new UsageError('histograms are compared by class', 'Omit --by or --base.');
        const asked = { by: 'class', ...(pattern === undefined ? {} : { match: pattern }) } as const;
        return answer(invocation, files, { view: 'diff', options: asked }, options);
      }
      const question = { by, ...(pattern === undefined ? {} : { class: pattern }) };
      return answer(invocation, files, { view: 'heap-histogram', options: question }, options);
    },
  );
  addExamples(command, [
    `heap histogram ${EXAMPLE}`,
    `heap histogram ${EXAMPLE} --class ^Growing --sort objects`,
    `heap histogram ${DUMP} --by package`,
  ]);
}

function registerDominators(heap: Command, invocation: Invocation): void {
  const command = heap
    .command('dominators')
    .description('objects that keep most memory alive, with their retained sizes')
    .argument('<file...>', DUMPS)
    .addOption(
      new Option('--by <group>', 'rows of the table')
        .choices(['object', 'class', 'loader', 'package'])
        .default('object'),
    )
    .option('--parent <address>', 'list the objects that this one dominates');
  addChoiceOptions(addScopeOptions(addPageOptions(addBaseOptions(addOutputOptions(command))))).action(
    (
      files: string[],
      options: ListingOptions &
        BaseOptions &
        ChoiceOptions & { by: 'object' | 'class' | 'loader' | 'package'; parent?: string },
    ) => {
      const { by, parent } = options;
      const asked = { ...choice(options), by, ...(parent === undefined ? {} : { parent }) };
      return answer(invocation, files, { view: 'heap-dominators', options: asked }, options);
    },
  );
  addExamples(command, [
    `heap dominators ${DUMP}`,
    `heap dominators ${DUMP} --by package --without weak,soft`,
    `heap dominators ${LATER} --base ${EARLIER}`,
    `heap dominators ${TREE}`,
  ]);
}

function registerPaths(heap: Command, invocation: Invocation): void {
  const command = heap
    .command('paths')
    .description('why objects are alive: shortest paths from roots to them')
    .argument('<file>', 'heap dump or object tree')
    .argument('[address]', 'address of an object, or its id in an object tree')
    .option('--class <regex>', 'objects of the classes with a matching name')
    .option('--no-merge', 'keep objects of one class apart');
  addChoiceOptions(addScopeOptions(addLimitOption(addOutputOptions(command)))).action(
    (
      file: string,
      object: string | undefined,
      options: LimitOptions & ChoiceOptions & { class?: string; merge: boolean },
    ) => {
      const { class: pattern, merge } = options;
      const asked = {
        ...choice(options),
        merge,
        ...(object === undefined ? {} : { object }),
        ...(pattern === undefined ? {} : { class: pattern }),
      };
      return answer(invocation, [file], { view: 'heap-paths', options: asked }, options);
    },
  );
  addExamples(command, [
    `heap paths ${DUMP} --class GraphDemo.Derived --without weak`,
    'heap paths examples/jfr/leak.jfr.gz',
    `heap paths ${TREE} 4`,
  ]);
}

function registerObjects(heap: Command, invocation: Invocation): void {
  const command = heap
    .command('objects')
    .description('every object with address, class, sizes and dominator')
    .argument('<file...>', DUMPS)
    .option('--class <regex>', 'only objects of the classes with a matching name');
  addChoiceOptions(addScopeOptions(addPageOptions(addOutputOptions(command)))).action(
    (files: string[], options: ListingOptions & ChoiceOptions & { class?: string }) => {
      const pattern = options.class;
      const asked = { ...choice(options), ...(pattern === undefined ? {} : { class: pattern }) };
      return answer(invocation, files, { view: 'heap-objects', options: asked }, options, { pieces: OBJECTS_A_PIECE });
    },
  );
  addExamples(command, [`heap objects ${DUMP} --limit 5`, `heap objects ${DUMP} --class GraphDemo --sort retained`]);
}

function registerInspect(heap: Command, invocation: Invocation): void {
  const command = heap
    .command('inspect')
    .description('one object: values, sizes, referrers, path from a root, stack of a thread')
    .argument('<file>', 'heap dump or object tree')
    .argument('<address>', 'address of the object, as other commands print it, or its id in an object tree')
    .option('--no-graph', 'only the values of the object: needs little memory for dumps of any size');
  addChoiceOptions(addScopeOptions(addOffsetOption(addOutputOptions(command)))).action(
    (file: string, object: string, options: LimitOptions & ChoiceOptions & { offset: number; graph: boolean }) =>
      answer(
        invocation,
        [file],
        { view: 'heap-inspect', options: { ...choice(options), object, graph: options.graph } },
        options,
        {
          page: async (result, layout) => (await import('../render/inspect.js')).inspectPage(result, layout),
        },
      ),
  );
  addExamples(command, [`heap inspect ${DUMP} 0xfe0708a0`, `heap inspect ${DUMP} 0xfe0708a0 --offset 100 --limit 50`]);
}

/** Rows that are in memory at a time where all objects are written. */
const OBJECTS_A_PIECE = 1 << 16;

function addChoiceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--without <kinds>', `references that do not hold objects: ${WEAK_KINDS.join(', ')}`).argParser(
        weakKinds,
      ),
    )
    .addOption(
      new Option('--roots <rule>', 'roots as in the dump, or as in Eclipse MAT').choices(['vm', 'mat']).default('vm'),
    )
    .addOption(
      new Option('--sizes <rule>', 'sizes as in the VM, or as in Eclipse MAT').choices(['vm', 'mat']).default('vm'),
    );
}

function weakKinds(value: string): WeakKind[] {
  return value.split(',').map((word) => {
    const kind = WEAK_KINDS.find((known) => known === word.trim());
    if (kind === undefined) throw new InvalidArgumentError(`not a kind of weak reference: ${word}`);
    return kind;
  });
}

function choice({ without = [], roots = 'vm', sizes = 'vm' }: ChoiceOptions) {
  return { without: [...without], roots, sizes };
}
