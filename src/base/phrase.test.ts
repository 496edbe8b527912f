/** Phrases: references are data, and survive JSON; no text is ever read as one. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { note, notesBeside, plainNotes, withPrefix } from './note.js';
import {
  joinedPhrases,
  type Phrase,
  phrase,
  plainText,
  type Reference,
  spellPhrase,
  theField,
  theInput,
  theOption,
  thePage,
  theStep,
  theTransform,
  theView,
} from './phrase.js';

/** Texts of recordings that look like references or flags. */
const hostile = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '',
    '--by',
    '[object Object]',
    '{"option":"by"}',
    '[{"option":"by"}]',
    '$' + '{theOption("by")}',
    '`summary`',
    '\u201csummary\u201d',
    'void Map.get(K[])',
    '</li>',
  ),
);
const word = fc.constantFrom('by', 'minShare', 'dump', 'classes');
const reference: fc.Arbitrary<Reference> = fc.oneof(
  word.map((name) => theOption(name)),
  fc.tuple(word, hostile).map(([name, value]) => theOption(name, { value })),
  fc.tuple(word, hostile).map(([kind, choose]) => theStep(kind, { choose })),
  fc.constantFrom(theInput('classes'), thePage('limit', { value: 0 }), theField('deadlocks'), theTransform('repair')),
  hostile.map((recording) => theView('callers', { recording, options: { function: recording } })),
);
const part = fc.oneof(hostile, reference);

/** The phrase of a template with these values and nothing between them. */
function phraseOf(values: readonly (string | Reference)[]): Phrase {
  return joinedPhrases(values, '');
}

test('a phrase survives JSON, and has its references in order', () => {
  fc.assert(
    fc.property(fc.array(part), (values) => {
      const joinedPhrase = phraseOf(values);
      deepEqual(JSON.parse(JSON.stringify(joinedPhrase)), joinedPhrase);
      const references =
        typeof joinedPhrase === 'string' ? [] : joinedPhrase.filter((each) => typeof each !== 'string');
      deepEqual(
        references,
        values.filter((each) => typeof each !== 'string'),
      );
    }),
    runs(1000),
  );
});

test('texts are spelled as they are, whatever they look like', () => {
  fc.assert(
    fc.property(fc.array(part), (values) => {
      const expected = values.map((each) => (typeof each === 'string' ? each : '\0')).join('');
      equal(
        spellPhrase(phraseOf(values), () => '\0'),
        expected,
      );
    }),
    runs(1000),
  );
  fc.assert(
    fc.property(fc.array(hostile), (texts) => {
      const joinedPhrase = phraseOf(texts);
      equal(joinedPhrase, texts.join(''));
      equal(plainText(joinedPhrase), texts.join(''));
    }),
    runs(1000),
  );
});

test('a template takes texts, numbers, references and phrases; neighbours are one text', () => {
  equal(phrase`${2} of ${'two'}`, '2 of two');
  equal(phrase``, '');
  const inner = phrase`Omit ${theOption('by')}.`;
  deepEqual(inner, ['Omit ', { option: 'by' }, '.']);
  deepEqual(phrase`${3} rows. ${inner} ${theStep('dump', { choose: 'N' })}`, [
    '3 rows. Omit ',
    { option: 'by' },
    '. ',
    { step: 'dump', choose: 'N' },
  ]);
  deepEqual(joinedPhrases(['a', theStep('time'), inner], ', '), [
    'a, ',
    { step: 'time' },
    ', Omit ',
    { option: 'by' },
    '.',
  ]);
});

test('in words, each kind of reference names what it is', () => {
  const words: readonly (readonly [Reference, string])[] = [
    [theOption('by'), 'the option by'],
    [theOption('minShare', { value: 0.5 }), 'the option min share = 0.5'],
    [theOption('most', { choose: 'N' }), 'the option most'],
    [theStep('origin', { value: 'profiler' }), 'the step origin = profiler'],
    [theInput('classes', { choose: 'PATH' }), 'the classes of the program'],
    [thePage('limit', { value: 0 }), 'the number of rows = 0'],
    [theField('deadlocks'), 'the field deadlocks'],
    [theView('summary'), '\u201csummary\u201d'],
    [
      theView('functions', { options: { by: 'line' }, choose: { also: 'METRICS' } }),
      '\u201cfunctions\u201d with by = line, also',
    ],
    [theTransform('repair', { recording: 'a.iprof' }), '\u201crepair\u201d'],
  ];
  for (const [each, expected] of words) equal(plainText([each]), expected);
});

test('notes keep their code under a prefix, and are compared by their text', () => {
  const few = note('few', phrase`Few; ${theOption('all')} has all.`, { action: { set: { all: true } } });
  const dump = note('dump', 'Dump 1.');
  const ofBase = withPrefix('The base: ', few);
  deepEqual([ofBase.code, ofBase.action], ['few', { set: { all: true } }]);
  deepEqual(plainNotes([ofBase, dump]), ['The base: Few; the option all has all.', 'Dump 1.']);
  deepEqual(notesBeside([few, dump], [note('other', few.text)]), [dump]);
});
