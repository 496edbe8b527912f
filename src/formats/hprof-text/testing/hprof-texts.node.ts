/** The HPROF texts for tests: those of the collection, packed or not, and the fixtures. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../../bytes/byte-source.js';
import type { Recording } from '../../../models/recording.js';
import { fixturePaths } from '../../../testing/fuzz/fixtures.node.js';
import { readHprofText } from '../read.js';
import type { HprofTruth } from './hprof-content.js';
import { hprofTruth } from './hprof-truth.js';

export interface HprofText {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The texts in a folder. */
export function hprofTexts(folder: string): HprofText[] {
  const names = readdirSync(folder).filter((name) => /\.txt(?:\.gz)?$/.test(name));
  return names.sort().map((name) => hprofTextAt(join(folder, name)));
}

export function hprofTextAt(path: string): HprofText {
  const bytes = readFileSync(path);
  return { name: basename(path), bytes: path.endsWith('.gz') ? gunzipSync(bytes) : bytes };
}

export function hprofFixtures(): HprofText[] {
  return fixturePaths(['hprof-text/testing/fixtures']).flatMap(hprofTexts);
}

export function hprofFixture(name: string): HprofText {
  return hprofTextAt(fixturePaths([`hprof-text/testing/fixtures/${name}`])[0] ?? '');
}

/** Reads a text twice: with the reader and with the second implementation. */
export async function readTwice({ name, bytes }: HprofText): Promise<{ recording: Recording; truth: HprofTruth }> {
  return { recording: await readHprofText(memorySource(name, bytes)), truth: hprofTruth(bytes) };
}
