/** The man page as roff (man(7)), from the definition of the commands. */
import type { Command } from 'commander';
import { EXIT } from './exit.js';
import { examplesOf } from './invocation/options.js';
import { fullName } from './suggest.js';

const EXIT_MEANINGS: readonly (readonly [keyof typeof EXIT, string])[] = [
  ['done', 'The question was answered.'],
  ['no', 'A check failed: errors or damage, a deadlock, or a stale share above the limit.'],
  ['usage', 'The command line or the question is wrong.'],
  ['unreadable', 'An input cannot be opened, or its format is not supported.'],
  ['partial', 'An input is damaged; the answer is from the part that could be read.'],
  ['failed', 'A fault in Kansoku itself.'],
  ['interrupted', 'Ended by SIGINT; 143 by SIGTERM, 129 by SIGHUP.'],
];

/** `date` as the page shows it, `2026-11-21`. */
export function manPage(program: Command, date: string): string {
  const lines = [
    `.TH KANSOKU 1 "${date}" "Kansoku" "User Commands"`,
    '.SH NAME',
    `kansoku \\- ${roff(program.description())}`,
    '.SH SYNOPSIS',
    '.B kansoku',
    '\\fIcommand\\fR \\fIFILE\\fR\\&...',
    '.SH COMMANDS',
    ...leaves(program).flatMap(commandLines),
    '.SH EXIT STATUS',
    ...EXIT_MEANINGS.flatMap(([name, meaning]) => ['.TP', `.B ${EXIT[name]}`, roff(meaning)]),
    '.SH ENVIRONMENT',
    ...definition('NO_COLOR', 'No colours if set to anything.'),
    ...definition(
      'XDG_CACHE_HOME',
      'Folder for copies of the data of large files, in its subfolder kansoku; ~/.cache if not set.',
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Commands with an action, with the names of their parents. */
function leaves(command: Command): Command[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.flatMap((inner) => (inner.commands.length > 0 ? leaves(inner) : [inner]));
}

function commandLines(command: Command): string[] {
  const help = command.createHelp();
  const examples = examplesOf(command);
  return [
    `.SS ${roff(fullName(command))} ${roff(
      help
        .commandUsage(command)
        .split(' ')
        .slice(fullName(command).split(' ').length + 1)
        .join(' '),
    )}`,
    roff(sentence(command.description())),
    ...help
      .visibleOptions(command)
      .flatMap((option) => definition(help.optionTerm(option), help.optionDescription(option))),
    ...(examples.length === 0
      ? []
      : ['.PP', 'Examples:', '.nf', ...examples.map((line) => `.RS\n${roff(`kansoku ${line}`)}\n.RE`), '.fi']),
  ];
}

function definition(term: string, text: string): string[] {
  return ['.TP', `.B ${roff(term)}`, roff(sentence(text))];
}

function sentence(text: string): string {
  return text === '' ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.)]$/.test(text) ? '' : '.'}`;
}

/** Text escaped for roff: hyphens stay hyphens, and no line is taken as a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
