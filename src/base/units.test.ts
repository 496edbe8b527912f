import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { formatBytes, formatCount, formatDecimal, formatValue, plural } from './units.js';

const RUNS = runs(1000);
const FACTORS: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

function parsed(text: string, places = 2): number {
  assert.match(text, new RegExp(`^-?\\d{1,3}(?:,\\d{3})*(?:\\.\\d{2,${places}})?$`));
  return Number(text.replaceAll(',', ''));
}

describe('numbers as text', () => {
  test('are what Intl.NumberFormat writes', () => {
    const formats = [0, 2].map(
      (places) => new Intl.NumberFormat('en-US', { minimumFractionDigits: places, maximumFractionDigits: places }),
    );
    // Halves, and shortest forms that are not the double itself, are where roundings differ.
    const halves = fc
      .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.constantFrom(200, 1000, 2))
      .map(([n, by]) => n / by);
    const any = fc.oneof(fc.double(), halves, fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer());
    fc.assert(
      fc.property(any, (value) => {
        for (const [i, format] of formats.entries()) assert.equal(formatDecimal(value, i * 2), format.format(value));
      }),
      RUNS,
    );
  });

  test('of counts read back as the count', () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger().filter((value) => !Object.is(value, -0)),
        (value) => {
          assert.equal(parsed(formatCount(value)), value);
          assert.equal(formatValue(value, 'samples'), formatCount(value));
        },
      ),
      RUNS,
    );
  });

  test('of fractions, shares and times read back to two places', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        const near = (text: string, expected: number, within = 0.005): void =>
          assert.ok(
            Math.abs(parsed(text) - expected) <= within + Math.abs(expected) * 1e-12,
            `${text} for ${expected}`,
          );
        // Of thousands, hundredths would be false precision.
        near(formatCount(value), value, Math.abs(value) < 1000 ? 0.005 : 0.5);
        const ratio = formatValue(value, 'ratio').replace(/ %$/, '');
        if (ratio.includes('<')) assert.ok(value !== 0 && Math.abs(value) < 0.00005, `${ratio} for ${value}`);
        else if (ratio.includes('>'))
          assert.ok(Math.abs(value) > 0.99995 && Math.abs(value) < 1, `${ratio} for ${value}`);
        else near(ratio, value * 100);
        const millis = parsed(formatValue(value, 'ns').replace(/ ms$/, ''), 6);
        // Below a hundredth there are two digits, of whole nanoseconds.
        const within = Math.abs(value) >= 1e4 ? 0.005 : Math.max(5e-7, Math.abs(value / 1e6) * 0.05);
        assert.ok(Math.abs(millis - value / 1e6) <= within * (1 + 1e-6), `${millis} ms for ${value} ns`);
      }),
      RUNS,
    );
  });

  test('of sizes read back within their places, in the largest unit that fits', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const [number = '', unit = ''] = formatBytes(value).split(' ');
        const factor = FACTORS[unit] ?? Number.NaN;
        assert.ok(Math.abs(parsed(number) * factor - value) <= 0.005 * factor + value * 1e-12, formatBytes(value));
        assert.ok(unit === 'TB' || value < factor * 1000);
        assert.ok(unit === 'B' || value >= factor);
      }),
      RUNS,
    );
  });

  test('are written as in the documentation', () => {
    assert.equal(formatValue(12345, 'count'), '12,345');
    assert.equal(formatValue(1_499_800e6, 'ns', 1e12), '≈ 1,500,000 ms');
    assert.equal(formatValue(12_345, 'count', 1000), '≈ 12,300');
    assert.equal(formatValue(0.812, 'ratio'), '81.20 %');
    assert.deepEqual(
      [0, 1e-9, -1e-9, 0.00005, 1 - 1e-9, 1, 1 + 1e-9].map((value) => formatValue(value, 'ratio')),
      ['0.00 %', '<0.01 %', '-<0.01 %', '0.01 %', '>99.99 %', '100.00 %', '100.00 %'],
    );
    assert.equal(formatValue(1_234_567_890, 'ns'), '1,234.57 ms');
    assert.equal(formatValue(3_410_000, 'bytes'), '3.41 MB');
    assert.equal(formatValue(-5, 'bci'), '-5');
    assert.deepEqual(
      [0, 1, 2].map((count) => plural(count, 'problem')),
      ['0 problems', '1 problem', '2 problems'],
    );
    assert.equal(plural(1234, 'entry', 'entries'), '1,234 entries');
  });
});
