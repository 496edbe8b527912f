/** Profiles of native programs, and program files: experiments, perf, callgrind, gprof, ELF. */
import { type Guess, type Head, NO_GUESS } from '../capabilities/probe.js';
import type { KnownKind } from '../format.js';
import { filledLines, textOf } from '../shared/head-text.js';
import { archiveNames } from './archives.js';
import { beginning, guess } from './marks.js';

const EXPERIMENT_MEMBER =
  /(?:^|\/)[^/]+\.er\/(?:[^/]+\.er\/)?(?:log\.xml|map\.xml|overview|profile|data\.frameinfo|archive\.log|archives\/.*|dyntext|jclasses)?$/;

function probeExperimentArchive(head: Head): Guess {
  const names = archiveNames(head);
  const member = names.find((name) => EXPERIMENT_MEMBER.test(name.slice(0, 300)));
  if (member !== undefined)
    return guess(0.95, `an archive with the directory ${member.slice(0, member.indexOf('.er/') + 3)}`);
  const has = (file: string): boolean => names.some((name) => name === file || name.endsWith(`/${file}`));
  if (has('log.xml') && has('map.xml')) return guess(0.8, 'an archive with log.xml and map.xml');
  return NO_GUESS;
}

function probeGprof(head: Head): Guess {
  const lines = filledLines(head, 'keep', 20);
  const flat = lines.some((line) => line.startsWith('Flat profile:'));
  const graph = lines.some((line) => /^\s{0,40}Call graph(?: \(explanation follows\))?$/.test(line.slice(0, 80)));
  const hasRows = lines.some((line) =>
    /^\s{0,4}(?:Each sample counts as|granularity: each sample|%\s{1,4}cumulative|no time accumulated)/.test(line),
  );
  if ((flat || graph) && hasRows) return guess(1, flat ? 'a table "Flat profile:"' : 'a table "Call graph"');
  return flat || graph ? guess(0.4, 'a heading of gprof') : NO_GUESS;
}

function probeExperimentFile(head: Head): Guess {
  const first = textOf(head).text.slice(0, 200);
  const version = /^\s{0,40}<experiment version="([\d.]{1,10})"/.exec(first)?.[1];
  if (version !== undefined) return guess(1, `log.xml of an experiment of version ${version}`);
  return /^\s{0,40}<event kind="(?:map|unmap)" object="/.test(first) ? guess(1, 'map.xml of an experiment') : NO_GUESS;
}

const ELF_TYPES = ['', 'an object file', 'a program', 'a program or shared library', 'a core dump'];

function probeElf(head: Head): Guess {
  if (!head.text.startsWith('\u007fELF')) return NO_GUESS;
  const little = head.bytes[5] !== 2;
  const type = head.bytes[little ? 16 : 17] ?? 0;
  return guess(1, `it begins with ELF${(ELF_TYPES[type] ?? '') === '' ? '' : `: ${ELF_TYPES[type]}`}`);
}

export const NATIVE_KINDS: readonly KnownKind[] = [
  {
    id: 'experiment-archive',
    title: 'archive of an experiment of gprofng or the Performance Analyzer',
    article: 'an',
    advice: 'Open the archive itself, or the directory that it contains.',
    probe: probeExperimentArchive,
  },
  {
    id: 'experiment-file',
    title: 'file of a gprofng or Performance Analyzer experiment',
    advice: 'Open the directory (NAME.er) that contains it.',
    probe: probeExperimentFile,
  },
  beginning({
    id: 'experiment-group',
    title: 'experiment group of the Performance Analyzer',
    article: 'an',
    advice: 'Open the experiments it lists, or the group itself by its path on disk.',
    lists: (text) => text.split('\n').flatMap((line) => (/^\s*(?:#|$)/.test(line) ? [] : [line.trim()])),
    starts: ['#analyzer experiment group'],
    because: 'its first line is "#analyzer experiment group"',
  }),
  beginning({
    id: 'perf-data',
    title: 'perf.data file',
    advice: 'Open the output of `perf script -i FILE`, run on the machine where it was recorded.',
    starts: ['PERFILE2', 'PERFFILE', '2ELIFREP'],
    because: 'it begins with PERFILE2',
  }),
  {
    id: 'gprof-text',
    title: 'report of gprof',
    advice: 'It is plain text: a flat profile and a call graph.',
    probe: probeGprof,
  },
  beginning({
    id: 'gmon',
    title: 'gmon.out file of gprof',
    advice: '`gprof PROGRAM gmon.out` prints it.',
    starts: ['gmon\u0001\0\0\0', 'gmon\0\0\0\u0001'],
    because: 'it begins with gmon and version 1',
  }),
  {
    id: 'elf',
    title: 'ELF file (program, library or core dump)',
    article: 'an',
    advice: 'Open a recording of the program; its code is found from there.',
    probe: probeElf,
  },
];
