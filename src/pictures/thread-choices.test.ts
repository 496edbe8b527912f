/** Patterns of choices against the matcher of `--thread`, and the threads that they stand for. */
import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../base/errors.js';
import { runs } from '../testing/amount.js';
import { choiceOf, patternOf, threadChoices, threadsMatching } from './thread-choices.js';

const NAMES = [
  'main',
  'http-worker-1',
  'http-worker-10',
  'pool-1-thread-2',
  'pool-2-thread-9',
  'http-worker-2',
  'main',
];

describe('choices of threads', () => {
  it('are pools of several names, the largest first, then each name, with the number of its threads', () => {
    deepEqual(
      threadChoices([...NAMES, 'pool-2-thread-1']).map(({ title }) => title),
      [
        ...['http-worker-* (3 threads)', 'pool-2-thread-* (2 threads)', 'main (2 threads)', 'http-worker-1'],
        ...['http-worker-10', 'pool-1-thread-2', 'pool-2-thread-9', 'http-worker-2', 'pool-2-thread-1'],
      ],
    );
  });

  it('have the name as pattern where it means no other thread, else a longer one', () => {
    const patterns = threadChoices(NAMES).map((choice) => [choice.title, patternOf(choice, NAMES)]);
    deepEqual(Object.fromEntries(patterns), {
      'http-worker-* (3 threads)': 'http-worker-*',
      'main (2 threads)': 'main',
      'http-worker-1': '^http-worker-1$',
      'http-worker-10': 'http-worker-10',
      'http-worker-2': 'http-worker-2',
      'pool-1-thread-2': 'pool-1-thread-2',
      'pool-2-thread-9': 'pool-2-thread-9',
    });
    const connections = ['RMI TCP Connection(2)-10.0.0.7', 'RMI TCP Connection(31)-10.0.0.7', 'RMI TCP Accept-0'];
    const [pool] = threadChoices(connections);
    equal(pool && patternOf(pool, connections), '^RMI TCP Connection\\(\\d+\\)-10\\.0\\.0\\.7$');
  });

  it('of part of the threads mean all of a pool that are known', () => {
    const [pool] = threadChoices(NAMES.slice(0, 3));
    equal(pool && patternOf(pool, [...NAMES, 'http-worker-x']), '^http-worker-\\d+$');
  });

  it('have patterns that mean their threads and no other, whatever the names are', () => {
    const part = fc.constantFrom('a', 'b', '-', '(', ')', '*', '$', '1', '22', '.', '|', '-10.0.0.7', ' ');
    const name = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 8 }), (names) => {
        const choices = threadChoices(names);
        for (const choice of choices) {
          const marks = threadsMatching(names, patternOf(choice, names));
          deepEqual(
            names.filter((_, i) => marks[i] === 1),
            names.filter((one) => choice.names.includes(one)),
          );
          deepEqual(choiceOf(choices, names, patternOf(choice, names))?.names, choice.names);
        }
      }),
      runs(300),
    );
  });

  it('are none for a pattern of other threads, and one that means none is refused with the closest name', () => {
    equal(choiceOf(threadChoices(NAMES), NAMES, '-1'), undefined);
    throws(
      () => threadsMatching(NAMES, 'http-wroker-2'),
      (error: unknown) => error instanceof UsageError && /http-worker-2/.test(String(error.advice)),
    );
    throws(() => threadsMatching(NAMES, '('), /not a regular expression: \(/);
    match(patternOf({ title: '', names: ['main'] }, NAMES), /^main$/);
  });
});
