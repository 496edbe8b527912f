/** `jvmpi dump`: a heap, or the monitors, of a file as an agent of JVMPI would get them. */
import { type Command, Option } from 'commander';
import { UsageError } from '../../../base/errors.js';
import { plural } from '../../../base/units.js';
import type { OpenRecording } from '../../../models/open-recording.js';
import { readable } from '../../../pictures/cells.js';
import { EXIT } from '../../exit.js';
import { type Invocation, note } from '../../host.js';
import { withSession } from '../../invocation/open.js';
import { addExamples, wholeNumber } from '../../invocation/options.js';
import { withProgress } from '../../render/progress.js';

interface DumpOptions {
  readonly output: string;
  readonly level: '0' | '1' | '2';
  readonly monitors?: true;
  readonly dump?: number;
  readonly byteOrder: 'big' | 'little';
  readonly cache: boolean;
}

const LEVELS = { 0: 0, 1: 1, 2: 2 } as const;

export function registerDump(jvmpi: Command, invocation: Invocation): void {
  const command = jvmpi
    .command('dump')
    .description('write a heap as the bytes of HEAP_DUMP, or monitors as those of MONITOR_DUMP')
    .usage('-o FILE [options] DUMP')
    .argument('<dump>', 'binary heap dump (HPROF), recording of JVMPI; with --monitors also dumps of threads')
    .requiredOption('-o, --output <file>', 'file to write; - is standard output')
    .addOption(
      new Option('--level <level>', 'objects and their kinds (0), with references (1), with all values (2)')
        .choices(['0', '1', '2'])
        .default('2'),
    )
    .option('--monitors', 'monitors with their owners and waiters instead of a heap')
    .addOption(new Option('--byte-order <order>', 'of ids and pointers').choices(['little', 'big']).default('little'))
    .option('--dump <number>', 'dump of the file, from 0 (default: the last one)', wholeNumber)
    .option('--no-cache', 'read the file itself; neither use nor write the cache')
    .action((input: string, options: DumpOptions) => dump(invocation, input, options));
  addExamples(command, [
    'jvmpi dump examples/heap/graph.hprof.gz -o /tmp/graph.jvmpi-heap',
    'jvmpi dump examples/deadlock-jstack.txt --monitors -o /tmp/deadlock.jvmpi-monitors',
  ]);
}

async function dumpMonitors(
  invocation: Invocation,
  source: OpenRecording,
  { output, dump, byteOrder }: DumpOptions,
  input: string,
): Promise<void> {
  const { writeMonitorDump } = await import('../../../transform/jvmpi/dumps.node.js');
  const { left } = await writeMonitorDump(source, output, {
    byteOrder,
    inputs: [input],
    ...(dump !== undefined && { dump }),
  });
  if (left > 0)
    note(invocation, `${readable(input)}: ${plural(left, 'lock')} of java.util.concurrent left out: JVMPI has none`);
}

async function dump(invocation: Invocation, input: string, options: DumpOptions): Promise<void> {
  const { writeHeapDump } = await import('../../../transform/jvmpi/dumps.node.js');
  const { output, level, dump: number, byteOrder } = options;
  await withSession(invocation, [input], options, async (session) => {
    const [source] = session.sources;
    if (source === undefined || session.sources.length > 1) throw new UsageError(`${input}: one dump file is needed`);
    if (options.monitors === true) return await dumpMonitors(invocation, source, options, input);
    const report = await withProgress(invocation.host, output, (work) =>
      writeHeapDump(source, output, {
        level: LEVELS[level],
        byteOrder,
        inputs: [input],
        work,
        ...(number !== undefined && { dump: number }),
      }),
    );
    if (report.unknown > 0)
      note(
        invocation,
        `${readable(input)}: the fields of ${plural(report.unknown, 'instance')} are unknown: their values are as in the file`,
      );
    if (report.complete) return;
    note(invocation, `${readable(input)}: the last object is cut; those before it were written`);
    invocation.exitCode = EXIT.partial;
  });
}
