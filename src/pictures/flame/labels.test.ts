/** Labels with a measure that knows how wide each character is. */
import { equal, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { Labels } from './labels.js';

/** Ten pixels a code point, none for marks, joiners and isolates. */
const measure = (text: string): number => [...text.replace(/\p{M}|\u200d|[\u2066-\u2069]|\ufe0f/gu, '')].length * 10;
const bare = (text: string): string => text.replace(/^\u2068|\u2069$/g, '');

describe('labels', () => {
  it('show the first text that fits, else the beginning of the last', () => {
    const labels = new Labels(measure);
    const texts = ['a.b.Class.method(int)', 'Class.method', 'method'];
    equal(labels.fit(texts, 500), 'a.b.Class.method(int)');
    equal(labels.fit(texts, 209), 'Class.method');
    equal(labels.fit(texts, 60), 'method');
    equal(bare(labels.fit(texts, 59)), 'meth…');
    equal(bare(labels.fit(texts, 40)), 'met…');
    equal(labels.fit(texts, 39), '');
    equal(labels.fit(texts, 0), '');
    equal(labels.fit(texts, -5), '');
    equal(bare(labels.fit(texts, 59)), 'meth…', 'the same again, from the cache');
  });

  it('never cut the prefix, which may be shown alone', () => {
    const labels = new Labels(measure);
    equal(labels.fit(['Class.method', 'method'], 130, '+25 % '), '+25 % method');
    equal(bare(labels.fit(['Class.method', 'method'], 110, '+25 % ')), '+25 % meth…');
    equal(labels.fit(['Class.method', 'method'], 90, '+25 % '), '+25 %');
    equal(labels.fit(['Class.method', 'method'], 49, '+25 % '), '');
  });

  it('never cut a grapheme, and isolate text beyond ASCII', () => {
    const labels = new Labels(measure);
    const family = '👩‍👩‍👧‍👦';
    equal(labels.fit([`${family}${family}${family}${family}x`], 130), `\u2068${family.repeat(3)}…\u2069`);
    equal(labels.fit(['e\u0301e\u0301e\u0301e\u0301e\u0301'], 40), '\u2068e\u0301e\u0301e\u0301…\u2069');
    equal(labels.fit(['مقياس'], 500), '\u2068مقياس\u2069');
  });

  it('fit, and are as long as they can be', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.nat(320), (text, width) => {
        const shown = new Labels(measure).fit([text], width);
        ok(shown === '' || measure(shown) <= width);
        const graphemes = [...segmenter.segment(text)].map(({ segment }) => segment);
        if (measure(text) <= width) return equal(bare(shown), text);
        let best = 0;
        for (let k = 3; k <= graphemes.length; k++)
          if (measure(`${graphemes.slice(0, k).join('')}…`) <= width) best = k;
        equal(bare(shown), best === 0 ? '' : `${graphemes.slice(0, best).join('')}…`);
      }),
      runs(1000),
    );
  });
});
