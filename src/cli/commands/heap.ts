/** `heap`: questions about the objects of a program. */
import type { Command } from 'commander';
import type { Invocation } from '../host.js';
import { answer } from '../invocation/answer.js';
import {
  addBaseOptions,
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type BaseOptions,
  type ListingOptions,
} from '../invocation/options.js';

const EXAMPLE = 'examples/histogram/before.txt';
const FILES = 'class histograms, heap dumps';

export function registerHeap(program: Command, invocation: Invocation): void {
  const heap = program.command('heap').description('Java heap: objects by class').helpCommand(false);
  const command = heap
    .command('histogram')
    .description('number and size of the objects of each class')
    .argument('<file...>', FILES)
    .option('--class <regex>', 'only classes with a matching name');
  addScopeOptions(addPageOptions(addBaseOptions(addOutputOptions(command)))).action(
    (files: string[], options: ListingOptions & BaseOptions & { class?: string }) => {
      const pattern = options.class;
      if (options.base !== undefined) {
        const asked = { by: 'class', ...(pattern === undefined ? {} : { match: pattern }) } as const;
        return answer(invocation, files, { view: 'diff', options: asked }, options);
      }
      const question = pattern === undefined ? {} : { class: pattern };
      return answer(invocation, files, { view: 'heap-histogram', options: question }, options);
    },
  );
  addExamples(command, [`heap histogram ${EXAMPLE}`, `heap histogram ${EXAMPLE} --class ^Growing --sort objects`]);
}
