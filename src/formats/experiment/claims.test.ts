/** Which recordings a directory or an archive holds. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { list } from 'tar';
import { claimExperiments } from './claims.js';

const DATA = process.env.KANSOKU_DATA;

function tree(...paths: string[]) {
  const experiments = claimExperiments({ members: paths.map((path) => ({ path })) });
  return experiments && { id: 'experiment', ...experiments };
}

describe('an experiment', () => {
  test('the folder itself, or a folder in an archive', () => {
    const itself = tree('log.xml', 'map.xml', 'profile', 'archives/libc.so.6_x');
    assert.equal(itself?.id, 'experiment');
    assert.deepEqual(
      itself?.recordings.map(({ folder }) => folder),
      [''],
    );
    const inside = tree('./test.1.er/', './test.1.er/log.xml', './test.1.er/overview');
    assert.deepEqual(
      inside?.recordings.map(({ folder }) => folder),
      ['test.1.er'],
    );
    assert.equal(inside?.recordings[0]?.parts.get('overview'), 'test.1.er/overview');
    assert.equal(tree('C\\test.er\\log.xml', 'C\\test.er\\map.xml')?.recordings[0]?.folder, 'C/test.er');
  });

  test('descendants belong to their founder; adjacent experiments are separate', () => {
    const files = (folder: string) => ['log.xml', 'map.xml', 'overview'].map((file) => `${folder}/${file}`);
    const family = tree(...files('b.er'), ...files('b.er/_f1.er'), ...files('b.er/_f1_x1.er'), ...files('a.er'));
    assert.deepEqual(
      family?.recordings.map(({ folder }) => folder),
      ['a.er', 'b.er'],
    );
    assert.match(family?.because ?? '', /2 descendant/);
  });
});

test('other folders are none', () => {
  for (const paths of [[], ['log.xml'], ['a/log.xml', 'b/map.xml'], ['README.md', 'src/main.c']]) {
    assert.equal(tree(...paths), undefined, paths.join());
  }
});

test('the experiments of the test data', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const archives = readdirSync(join(DATA, 'experiments')).filter((name) => name.endsWith('.er.tar.gz'));
  assert.ok(archives.length >= 20);
  for (const name of archives) {
    const paths: string[] = [];
    await list({ file: join(DATA, 'experiments', name), onReadEntry: (entry) => paths.push(entry.path) });
    const found = tree(...paths);
    assert.equal(found?.id, 'experiment', name);
    assert.deepEqual(
      found?.recordings.map(({ folder }) => folder),
      [name.replace('.tar.gz', '')],
    );
  }
});
