/**
 * Reads processed profiles of the Firefox Profiler and of samply (docs/formats/firefox-processed.md) of any size in one pass. Memory: 8 bytes a
 * value of the tables that are read, 40 bytes a sample.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import type { ItemCodes } from '../shared/items/json-items.js';
import { member, numberOf, readItems, textOf } from '../shared/items/read-items.js';
import { FirefoxContents } from './contents.js';
import { toProfile } from './model.js';

const CODES: ItemCodes = {
  cut: 'firefox-truncated',
  syntax: 'firefox-syntax',
  tooLarge: 'firefox-too-large',
};
/** Versions whose tables are known; files of others are read by the same rules. */
const [FIRST_VERSION, LAST_VERSION] = [55, 70];

/** Throws `FormatError` if there is no version, which files have since 2016, or no thread. */
export async function readFirefox(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const contents = new FirefoxContents(problems);
  const { complete } = await readItems(source, work, problems, CODES, (isList) => (isList ? undefined : contents.root));
  const version = numberOf(member(contents.meta, 'preprocessedProfileVersion'));
  if (contents.threads.length === 0 || version === undefined)
    throw new FormatError({
      format: 'firefox-processed',
      offset: problems.finish().list[0]?.offset ?? 0,
      expected: 'threads, and the version of their layout',
      found:
        problems.finish().list[0]?.message ??
        (version === undefined ? 'no version: a file of 2016, which profiler.firefox.com can convert' : 'no thread'),
    });
  if (version < FIRST_VERSION || version > LAST_VERSION)
    problems.add({
      code: 'firefox-version',
      severity: 'warning',
      message: `version ${version} is read as ${version < FIRST_VERSION ? FIRST_VERSION : LAST_VERSION}: what it has in other places is missing`,
    });
  const { program, profile, sections, start, dangling } = toProfile(contents);
  if (dangling > 0)
    problems.add({
      code: 'firefox-dangling',
      severity: complete ? 'error' : 'warning',
      message: `${dangling} rows of tables name rows that there are not; they are left out`,
      ...(complete ? { offset: 0 } : {}),
    });
  const epoch = numberOf(member(contents.meta, 'startTime'));
  return {
    name: source.name,
    format: 'firefox-processed',
    metadata: metadataOf(contents.meta),
    ...(epoch !== undefined && epoch > 1e11 ? { clock: { start: epoch + start / 1e6, length: profile.length } } : {}),
    sections,
    program,
    profile: profile.profile,
    problems: problems.finish(),
    complete: complete && contents.wrong === 0 && dangling === 0,
    residue: undefined,
  };
}

function metadataOf(meta: unknown): MetadataEntry[] {
  const keys = ['preprocessedProfileVersion', 'product', 'platform', 'oscpu', 'abi', 'interval', 'importedFrom'];
  return keys.flatMap((key) => {
    const value = member(meta, key);
    const text = textOf(value) ?? (numberOf(value) === undefined ? undefined : String(value));
    return text === undefined || text === '' ? [] : [{ key, value: text }];
  });
}
