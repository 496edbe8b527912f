/** `io`: questions about input and output. */
import { type Command, Option } from 'commander';
import { FILE_GROUPS, type FileGroup } from '../../../analysis/io/files.js';
import type { Invocation } from '../../host.js';
import { answer } from '../../invocation/answer.js';
import {
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type ListingOptions,
} from '../../invocation/options.js';

const FILES = 'recordings with calls of input and output: experiments, JDK Flight Recorder';
const EXAMPLE = 'examples/experiment/store.er.tar.gz';

export function registerIo(program: Command, invocation: Invocation): void {
  const io = program
    .command('io')
    .description('input and output: bytes and times by file and by size')
    .helpCommand(false);
  registerFiles(io, invocation);
  registerSizes(io, invocation);
}

function registerFiles(io: Command, invocation: Invocation): void {
  const command = io
    .command('files')
    .description('calls, bytes and times of each file, or of each opening of one')
    .argument('<file...>', FILES)
    .addOption(
      new Option('--by <group>', 'rows: files, or each opening of a file by its descriptor')
        .choices(FILE_GROUPS)
        .default('file'),
    );
  addScopeOptions(addPageOptions(addOutputOptions(command))).action(
    (files: string[], options: ListingOptions & { by: FileGroup }) =>
      answer(invocation, files, { view: 'io-files', options: { by: options.by } }, options),
  );
  addExamples(command, [`io files ${EXAMPLE}`, `io files ${EXAMPLE} --by opening --limit 5`]);
}

function registerSizes(io: Command, invocation: Invocation): void {
  const command = io
    .command('sizes')
    .description('calls that read and wrote by their bytes, and the sums of all calls')
    .argument('<file...>', FILES);
  addScopeOptions(addPageOptions(addOutputOptions(command))).action((files: string[], options: ListingOptions) =>
    answer(invocation, files, { view: 'io-sizes' }, options),
  );
  addExamples(command, [`io sizes ${EXAMPLE}`, `io sizes ${EXAMPLE} --focus read_all`]);
}
