/** `heap`: questions about the objects of a program. */
import type { Command } from 'commander';
import { dominators, histogram, inspect, objects, paths, suspects } from '../../questions/catalogue/heap.js';
import type { Invocation } from '../host.js';
import { registerQuestion } from '../invocation/question.js';

/** Rows that are in memory at a time where all objects are written. */
const OBJECTS_A_PIECE = 1 << 16;

export function registerHeap(program: Command, invocation: Invocation): void {
  const heap = program
    .command('heap')
    .description('Java heap: classes, objects, what keeps them alive')
    .helpCommand(false);
  registerQuestion(heap, invocation, histogram);
  registerQuestion(heap, invocation, dominators);
  registerQuestion(heap, invocation, suspects);
  registerQuestion(heap, invocation, paths);
  registerQuestion(heap, invocation, objects, { printing: () => ({ pieces: OBJECTS_A_PIECE }) });
  registerQuestion(heap, invocation, inspect, {
    printing: () => ({
      page: async (result, layout) => {
        const { inspectPage } = await import('../render/inspect.js');
        if (result.type !== 'heap-inspect') throw new Error(`an object was answered with ${result.type}`);
        return inspectPage(result, layout);
      },
    }),
  });
}
