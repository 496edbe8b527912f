/** Errors about missing data say what the recording knows of the reason. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { DamagedError, MissingError } from '../base/errors.js';
import type { Recording } from '../models/recording.js';
import { missingData } from './missing-data.js';

function recordingOf(complete: boolean, messages: readonly string[]): Pick<Recording, 'complete' | 'problems'> {
  return {
    complete,
    problems: {
      list: [
        { code: 'other', severity: 'info', message: 'is no reason' } as const,
        ...messages.map((message) => ({ code: 'recorder', severity: 'warning', message }) as const),
      ],
      counts: {},
    },
  };
}

test('the first warning of a recording stands below the advice, with the number of others', () => {
  const error = new MissingError('x has no samples', { code: 'no-stacks', advice: 'Ask on.', lines: ['one'] });
  equal(missingData(error, recordingOf(true, [])), error);
  const one = missingData(error, recordingOf(true, ['no clock']));
  ok(one instanceof MissingError);
  deepEqual([one.code, one.advice, one.lines], ['no-stacks', 'Ask on.', ['one', 'Warning: no clock']]);
  deepEqual(missingData(error, recordingOf(true, ['no clock', 'a', 'b'])).lines, [
    'one',
    'Warning: no clock (`check` lists 2 more warnings)',
  ]);
});

test('of a damaged recording, the data may be in the part that was lost', () => {
  const error = missingData(new MissingError('x has no samples'), recordingOf(false, ['no clock']));
  ok(error instanceof DamagedError);
  equal(error.message, 'x has no samples in the part that could be read');
});
