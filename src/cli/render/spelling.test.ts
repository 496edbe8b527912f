/** Phrases on the command line: flags, commands, and lines to paste into a shell. */
import { deepEqual, equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../base/errors.js';
import { note } from '../../base/note.js';
import {
  phrase,
  type Reference,
  theField,
  theInput,
  theOption,
  thePage,
  theStep,
  theTransform,
  theView,
} from '../../base/phrase.js';
import { runs } from '../../testing/amount.js';
import { commandLineText, errorLines, withTexts } from './spelling.js';

const FLAGS: readonly (readonly [Reference, string])[] = [
  [theOption('by'), '--by'],
  [theOption('by', { value: 'line' }), '--by line'],
  [theOption('minShare', { choose: 'PERCENT' }), '--min-share PERCENT'],
  [theOption('paths', { value: 0 }), '--paths 0'],
  [theOption('cache', { value: false }), '--no-cache'],
  [theOption('version', { value: '24.1' }), '--to 24.1'],
  [theOption('constructor'), '--constructor'],
  [theStep('dump', { choose: 'N' }), '--dump N'],
  [theStep('view-mode', { value: 'machine' }), '--view-mode machine'],
  [theInput('classes', { choose: 'PATH' }), '--classes PATH'],
  [theInput('oldClasses'), '--old-classes'],
  [theInput('sources'), '--source-path'],
  [thePage('limit', { value: 0 }), '--limit 0'],
  [theField('deadlocks'), '--format json'],
];

const COMMANDS: readonly (readonly [Reference, string])[] = [
  [theView('summary'), '`summary`'],
  [theView('heap-histogram'), '`heap histogram`'],
  [theView('event-types'), '`events`'],
  [theView('heap-inspect', { options: { graph: false } }), '`heap inspect --no-graph`'],
  [theView('functions', { options: { by: 'line' } }), '`functions --by line`'],
  [theView('calls-tree', { choose: { from: 'METHODS' } }), '`tree --from METHODS`'],
  [theView('calls-why', { choose: { via: '' } }), '`calls why --via`'],
  [theView('events', { choose: { recording: 'FILE', types: 'TYPE' } }), '`events FILE TYPE`'],
  [theTransform('convert'), '`convert`'],
];

const LINES: readonly (readonly [Reference, string])[] = [
  [
    theView('callers', { recording: 'my app.iprof', options: { function: 'a.B.<init>' } }),
    "kansoku callers 'my app.iprof' 'a.B.<init>'",
  ],
  [
    theView('pgo-inlining', { recording: 'a.iprof', options: { method: 'M', into: true } }),
    'kansoku pgo inlining a.iprof M --into',
  ],
  [
    theView('diff', { recording: 'a.iprof', inputs: { base: null }, options: { by: 'inlining' } }),
    'kansoku diff BASE a.iprof --by inlining',
  ],
  [
    theView('disasm', { recording: 'a', inputs: { classes: 'x.jar:/jdk' }, options: { method: "it's" } }),
    "kansoku disasm a 'it'\\''s' --classes x.jar:/jdk",
  ],
  [
    theTransform('repair', { recording: 'a', inputs: { classes: null, oldClasses: 'old.jar' } }),
    'kansoku pgo stale a --old-classes old.jar --classes CLASSPATH --repair repaired.iprof',
  ],
];

test('each kind of reference', () => {
  for (const [reference, expected] of [...FLAGS, ...COMMANDS, ...LINES])
    equal(commandLineText(phrase`(${reference})`), `(${expected})`);
});

test('words of a line are what a shell reads', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '$', '`', '\\', '\n', '*', '-', ';', 'é') }),
      (name) => {
        const line = commandLineText([theView('callers', { recording: name, options: { function: name } })]);
        const { stdout } = spawnSync('sh', ['-c', `kansoku() { printf '%s\\0' "$@"; }; ${line}`], { encoding: 'utf8' });
        deepEqual(stdout.split('\0'), ['callers', name, name, '']);
      },
    ),
    runs(400),
  );
});

test('an error is its text and its advice, in flags', () => {
  const error = new UsageError(phrase`${theOption('durations')} are those of functions`, {
    code: 'functions-only',
    advice: phrase`Omit ${theOption('by')}.`,
  });
  deepEqual(errorLines(error), ['--durations are those of functions', 'Omit --by.']);
  equal(error.message, 'the option durations are those of functions');
  deepEqual(errorLines(new UsageError('no', 'Try.')), ['no', 'Try.']);
  deepEqual([new UsageError('no').code, error.code], ['usage', 'functions-only']);
});

test('a result has its notes and headlines as texts; texts stay', () => {
  const result = {
    type: 'x',
    notes: [note('dump', phrase`Dump 1 (${theStep('dump')}).`)],
    headlines: ['deadlock', phrase`1 more (${theField('deadlocks')}).`],
  };
  const texts = { type: 'x', notes: ['Dump 1 (--dump).'], headlines: ['deadlock', '1 more (--format json).'] };
  deepEqual(withTexts(result), texts);
  deepEqual(withTexts(texts), texts);
});
