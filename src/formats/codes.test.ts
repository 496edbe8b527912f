/** Every problem that a reader can report has its line in the page of its room, and no line is of a problem that cannot be. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ROOT } from '../testing/shared-data.js';
import { sourcesBelow } from '../testing/sources.js';
import { FORMATS } from './registry.js';

interface Room {
  /** What its codes begin with. */
  readonly families: readonly string[];
  readonly sources: readonly string[];
  readonly page: string;
}

/** Formats whose codes begin with another word than their id, or that share sources. */
const SPECIAL: Readonly<
  Record<string, Pick<Room, 'families'> & { readonly shared?: readonly string[]; readonly room?: string }>
> = {
  'analysis-statistics': { families: ['build-output'], room: 'build-output' },
  'native-image-build-output': { families: ['build-output'], room: 'build-output' },
  hprof: { families: ['hprof'], shared: ['src/formats/shared/hprof'] },
  'hprof-text': { families: ['hprof'], shared: ['src/formats/shared/hprof'] },
  'firefox-processed': { families: ['firefox'] },
  'reached-list': { families: ['list'] },
  'reachability-json': { families: ['reachability'] },
  'reachability-trace': { families: ['trace'] },
};

const ROOMS: readonly Room[] = [
  ...FORMATS.map(({ id }) => {
    const { families = [id], shared = [], room = id } = SPECIAL[id] ?? {};
    return { families, sources: [`src/formats/${room}`, ...shared], page: `docs/formats/${room}.md` };
  }),
  { families: ['class-file'], sources: ['src/code/java'], page: 'docs/class-files.md' },
  {
    families: ['gzip', 'tar', 'zip', 'archive', 'directory', 'text', 'log'],
    sources: ['src/bytes', 'src/formats/shared'],
    page: 'docs/inputs.md',
  },
];

const IDS = new Set(FORMATS.map(({ id }) => id));

/** The codes in quotes, and those that thread dumps and their logs put together. */
function usedCodes({ families, sources }: Room): string[] {
  const text = sources.map(sourcesBelow).join('\n');
  const quoted = [...text.matchAll(new RegExp(`'((?:${families.join('|')})-[a-z-]+)'`, 'g'))].map(
    ([, code]) => code ?? '',
  );
  const joined = families.includes('thread-dump')
    ? [...text.matchAll(/\.(?:lost|note)\(\s*'([a-z]+)'/g)].map(([, end]) => `thread-dump-${end}`)
    : [];
  return [...new Set([...quoted, ...joined])].filter((code) => !IDS.has(code)).sort();
}

/** The codes at the beginning of rows whose second cell is a severity. */
function documentedCodes({ families, page }: Room): string[] {
  const rows = readFileSync(join(ROOT, page), 'utf8').matchAll(/^\|((?:[^|]*`[a-z-]+`)+) \| (?:error|warning|info)/gm);
  const codes = [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code ?? ''));
  return [...new Set(codes)].filter((code) => families.some((family) => code.startsWith(`${family}-`))).sort();
}

describe('codes of problems', () => {
  for (const room of ROOMS)
    test(`${room.page} explains all that ${room.sources.join(' and ')} can report, and no others`, () => {
      const used = usedCodes(room);
      assert.ok(used.length > 0);
      assert.deepEqual(documentedCodes(room), used);
    });
});
