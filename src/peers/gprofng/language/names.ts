/** The names of all commands: what they are called, how many words follow them, and how names are abbreviated. */

export interface CommandName {
  readonly name: string;
  /** Another name. */
  readonly alias?: string;
  /** Words that follow it at most. */
  readonly words: number;
  /** What follows it, for people. */
  readonly usage?: string;
  readonly about: string;
  /** `setting`: in files of settings, too; `default`: only there; `script`: in scripts and at the prompt only. */
  readonly where?: 'setting' | 'default' | 'script';
  /** Its answer goes to standard output even while lists go to a file. */
  readonly isMessage?: true;
}

type Row = readonly [
  name: string,
  words: number,
  usage: string,
  about: string,
  more?: Pick<CommandName, 'alias' | 'where' | 'isMessage'>,
];

const SETTING = { where: 'setting' } as const;
const MESSAGE = { isMessage: true } as const;

const ROWS: readonly Row[] = [
  ['functions', 0, '', 'functions with the current metrics'],
  ['metrics', 1, 'SPEC', 'choose the metrics', MESSAGE],
  ['sort', 1, 'METRIC', 'choose what lists are sorted by', MESSAGE],
  ['fsummary', 0, '', 'all metrics of each function'],
  ['fsingle', 2, 'FUNCTION [N]', 'all metrics of a function'],
  ['callers-callees', 0, '', 'callers and callees of each function', { alias: 'gprof' }],
  ['csingle', 2, 'FUNCTION [N]', 'callers and callees of a function'],
  ['cprepend', 2, 'FUNCTION [N]', 'put a function before the chain of callers'],
  ['cappend', 2, 'FUNCTION [N]', 'put a function behind the chain of callers'],
  ['crmfirst', 0, '', 'shorten the chain at its begin'],
  ['crmlast', 0, '', 'shorten the chain at its end'],
  ['calltree', 0, '', 'the tree of calls', { alias: 'ctree' }],
  ['leaks', 0, '', 'leaks by call stack'],
  ['allocs', 0, '', 'allocations by call stack'],
  ['heap', 0, '', 'allocations and leaks by call stack'],
  ['heapstat', 0, '', 'statistics of the heap'],
  ['ioactivity', 0, '', 'input and output by file'],
  ['iodetail', 0, '', 'input and output by opening of a file'],
  ['iocallstack', 0, '', 'input and output by call stack'],
  ['iostat', 0, '', 'statistics of input and output'],
  ['pcs', 0, '', 'places of code with the current metrics'],
  ['psummary', 0, '', 'all metrics of each place'],
  ['lines', 0, '', 'lines with the current metrics'],
  ['lsummary', 0, '', 'all metrics of each line'],
  ['source', 2, 'FUNCTION|FILE [N]', 'source with metrics'],
  ['disasm', 2, 'FUNCTION [N]', 'instructions with metrics'],
  ['scc', 1, 'CLASSES', 'comments of compilers in source', SETTING],
  ['sthresh', 1, 'PERCENT', 'which lines are hot', SETTING],
  ['dcc', 1, 'CLASSES', 'comments of compilers in disassembly', SETTING],
  ['cc', 1, 'CLASSES', 'comments of compilers in both', SETTING],
  ['dthresh', 1, 'PERCENT', 'which instructions are hot', SETTING],
  ['setpath', 1, 'FOLDERS', 'where sources are', MESSAGE],
  ['addpath', 1, 'FOLDERS', 'where sources are, too', { ...SETTING, ...MESSAGE }],
  ['pathmap', 2, 'OLD NEW', 'where files of the recorded machine are on this one', { ...SETTING, ...MESSAGE }],
  ['preload_libdirs', 1, 'FOLDERS', 'nothing here', SETTING],
  ['indxobj', 1, 'TYPE', 'metrics of index objects'],
  ['indxobj_list', 0, '', 'types of index objects'],
  ['indxobj_define', 2, 'NAME EXPRESSION', 'define a type of index objects', SETTING],
  ['deadlocks', 0, '', 'not supported'],
  ['dsummary', 1, 'N', 'not supported'],
  ['experiment_list', 0, '', 'the experiments', { alias: 'exp_list' }],
  ['sample_list', 0, '', 'samples of each experiment'],
  ['lwp_list', 0, '', 'lightweight processes of each experiment'],
  ['thread_list', 0, '', 'threads of each experiment'],
  ['cpu_list', 0, '', 'processors of each experiment'],
  ['filters', 1, 'EXPRESSION', 'choose events', MESSAGE],
  ['describe', 0, '', 'what filters can name', MESSAGE],
  ['sample_select', 1, 'LIST', 'choose samples'],
  ['lwp_select', 1, 'LIST', 'choose lightweight processes'],
  ['thread_select', 1, 'LIST', 'choose threads'],
  ['cpu_select', 1, 'LIST', 'choose processors'],
  ['object_list', 0, '', 'load objects'],
  ['object_show', 1, 'LIST', 'show functions of load objects', SETTING],
  ['object_hide', 1, 'LIST', 'show load objects as one function each', SETTING],
  ['object_api', 1, 'LIST', 'show functions that others call', SETTING],
  ['objects_default', 0, '', 'show functions of all load objects', SETTING],
  ['object_select', 1, 'LIST', 'show functions of these load objects only'],
  ['metric_list', 0, '', 'metrics that there are', MESSAGE],
  ['cmetric_list', 0, '', 'metrics of callers and callees', { alias: 'gmetric_list', ...MESSAGE }],
  ['indx_metric_list', 0, '', 'metrics of index objects', MESSAGE],
  ['outfile', 1, 'FILE', 'write what follows to a file; - is standard output'],
  ['appendfile', 1, 'FILE', 'append what follows to a file'],
  ['limit', 1, 'N', 'rows of lists; 0 is all', SETTING],
  ['name', 1, 'long|short[:soname]', 'how functions are named', SETTING],
  ['viewmode', 1, 'user|expert|machine', 'which stacks are shown', SETTING],
  ['compare', 1, 'on|off|delta|ratio', 'experiments beside each other', SETTING],
  ['printmode', 1, 'text|html|DELIMITER', 'how lists are printed', SETTING],
  ['header', 1, '[N]', 'how experiments were recorded'],
  ['objects', 0, '', 'load objects with their paths'],
  ['overview', 0, '', 'sums of all metrics'],
  ['sample_detail', 1, '[N]', 'use of the system by sample'],
  ['statistics', 1, '[N]', 'use of the system'],
  ['open_exp', 1, 'EXPERIMENT', 'open an experiment in place of all', { where: 'script' }],
  ['add_exp', 1, 'EXPERIMENT', 'open another experiment', { where: 'script' }],
  ['drop_exp', 1, 'EXPERIMENT', 'close an experiment', { where: 'script' }],
  ['dmetrics', 1, 'SPEC', 'metrics that are shown unless told otherwise', { where: 'default' }],
  ['dsort', 1, 'SPEC', 'what lists are sorted by unless told otherwise', { where: 'default' }],
  ['en_desc', 1, 'on|off|=PATTERN', 'which descendants are read', SETTING],
  ['tabs', 1, 'TABS', 'pages of a graphical viewer; nothing here', { where: 'default' }],
  ['tlmode', 1, 'MODE', 'bars of a graphical time line; nothing here', { where: 'default' }],
  ['tldata', 1, 'DATA', 'data of a graphical time line; nothing here', { where: 'default' }],
  ['ifreq', 0, '', 'frequencies of instructions'],
  ['procstats', 0, '', 'events by kind of data'],
  ['script', 1, 'FILE', 'run the commands of a file'],
  ['version', 0, '', 'the version'],
  ['quit', 0, '', 'end', { alias: 'exit' }],
  ['help', 0, '', 'this list'],
  ['dnodes', 0, '', 'not supported'],
  ['dstacks', 0, '', 'stacks as a tree'],
  ['dunkpc', 0, '', 'places without a function'],
  ['dmap', 0, '', 'what was mapped where'],
  ['dentities', 0, '', 'not supported'],
  ['dprofile', 0, '', 'clock events'],
  ['dsync', 0, '', 'waits'],
  ['diotrace', 0, '', 'calls of input and output'],
  ['dhwc', 0, '', 'counter events'],
  ['dheap', 0, '', 'heap events'],
  ['r_accs', 0, '', 'not supported'],
  ['dumpgc', 0, '', 'garbage collections'],
];

export const NAMES: readonly CommandName[] = ROWS.map(([name, words, usage, about, more]) => ({
  name,
  words,
  ...(usage !== '' && { usage }),
  about,
  ...more,
}));

/** A command; none, or one of several. */
export type Resolved = CommandName | 'ambiguous' | undefined;

/** The command of a name, which may be shortened as long as it is one command's, whatever its case. */
export function resolvedName(word: string): Resolved {
  const text = word.toLowerCase();
  if (text === '') return undefined;
  const isName = (name: string | undefined): boolean => name === text;
  const exact = NAMES.find(({ name, alias }) => isName(name) || isName(alias));
  if (exact !== undefined) return exact;
  const begins = NAMES.filter(({ name, alias }) => name.startsWith(text) || alias?.startsWith(text) === true);
  return begins.length > 1 ? 'ambiguous' : begins[0];
}

/** All commands, one a line. */
export function helpText(): string {
  const heads = NAMES.map(({ name, alias, usage = '' }) =>
    `${name}${alias === undefined ? '' : `, ${alias}`} ${usage}`.trimEnd(),
  );
  const width = Math.max(...heads.map(({ length }) => length)) + 2;
  const marks = { setting: ' *', default: ' $', script: '' } as const;
  const lines = NAMES.map(
    ({ about, where }, i) => `  ${(heads[i] ?? '').padEnd(width)}${about}${where === undefined ? '' : marks[where]}`,
  );
  return `${[...lines, '', '* also in .gprofng.rc   $ only there', 'Names may be shortened. Types of index objects are commands, too.'].join('\n')}\n`;
}
