/**
 * Which command lines same-results.ts runs. Every command is asked about every input that is read at all; its options
 * are spread over the inputs, so that each is tried with some input of every format, and each input with a few.
 */
import type { Comparison } from './compare.js';
import { expand, Facts, type Neighbours, type Places, wordsOf } from './facts.js';
import type { Input } from './inputs.js';
import { makeCode, makeLarge } from './made-code.js';
import type { CommandDefinition, Job } from './protocol.js';
import { CODE, TEMPLATES, type Template, WITH_JDK, WITHOUT_INPUT } from './templates.js';

export interface Plan {
  readonly comparison: Comparison;
  /** Of the old checkout. */
  readonly commands: readonly CommandDefinition[];
  readonly inputs: readonly Input[];
  readonly places: Places;
  /** Folder for files that are made. */
  readonly made: string;
  /** Whether to ask this of the command: of an input, or of what else stands behind it. */
  readonly wanted: (command: string, about: string) => boolean;
  readonly progress: (message: string) => void;
}

/** These answers hold names that the lines of other commands use. */
const NAMING = ['summary', 'functions', 'threads', 'heap histogram', 'pgo hot'];
/** Exit codes of answers; the others are refusals. */
const ANSWERS = ['0', '1', '4'];
const SMALL = 256 << 10;

interface Subject extends Neighbours {
  readonly input: Input;
  readonly facts: Facts;
}

/** What the table of templates lacks for these commands, or has for no command. Empty if complete. */
export function gaps(commands: readonly CommandDefinition[]): string[] {
  const paths = new Set(commands.map(({ path }) => path));
  const unknown = [...Object.keys(TEMPLATES), ...Object.keys(WITHOUT_INPUT)].filter((path) => !paths.has(path));
  return [
    ...unknown.map((path) => `there is no command ${path}`),
    ...commands.flatMap((command) => {
      const template = TEMPLATES[command.path];
      if (template !== undefined) return untried(command, template);
      return command.path in WITHOUT_INPUT ? [] : [`${command.path}: no template`];
    }),
  ];
}

function untried({ path, options }: CommandDefinition, { lines }: Template): string[] {
  const text = lines.map((line) => ` ${line.replace(/(^| )-o /g, '$1--output ')} `);
  return options.flatMap(({ flag, choices }) => {
    // Added to every line.
    if (flag === '--no-cache') return [];
    if (!text.some((line) => line.includes(` ${flag} `))) return [`${path}: no line has ${flag}`];
    return choices
      .filter((choice) => !text.some((line) => line.includes(` ${flag} ${choice} `)))
      .map((choice) => `${path}: no line has ${flag} ${choice}`);
  });
}

/** Runs all of the plan; returns how many inputs there were of each format. */
export async function runPlan(plan: Plan): Promise<ReadonlyMap<string, number>> {
  plan.progress('commands without input');
  await withoutInput(plan);
  plan.progress(`${plan.inputs.length} inputs: what they are`);
  const subjects = await recognise(plan);
  const formats = new Map<string, number>();
  for (const { facts } of subjects) formats.set(facts.format, (formats.get(facts.format) ?? 0) + 1);
  plan.progress(`${subjects.length} inputs of ${formats.size} formats: each command`);
  for (const subject of subjects) await askEach(plan, subject);
  plan.progress('options');
  await spreadOptions(plan, subjects);
  await askOthers(plan, subjects);
  plan.progress('code');
  await withCode(plan, subjects);
  await eachMethod(plan);
  await fromCache(plan);
  plan.progress('processes');
  await apart(plan, subjects);
  return formats;
}

async function withoutInput(plan: Plan): Promise<void> {
  const { comparison, commands, wanted } = plan;
  const run = async (command: string, words: readonly string[]): Promise<void> => {
    if (wanted(command, words.join(' '))) await comparison.run(command, { words: [...split(command), ...words] });
  };
  for (const { path, hasCommands, options, examples } of commands) {
    for (const line of WITHOUT_INPUT[path] ?? [])
      await run(
        path,
        split(line).map((word) => (word === '{empty}' ? '' : word)),
      );
    for (const words of [['--help'], ['--no-such-option'], ...(hasCommands ? [] : [[]])]) await run(path, words);
    for (const last of ['', '-', '--']) await run('complete', ['--', ...split(path), last]);
    for (const { flag, choices } of options)
      if (choices.length > 0) await run('complete', ['--', ...split(path), flag, '']);
    for (const example of examples) {
      const line = example.replaceAll('/tmp/', '').replace(/(^|[ :])examples\//g, `$1${plan.places.examples}/`);
      await run(path, [...split(line).slice(split(path).length), ...noCache(plan, path)]);
    }
  }
}

function split(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}

function noCache(plan: Plan, command: string): string[] {
  return hasOption(plan, command, '--no-cache') ? ['--no-cache'] : [];
}

function hasOption({ commands }: Plan, command: string, name: string): boolean {
  const definition = commands.find(({ path }) => path === command);
  return definition?.options.some(({ flag }) => flag === name) === true;
}

/** The inputs that are asked about, each with its format. */
async function recognise(plan: Plan): Promise<Subject[]> {
  const found: { input: Input; facts: Facts }[] = [];
  for (const input of plan.inputs) {
    if (!Object.keys(TEMPLATES).some((command) => plan.wanted(command, input.label))) continue;
    const facts = new Facts();
    const subject = { input, facts, next: input, other: undefined };
    await askPlain(plan, 'summary', subject);
    found.push({ input, facts });
  }
  return found.map(({ input, facts }, index) => {
    const behind = [...found.slice(index + 1), ...found.slice(0, index)];
    const next = behind.find((each) => each.facts.format === facts.format)?.input ?? input;
    const other = behind.find((each) => each.facts.format !== facts.format && each.facts.format !== 'none')?.input;
    return { input, facts, next, other };
  });
}

/** The plain line of each command, and those whose answers name further questions. */
async function askEach(plan: Plan, subject: Subject): Promise<void> {
  const { label } = subject.input;
  for (const command of Object.keys(TEMPLATES)) {
    if (subject.facts.format === 'none' && command !== 'check') continue;
    if (plan.wanted(command, label) || NAMING.includes(command)) await askPlain(plan, command, subject);
  }
}

async function askPlain(plan: Plan, command: string, subject: Subject): Promise<void> {
  const template = TEMPLATES[command];
  if (template === undefined || !isKnown(plan, command)) return;
  const { facts } = subject;
  const code = await ask(plan, command, template.plain, subject);
  if (code !== undefined && ANSWERS.includes(code)) facts.answered.add(command);
  if (template.probe === undefined || !facts.answered.has(command)) return;
  if ((await ask(plan, command, template.probe, subject)) === undefined) return;
  facts.learn(command, await plan.comparison.lastOutput());
}

function isKnown({ commands }: Plan, command: string): boolean {
  return commands.some(({ path }) => path === command);
}

/** Asks one line; the exit code, undefined if the line does not apply to this input or was asked before. */
async function ask(plan: Plan, command: string, line: string, subject: Subject, colour = false) {
  const words = wordsOf(line, subject.input, subject.facts, subject, plan.places);
  if (words === undefined) return undefined;
  const job: Job = { words: [...split(command), ...words, ...noCache(plan, command)], ...(colour ? { colour } : {}) };
  return await plan.comparison.run(command, job);
}

/** Each line of each command with some input of every format, and with each input some lines. */
async function spreadOptions(plan: Plan, subjects: readonly Subject[]): Promise<void> {
  for (const [command, template] of Object.entries(TEMPLATES)) {
    if (!isKnown(plan, command)) continue;
    const groups = new Map<string, Subject[]>();
    for (const subject of subjects) {
      const { facts, input } = subject;
      if (facts.format === 'none' || !plan.wanted(command, input.label)) continue;
      const key = `${facts.format} ${facts.answered.has(command)}`;
      groups.set(key, [...(groups.get(key) ?? []), subject]);
    }
    for (const group of groups.values()) await spread(plan, command, template, group);
  }
}

async function spread(plan: Plan, command: string, { plain, lines }: Template, group: Subject[]): Promise<void> {
  const bySize = [...group].sort((a, b) => a.input.bytes - b.input.bytes);
  const small = bySize.filter(({ input }) => input.bytes <= SMALL);
  const first = small.length > 0 ? small : bySize.slice(0, 1);
  const linesOf = new Map(group.map((each) => [each, lines.flatMap((line) => expand(line, command, each.facts))]));
  const all = [...new Set([...linesOf.values()].flat())];
  for (const [index, line] of all.entries()) {
    const able = first.filter((each) => linesOf.get(each)?.includes(line) === true);
    const chosen = able[index % able.length] ?? bySize.find((each) => linesOf.get(each)?.includes(line) === true);
    if (chosen !== undefined) await ask(plan, command, line, chosen);
  }
  for (const [index, subject] of group.entries()) {
    const own = linesOf.get(subject) ?? [];
    const { input, facts } = subject;
    if (!facts.answered.has(command)) continue;
    const count = input.bytes > SMALL || input.own ? 1 : 2;
    for (let i = 0; i < count; i++) await ask(plan, command, own[(index * count + i) % own.length] ?? plain, subject);
  }
  const [typical] = first;
  if (typical !== undefined) await ask(plan, command, plain, typical, true);
}

/** Each method of the class files among the fixtures: its bytecode and its source. */
async function eachMethod({ comparison, commands, inputs, made, wanted }: Plan): Promise<void> {
  const run = async (command: string, ...words: string[]): Promise<void> => {
    if (commands.some(({ path }) => path === command)) await comparison.run(command, { words: [command, ...words] });
  };
  if (!wanted('disasm', 'made/code') && !wanted('source', 'made/code')) return;
  for (const { recording, classes, sources, methods } of makeCode(
    inputs.map(({ path }) => path),
    made,
  )) {
    for (const method of methods) {
      const options = [recording, method, '--classes', classes, '--no-cache'];
      await run('disasm', ...options);
      await run('disasm', ...options, '--json');
      await run('source', ...options, '--source-path', sources, '--disasm');
      await run('source', ...options, '--source-path', sources, '--format', 'csv');
    }
  }
}

/** A recording that is read, and then taken from the cache. */
async function fromCache({ comparison, made, wanted }: Plan): Promise<void> {
  if (!wanted('summary', 'made/large.collapsed')) return;
  const large = makeLarge(made);
  for (const command of ['summary', 'summary', 'functions', 'tree'])
    await comparison.run(command, { words: [command, large] }, true);
}

/** All lines of the commands that take code with the examples whose code is there, and some with the code of a JDK. */
async function withCode(plan: Plan, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) {
    const code = CODE[subject.input.label];
    for (const [command, template] of code === undefined ? [] : Object.entries(TEMPLATES)) {
      const given = Object.entries(code ?? {}).filter(([flag]) => hasOption(plan, command, flag));
      if (given.length > 0 && plan.wanted(command, subject.input.label))
        await askWithCode(plan, command, template, subject, given.flat().join(' '));
    }
    if (subject.input.label !== 'examples/krisfoster-binary-tree.iprof') continue;
    for (const [command, lines] of Object.entries(WITH_JDK))
      for (const line of plan.wanted(command, subject.input.label) ? lines : [])
        await ask(plan, command, `{file} ${line} --classes {jdk}`, subject);
  }
}

async function askWithCode(
  plan: Plan,
  command: string,
  { probe, lines }: Template,
  subject: Subject,
  code: string,
): Promise<void> {
  const facts = new Facts(subject.facts);
  const asked = { ...subject, facts };
  // There are more columns with code.
  const answered = probe === undefined ? undefined : await ask(plan, command, `${probe} ${code}`, asked);
  if (answered !== undefined) facts.learn(command, await plan.comparison.lastOutput());
  for (const line of lines.flatMap((each) => expand(each, command, facts)))
    if (!/--(classes|old-classes|source-path) /.test(line)) await ask(plan, command, `${line} ${code}`, asked);
}

/** Two commands with each input that is not a recording. */
async function askOthers(plan: Plan, subjects: readonly Subject[]): Promise<void> {
  const templates = Object.entries(TEMPLATES).filter(([command]) => isKnown(plan, command));
  const others = subjects.filter(({ facts }) => facts.format === 'none');
  for (const [index, subject] of others.entries()) {
    for (let i = 0; i < 2; i++) {
      const turn = 2 * index + i;
      const [command, { lines }] = templates[turn % templates.length] ?? ['', { lines: [] }];
      if (!plan.wanted(command, subject.input.label)) continue;
      const line = lines[Math.floor(turn / templates.length) % lines.length];
      if (line !== undefined) await ask(plan, command, line, subject);
    }
  }
}

/** What only a process of its own shows: its first and last steps, and standard input. */
async function apart({ comparison, wanted }: Plan, subjects: readonly Subject[]): Promise<void> {
  for (const words of [[], ['--version'], ['-V'], ['summary'], ['no-such-command'], ['summary', 'no-such-file']])
    if (wanted('', `process ${words.join(' ')}`)) await comparison.run('', { words, input: null });
  const formats = new Map(subjects.map((subject) => [subject.facts.format, subject.input]));
  for (const { path, bytes, label } of formats.values()) {
    if (bytes > SMALL || /\/$|!/.test(label) || !wanted('summary', `process ${label}`)) continue;
    for (const words of [
      ['summary', '-', '--no-cache'],
      ['check', '-', '--no-cache'],
      ['merge', '-', '-', '-o', 'out.collapsed'],
    ])
      await comparison.run(words[0] ?? '', { words, input: path });
  }
}
