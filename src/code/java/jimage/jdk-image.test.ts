/**
 * The images of the JDKs of this machine, and compressed ones that jlink makes, compared with the output of `jimage`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileSource } from '../../../bytes/file.node.js';
import { amount, inFullTier } from '../../../testing/amount.js';
import { temporaryFolder } from '../../../testing/byte-sources.js';
import { openClassPath } from '../class-path/class-path.node.js';
import { imagePaths, jdkHomes, jdkTool } from '../testing/jdks.js';
import { JImage } from './jimage.js';

/** The quick tier tries the JDK of `java`. */
const tried = (homes: readonly string[]): readonly string[] => amount(homes, homes.slice(0, 1));

/** Compares the classes of an image below `below` with the files that `jimage extract` writes. */
async function assertSameAsExtracted(t: TestContext, home: string, image: string, below: string): Promise<number> {
  const folder = await temporaryFolder(t);
  const pattern = `regex:${below.replaceAll('.', '\\.')}.*`;
  jdkTool(home, 'jimage', ['extract', '--dir', folder, '--include', pattern, image]);
  const path = await openClassPath([image]);
  const names = [...path.names(), ...path.moduleInfos].filter((name) =>
    path.originOf(name)?.startsWith(`${image}!${below}`),
  );
  let compared = 0;
  await path.load(
    names,
    (name, bytes) => {
      const file = join(folder, (path.originOf(name) ?? '').slice(image.length + 2));
      assert.ok(readFileSync(file).equals(bytes), name);
      compared++;
    },
    {},
  );
  assert.deepEqual([compared, path.problems], [names.length, []]);
  await path.close();
  return compared;
}

test('images of JDKs have the contents and header that jimage lists', async (t) => {
  for (const home of tried(jdkHomes(t))) {
    const file = join(home, 'lib', 'modules');
    const image = await JImage.open(await fileSource(file));
    const { header } = image;
    const said = jdkTool(home, 'jimage', ['info', file]);
    const number = (title: string): number => Number(new RegExp(`${title}: +(\\d+)`).exec(said)?.[1]);
    assert.deepEqual(
      [header.flags, header.resources, header.slots, header.locationBytes, header.stringBytes, header.indexBytes],
      ['Flags', 'Resource Count', 'Table Length', 'Locations Size', 'Strings Size', 'Index Size'].map(number),
    );
    const paths = Array.from({ length: image.resources.length }, (_, row) => image.path(row));
    for (const [row, path] of paths.entries()) assert.equal(image.find(path), row);
    const truth = imagePaths(home, file);
    assert.ok(truth.length > 5000);
    assert.deepEqual(paths.filter((path) => !/^\/(?:modules|packages)(?:\/|$)/.test(path)).sort(), truth);

    const path = await openClassPath([home]);
    assert.deepEqual(path.problems, []);
    const origins = [...path.names(), ...path.moduleInfos].map((name) => path.originOf(name)?.slice(file.length + 1));
    assert.deepEqual(
      origins.sort(),
      truth.filter((each) => each.endsWith('.class')),
    );
    assert.equal(path.size, truth.filter((each) => /(?<!\/[^/]*\/module-info)\.class$/.test(each)).length);
    assert.equal(path.moduleOf('java.util.Map$Entry'), 'java.base');
    await path.close();
  }
});

test('class files equal those that jimage extracts', async (t) => {
  for (const home of tried(jdkHomes(t)))
    assert.ok((await assertSameAsExtracted(t, home, join(home, 'lib', 'modules'), '/java.logging/')) > 50);
});

test('compressed images are unpacked as by jimage', async (t) => {
  const [home] = jdkHomes(t);
  if (home === undefined || !inFullTier(t, 'jdk-image')) return;
  const release = Number(/"(\d+)/.exec(readFileSync(join(home, 'release'), 'utf8'))?.[1]);
  const folder = await temporaryFolder(t);
  // Up to JDK 20: 2 deflates, 1 shares strings of constant pools.
  const kinds = release < 21 ? ['1', '2'] : ['zip-6'];
  for (const kind of kinds) {
    const output = join(folder, kind);
    jdkTool(home, 'jlink', ['--add-modules', 'java.base', `--compress=${kind}`, '--output', output]);
    const file = join(output, 'lib', 'modules');
    const { resources } = await JImage.open(await fileSource(file));
    assert.ok(resources.compressed.filter((each) => each === 1).length > 5000);
    assert.ok((await assertSameAsExtracted(t, home, file, '/')) > 5000);
  }
});
