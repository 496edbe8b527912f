/** `io files`: input and output by file, or by each opening of one: calls, bytes and times of reading, writing, other calls and failed ones. */
import { z } from 'zod';
import { CALL_KINDS, type CallKind } from '../../analysis/io/calls.js';
import { filesOf, NO_FILE } from '../../analysis/io/files.js';
import { type CallSums, callSums, sumOfKinds } from '../../analysis/io/sums.js';
import { UsageError } from '../../base/errors.js';
import { phrase, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import type { Program } from '../../models/program/program.js';
import { FILE_GROUPS, IO_FILES_OPTIONS } from '../../questions/options/recording.js';
import { columnsOf, common, detail, listed, listingShape, maybe, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { ioUse, requireIo } from './recorded.js';

const row = z.object({
  time: number('Time', 'ns', 'in all calls'),
  share: maybe('Time %', 'ratio', 'share of the time of all files'),
  calls: number('Calls', 'count', 'number of calls'),
  reads: detail(1, number('Reads', 'count', 'calls that read')),
  read: number('Read', 'bytes', 'bytes read'),
  read_time: number('Read time', 'ns', 'in calls that read'),
  writes: detail(1, number('Writes', 'count', 'calls that wrote')),
  written: number('Written', 'bytes', 'bytes written'),
  write_time: number('Write time', 'ns', 'in calls that wrote'),
  others: detail(2, number('Other calls', 'count', 'calls that neither read nor wrote')),
  other_time: detail(1, number('Other time', 'ns', 'in calls that neither read nor wrote')),
  errors: number('Errors', 'count', 'calls that failed; they are not among the others'),
  error_time: detail(2, number('Error time', 'ns', 'in calls that failed')),
  longest: detail(1, number('Longest', 'ns', 'the longest call')),
  descriptor: maybe('Descriptor', 'none', 'file descriptor of the opening; null of several, and if opening it failed'),
  name: text(
    'File',
    'path of the file, or host and port; <unnamed> of pipes, sockets and files opened before, <no file> of calls without one',
  ),
});

export const ioFilesView = defineView({
  name: 'io-files',
  version: 1,
  title: 'Input and output by file',
  withoutNames: true,
  options: IO_FILES_OPTIONS,
  shape: {
    ...listingShape(row),
    by: z.enum(FILE_GROUPS),
    time: z.number().describe('of all calls, in ns'),
    read: z.number().describe('bytes read'),
    written: z.number().describe('bytes written'),
    errors: z.number().describe('calls that failed'),
  },
  needs: (input) => ({ io: ioUse(input) }),
  answer: async (input, { by }, { io }) => {
    const recorded = requireIo(input, io);
    if (by === 'opening' && recorded.openings === undefined)
      throw new UsageError(`${input.recording.name} has no descriptors of its files`, {
        code: 'no-descriptors',
        advice: phrase`Omit ${theOption('by', { value: 'opening' })}.`,
        action: { omit: ['by'] },
      });
    const { calls, openings } = recorded;
    const { files, sums } = await input.kept('sums', bytesOfSums, () => {
      const files = filesOf(recorded, by);
      return { files, sums: callSums(calls, files.length, (i) => files.group[i]) };
    });
    const total = (kind: CallKind, key: keyof CallSums): number =>
      sums[kind][key].reduce((sum, value) => sum + value, 0);
    const time = Array.from({ length: files.length }, (_, i) => sumOfKinds(sums, 'time', i));
    const whole = time.reduce((sum, value) => sum + value, 0);
    const cell = (kind: CallKind, key: keyof CallSums) => (i: number) => sums[kind][key][i];
    const cells = {
      time: (i: number) => time[i],
      share: (i: number) => share(time[i], whole),
      calls: (i: number) => sumOfKinds(sums, 'count', i),
      reads: cell('read', 'count'),
      read: cell('read', 'bytes'),
      read_time: cell('read', 'time'),
      writes: cell('write', 'count'),
      written: cell('write', 'bytes'),
      write_time: cell('write', 'time'),
      others: cell('other', 'count'),
      other_time: cell('other', 'time'),
      errors: cell('error', 'count'),
      error_time: cell('error', 'time'),
      longest: (i: number) => Math.max(...CALL_KINDS.map((kind) => sums[kind].longest[i])),
      descriptor: (i: number) => {
        const descriptor = openings?.descriptor[files.opening[i]] ?? -1;
        return descriptor < 0 ? null : descriptor;
      },
      name: (i: number) => fileName(input.recording.program, files.name[i], files.port[i]),
    };
    return {
      ...common(input),
      by,
      time: whole,
      read: total('read', 'bytes'),
      written: total('write', 'bytes'),
      errors: total('error', 'count'),
      ...(await listed(cells, {
        columns: columnsOf(row).filter(({ key }) => key !== 'descriptor' || by === 'opening'),
        count: files.length,
        input,
        usual: 'time',
      })),
    };
  },
});

/** By file: its name, and of each kind of calls four sums. */
function bytesOfSums({ files }: { readonly files: ReturnType<typeof filesOf> }): number {
  return files.group.byteLength + files.length * (12 + CALL_KINDS.length * 32);
}

function fileName({ names }: Program, name: number, port: number): string {
  if (name === NO_FILE) return '<no file>';
  if (name < 0) return '<unnamed>';
  const text = stringAt(names, name);
  return port < 0 ? text : `${text}:${port}`;
}
