/** `calls`: questions about the calls that a points-to analysis reported. */
import type { Command } from 'commander';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/units.js';
import { readable } from '../../pictures/cells.js';
import { check, cut, entries, graph, methods, unobserved, unreached, why } from '../../questions/catalogue/calls.js';
import type { Question } from '../../session/session.js';
import { writeDocument } from '../../transform/write.node.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import type { AnswerOptions } from '../invocation/answer.js';
import { openOnly, withWorkspace } from '../invocation/open.js';
import { patternsIn } from '../invocation/pattern-file.js';
import { registerQuestion } from '../invocation/question.js';
import { remarks } from '../render/render.js';
import { noteTexts } from '../render/spelling.js';

export function registerCalls(program: Command, invocation: Invocation): void {
  const calls = program
    .command('calls')
    .description('reported calls: why a method is reachable, and what a cut removes')
    .helpCommand(false);
  registerQuestion(calls, invocation, why);
  registerGraph(calls, invocation);
  registerQuestion(calls, invocation, entries);
  registerQuestion(calls, invocation, methods);
  registerQuestion(calls, invocation, cut);
  registerCheck(calls, invocation);
  registerQuestion(calls, invocation, unreached, {
    run: async ({ compared, options, words }, usual) => {
      if (compared !== undefined && words.classes !== undefined && options.by !== 'module')
        throw new UsageError('--observed compares without --classes', 'Omit one of them; --by module needs both.');
      await usual();
    },
  });
  registerQuestion(calls, invocation, unobserved);
}

function registerCheck(calls: Command, invocation: Invocation): void {
  registerQuestion(calls, invocation, check, {
    also: '; exit code 1 if any is',
    extend: (command) =>
      command.option('--policy <file>', 'a pattern a line: forbidden methods, behind ! exceptions, behind # comments'),
    given: (question, command) => {
      const path: unknown = command.getOptionValue('policy');
      if (typeof path !== 'string') return question;
      const { forbid, allow } = policyIn(path);
      const { options } = question;
      return {
        ...question,
        options: { ...options, forbid: [...options.forbid, ...forbid], allow: [...options.allow, ...allow] },
      };
    },
    printing: () => ({
      exit: (result) => (result.type === 'calls-check' && result.forbidden > 0 ? EXIT.no : undefined),
    }),
  });
}

/** The patterns of a policy file. Throws `UnreadableError` if there is no such file. */
function policyIn(path: string): { readonly forbid: readonly string[]; readonly allow: readonly string[] } {
  const lines = patternsIn(path);
  const allow = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1).trim());
  return { forbid: lines.filter((line) => !line.startsWith('!')), allow };
}

function registerGraph(calls: Command, invocation: Invocation): void {
  registerQuestion(calls, invocation, graph, {
    also: ', as a table or a picture',
    extend: (command) => command.option('-o, --output <file>', 'picture: .svg, or .dot for Graphviz'),
    run: async ({ files, options, words }, usual, command) => {
      const output: unknown = command.getOptionValue('output');
      if (typeof output !== 'string') return usual();
      return drawCalls(invocation, files[0] ?? '', { view: 'calls-graph', options }, { output, ...words });
    },
  });
}

async function drawCalls(
  invocation: Invocation,
  file: string,
  question: Omit<Question<'calls-graph'>, 'page'>,
  { output, cache, analysis }: Pick<AnswerOptions, 'cache' | 'analysis'> & { readonly output: string },
): Promise<void> {
  const kind = /\.(svg|dot|gv)$/.exec(output)?.[1];
  if (kind === undefined) throw new UsageError(`${readable(output)}: unknown output extension`, 'Use .svg or .dot.');
  await withWorkspace(invocation, { cache, ...defined({ analysis }) }, async (inputs) => {
    await openOnly(inputs, file);
    const all = { offset: 0, limit: 0 };
    const result = await inputs.workspace.ask({ ...question, page: all }, { signal: invocation.host.signal });
    const draw =
      kind === 'svg'
        ? (await import('../../pictures/calls/svg.js')).drawGraph
        : (await import('../../pictures/calls/dot.js')).drawDot;
    await writeDocument(draw(result, noteTexts(result.notes)), output, [file]);
    note(invocation, `${output}: ${plural(result.nodes.length, 'method')}, ${plural(result.total, 'edge')}`);
    for (const remark of remarks(result, true)) note(invocation, remark);
    if (!result.complete) invocation.exitCode = EXIT.partial;
  });
}
