/** Commands that show code with the values of a recording: annotated source, bytecode, native code. */
import type { Command } from 'commander';
import type { Invocation } from '../host.js';
import { answer } from '../invocation/answer.js';
import { addDebugOptions } from '../invocation/debug-options.js';
import {
  addCodeOptions,
  addErrorOption,
  addExamples,
  addOutputOptions,
  addScopeOptions,
  addSourceOptions,
  addTableOptions,
  type CodeOptions,
  type ErrorOptions,
  type OutputOptions,
  wholeNumber,
} from '../invocation/options.js';

const EXAMPLE = 'examples/loops/loops.iprof';
const CODE = '--classes examples/loops';
const SOURCE = '--source-path examples/loops';

interface ListingOfCode extends OutputOptions, CodeOptions, ErrorOptions {
  readonly metric?: string;
  readonly limit: number;
  readonly offset: number;
}

export function registerCode(program: Command, invocation: Invocation): void {
  const source = program
    .command('source')
    .description('source lines with the numbers recorded for each')
    .argument('<file>', 'recording; - is standard input, archive.zip!/inner/path a member')
    .argument('<name>', 'a class or source file for the whole file, or a method or native function')
    .option('--disasm', 'show bytecode or machine code below each line');
  addCodeListing(source).action((file: string, name: string, options: ListingOfCode & { disasm?: true }) =>
    answer(
      invocation,
      [file],
      { view: 'source', options: { name, disasm: options.disasm === true, ...valuesOf(options) } },
      options,
    ),
  );
  addExamples(source, [
    `source ${EXAMPLE} Loops.gcd ${CODE} ${SOURCE}`,
    `source ${EXAMPLE} Loops ${CODE} ${SOURCE} --disasm`,
  ]);
  const disasm = program
    .command('disasm')
    .description('bytecode of a method, or native code, with the numbers recorded for each instruction')
    .argument('<file>', 'recording; - is standard input, archive.zip!/inner/path a member')
    .argument('<method>', 'name, Class.method, Class.method(types), or a regular expression');
  addCodeListing(disasm).action((file: string, method: string, options: ListingOfCode) =>
    answer(invocation, [file], { view: 'disasm', options: { method, ...valuesOf(options) } }, options),
  );
  addExamples(disasm, [`disasm ${EXAMPLE} Loops.gcd ${CODE}`, `disasm ${EXAMPLE} Loops.gcd ${CODE} ${SOURCE}`]);
}

/** Which values are shown, and whether with their errors. */
function valuesOf({ metric, error }: ListingOfCode): { metric?: string; error: boolean } {
  return { ...(metric === undefined ? {} : { metric }), error: error === true };
}

/** Code is read as a whole: all rows are shown unless a limit is given. */
function addCodeListing(command: Command): Command {
  const listing = addDebugOptions(addSourceOptions(addCodeOptions(addErrorOption(addTableOptions(command)))))
    .option('--metric <id>', 'metric to show (default: calls for PGO profiles, else the usual metric)')
    .option('--limit <rows>', 'number of rows; 0 for all', wholeNumber, 0)
    .option('--offset <rows>', 'rows to skip', wholeNumber, 0);
  return addScopeOptions(addOutputOptions(listing));
}
