/** The documents match reality: the transcript in the README, the example of the library, links. */
import { equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../testing/shared-data.js';
import { runCommand } from './testing/run-command.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Code blocks of a page, with the word behind their fence. */
function blocks(page: string): { language: string; text: string }[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));
}

/** Blocks of one language put together: the examples of a page are one program. */
function joined(parts: ReturnType<typeof blocks>): ReturnType<typeof blocks> {
  return [...new Set(parts.map(({ language }) => language))].map((language) => ({
    language,
    text: parts.flatMap((part) => (part.language === language ? [part.text] : [])).join(''),
  }));
}

describe('documents', () => {
  it('the transcript in the README is real output', async () => {
    const transcript = blocks(read('README.md'))[0]?.text ?? '';
    const parts = transcript.split(/^\$ \.\/kansoku /m).slice(1);
    ok(parts.length >= 2);
    for (const part of parts) {
      const [command = '', ...output] = part.split('\n');
      const words = command.split(' ');
      const { stdout, stderr, status } = await runCommand(words, { cwd: ROOT, env: { KANSOKU_ROOT: ROOT } });
      equal(status, 0, stderr);
      equal(stdout, output.join('\n'), command);
    }
  });

  it('the example of the library runs and prints the output on the page', () => {
    const [example, expectedOutput] = joined(blocks(read('docs/library.md')));
    equal(example?.language, 'js');
    // Inside the package, so that it finds itself under its own name.
    const folder = mkdtempSync(join(ROOT, 'dist', 'example-'));
    try {
      writeFileSync(join(folder, 'example.mjs'), example?.text ?? '');
      const words = [join(folder, 'example.mjs')];
      const { stdout, stderr, status } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
      equal(status, 0, stderr);
      equal(stdout, expectedOutput?.text);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('links between pages have targets', () => {
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
    ];
    for (const page of pages.filter((name) => name.endsWith('.md'))) {
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)) {
        ok(existsSync(join(ROOT, dirname(page), target)), `${page} links to ${target}`);
      }
    }
  });
});
