/**
 * The standalone page that `kansoku flame -o out.html` writes: reads the flame results in the file, and shows one of
 * them, or one made of them, with its notes. The data is JSON, gzipped, as base64 in the element `flame-data`.
 *
 * Large graphs are made by a worker that runs the same script (page/variants.ts).
 */
import { decodeBase64 } from '../../src/base/base64.js';
import { UsageError } from '../../src/base/errors.js';
import { element } from './dom.js';
import type { FlameGraph } from './flame.js';
import { Page } from './page/page.js';
import { answerAsWorker, type Carried } from './page/variants.js';

declare global {
  /** The component on the page, for tests and benchmarks. */
  var kansokuFlame: FlameGraph | undefined;
}

async function readCarried(): Promise<Carried> {
  const carrier = document.getElementById('flame-data');
  const packed = decodeBase64(carrier?.textContent?.trim() ?? '');
  carrier?.remove();
  const unpacked = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(unpacked).text());
}

async function start(): Promise<void> {
  const carried = await readCarried();
  const [first] = carried.results;
  if (first === undefined) throw new UsageError('it carries no data');
  new Page(carried, first);
  performance.mark('flame-ready');
}

if (typeof document === 'undefined') answerAsWorker();
else
  start().catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    document.body.replaceChildren(element('p', { role: 'alert' }, `This page cannot show its flame graph: ${message}`));
    throw error;
  });
