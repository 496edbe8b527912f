/** Settings of `.gprofng.rc`: of the current folder, of the user and of the machine, the nearest first. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PathMap } from '../../../models/program/debug-files.js';
import {
  type BaseMetric,
  type Flavour,
  isCounter,
  metricKey,
  type ShownMetric,
  type Sorting,
  usualMetrics,
  usualSorting,
} from '../metrics.js';
import type { Printer } from '../print.js';
import { runLine } from '../run.js';
import type { Descendants } from '../several/descendants.js';
import { descendantsOf } from './commands.js';
import { resolvedName } from './names.js';
import { lineWords } from './words.js';

/** The second is what the tools before gprofng called it. */
const FILES = ['.gprofng.rc', '.er.rc'];
const SYSTEM_FILE = '/etc/gprofng.rc';
/** Pages and bars of graphical viewers. */
const GRAPHICAL = ['tabs', 'tlmode', 'tldata', 'rdtmode'];

interface Setting {
  readonly name: string;
  readonly words: readonly string[];
  readonly line: string;
}

/** All settings, those of the nearest file first, and what was wrong with them. */
export interface PrintSettings {
  readonly files: readonly string[];
  readonly all: readonly (readonly Setting[])[];
  readonly faults: readonly string[];
}

export const NO_SETTINGS: PrintSettings = { files: [], all: [], faults: [] };

/** Reads the files of settings that there are. `home`: the folder of the user, if it has one. */
export async function readSettings(folder: string, home: string | undefined): Promise<PrintSettings> {
  const folders = [
    ...new Set([folder, ...(home === undefined || home === '' ? [] : [home])].map((each) => resolve(each))),
  ];
  const texts: { path: string; text: string }[] = [];
  const add = async (path: string): Promise<boolean> => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) texts.push({ path, text });
    return text !== undefined;
  };
  for (const each of folders) for (const file of FILES) if (await add(join(each, file))) break;
  await add(SYSTEM_FILE);
  const faults: string[] = [];
  const all = texts.map(({ path, text }) => settingsIn(path, text, faults));
  return { files: texts.map(({ path }) => path), all, faults };
}

function settingsIn(path: string, text: string, faults: string[]): readonly Setting[] {
  return text.split('\n').flatMap((line, i): Setting[] => {
    const [word, ...words] = lineWords(line);
    if (word === undefined || GRAPHICAL.includes(word)) return [];
    const facts = resolvedName(word);
    if (typeof facts === 'object' && (facts.where === 'setting' || facts.where === 'default'))
      return [{ name: facts.name, words, line }];
    faults.push(`${path}: line ${i + 1}: \`${word}' is no setting`);
    return [];
  });
}

/** Settings that experiments are opened with. */
export function openingSettings({ all }: PrintSettings): {
  readonly maps: readonly PathMap[];
  readonly descendants: Descendants;
} {
  const settings = all.flat();
  const maps = settings.flatMap(({ name, words: [old, replacement] }) =>
    name === 'pathmap' && old !== undefined && replacement !== undefined ? [{ from: old, to: replacement }] : [],
  );
  const chosen = settings.find(({ name }) => name === 'en_desc')?.words[0];
  return { maps, descendants: (chosen === undefined ? undefined : descendantsOf(chosen)) ?? 'all' };
}

/** Settings that are read in another way. */
const APART = ['dmetrics', 'dsort', 'addpath', 'pathmap', 'en_desc', 'preload_libdirs'];

/** Changes what a printer shows. Without a word, but for settings that are wrong. */
export async function applySettings(printer: Printer, { files, all, faults }: PrintSettings): Promise<void> {
  for (const file of files) if (file !== SYSTEM_FILE) printer.note(`settings of ${file}`);
  for (const fault of faults) printer.note(fault);
  const settings = all.flat();
  const specs = (setting: string): string[] =>
    settings.flatMap(({ name, words: [word] }) => (name === setting && word !== undefined ? [word] : []));
  const { state } = printer;
  const folders = [...specs('addpath').flatMap((paths) => paths.split(':')), ...state.code.searchPath];
  state.code.searchPath = [...new Set(folders.filter((path) => path !== ''))];
  const metrics = settingMetrics(specs('dmetrics').join(':'), state.bases);
  printer.useMetrics(metrics, settingSorting(specs('dsort'), metrics, state.bases));
  // Of several settings the nearest counts.
  for (const file of [...all].reverse())
    for (const { name, line } of file)
      if (!APART.includes(name)) await printer.quietly(async () => void (await runLine(printer, line)));
}

const PART = /^([ei]*)([.+%!]*)([A-Za-z_][\w-]*)$/;

/** The metrics that settings name first, then those that are shown anyway. A metric that was named before stays as it was. */
export function settingMetrics(text: string, bases: readonly BaseMetric[]): ShownMetric[] {
  const chosen: ShownMetric[] = [];
  const keys = new Set<string>();
  for (const part of text.split(':')) {
    const [, flavours = '', how = '', id = ''] = PART.exec(part.trim()) ?? [];
    for (const base of bases.filter((each) => isMeant(each, id)))
      for (const flavour of flavours === '' ? 'ei' : flavours) {
        const key = `${flavour} ${metricKey(base)}`;
        if (keys.has(key) || base.kind === 'static' || !isFlavour(flavour)) continue;
        keys.add(key);
        const share = how.includes('%');
        if (!how.includes('!')) chosen.push({ base, flavour, value: /[.+]/.test(how) || !share, share });
      }
  }
  const others = usualMetrics(bases).filter(({ base, flavour }) => !keys.has(`${flavour} ${metricKey(base)}`));
  return [...chosen, ...others];
}

function isMeant(base: BaseMetric, word: string): boolean {
  if (base.kind === 'static') return false;
  return base.id === word || word === 'any' || word === 'all' || (word === 'hwc' && isCounter(base));
}

function isFlavour(letter: string): letter is Flavour {
  return letter === 'e' || letter === 'i';
}

/** What the settings sort by, as far as it is shown. */
export function settingSorting(
  specs: readonly string[],
  metrics: readonly ShownMetric[],
  bases: readonly BaseMetric[],
): Sorting {
  for (const part of specs.flatMap((spec) => spec.split(':'))) {
    const reversed = part.startsWith('-');
    const [, flavours = '', , id = ''] = PART.exec(part.replace(/^-/, '')) ?? [];
    const metric =
      id === 'name'
        ? metrics.find(({ base }) => base.id === id)
        : [...(flavours === '' ? 'ei' : flavours)]
            .map((flavour) => metrics.find((each) => each.flavour === flavour && isMeant(each.base, id)))
            .find((each) => each !== undefined);
    if (metric !== undefined) return { metric, reversed };
  }
  return usualSorting(bases);
}
