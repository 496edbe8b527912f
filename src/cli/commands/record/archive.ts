/** `archive`: copies what an experiment needs into it. */
import type { Command } from 'commander';
import { EXIT } from '../../exit.js';
import { type Invocation, note } from '../../host.js';
import { addDebugOptions, type DebugOptions } from '../../invocation/debug-options.js';
import { withSession } from '../../invocation/open.js';
import { addExamples, type CodeOptions, repeated } from '../../invocation/options.js';
import { withProgress } from '../../render/progress.js';
import { archivedLines } from '../../render/recorded.js';

type ArchiveOptions = CodeOptions & DebugOptions & { readonly redact?: true };

export function registerArchive(program: Command, invocation: Invocation): void {
  const command = program
    .command('archive')
    .description('copy programs, sources and classes into an experiment, so that another machine can read it')
    .argument('<experiment>', 'directory of an experiment, which is written to')
    .option('--redact', 'leave sources out');
  command
    .option('--classes <path>', 'class path with the classes of Java methods, joined by : or repeated', repeated)
    .option('--source-path <path>', 'folders with sources that have moved, joined by : or repeated', repeated);
  addDebugOptions(command).action((experiment: string, options: ArchiveOptions) =>
    archive(invocation, experiment, options),
  );
  addExamples(command, ['archive /tmp/true.er', 'archive /tmp/true.er --redact']);
}

async function archive(invocation: Invocation, experiment: string, options: ArchiveOptions): Promise<void> {
  const { archiveExperiment } = await import('../../../record/archive/archive.node.js');
  const choice = { objects: true, sources: options.redact !== true };
  const archived = await withSession(invocation, [experiment], { cache: false, ...options }, (session) =>
    withProgress(invocation.host, experiment, (work) => archiveExperiment(session, experiment, choice, work)),
  );
  for (const line of archivedLines(archived)) note(invocation, `kansoku: ${experiment}: ${line}`);
  if (archived.missing.some(({ kind }) => kind !== 'source')) invocation.exitCode = EXIT.no;
}
