/** What the HPROF agent costs a program, so that it is known before. Figures of docs/hprof-agent.md, of another machine. */

interface Price {
  readonly applies: (words: ReadonlySet<string>) => boolean;
  readonly text: string;
}

function has(...options: readonly string[]): Price['applies'] {
  return (words) => options.some((option) => words.has(option));
}

/** With `heap=dump`, and with the times or numbers of calls, each object is looked at (docs/hprof-agent.md). */
const LOOKS_AT_OBJECTS = has('live=exact', 'heap=dump', 'heap=all');
const COUNTS_SITES = has('heap=sites');

const PRICES: readonly Price[] = [
  { applies: has('cpu=times', 'cpu=old'), text: '65 to 75 ns for each call of a method' },
  { applies: has('cpu=counts'), text: 'about 2 % for small methods, and 0.2 to 0.4 s of CPU time at the start' },
  { applies: has('cpu=samples'), text: 'below 1 % for samples (the file has what it was)' },
  {
    applies: (words) => COUNTS_SITES(words) && !LOOKS_AT_OBJECTS(words),
    text: 'little for objects that loops create, 0.6 to 0.9 µs for each call of a method that creates one',
  },
  { applies: LOOKS_AT_OBJECTS, text: 'about 1.4 µs for each object' },
];

/** The expected price of options such as `cpu=times,depth=8`, in a sentence; undefined if none was measured. */
export function expectedPrice(options: string): string | undefined {
  const words = new Set(options.split(',').map((word) => word.trim()));
  const texts = PRICES.filter(({ applies }) => applies(words)).map(({ text }) => text);
  return texts.length === 0 ? undefined : `Expected price, as measured on another machine: ${texts.join('; ')}.`;
}
