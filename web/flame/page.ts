/**
 * The standalone page that `kansoku flame -o out.html` writes: reads the flame results in the file, and shows one of
 * them with its notes. The data is JSON, gzipped, as base64 in the element `flame-data`.
 */
import { decodeBase64 } from '../../src/base/base64.js';
import { type FlameResult, flamePicture } from '../../src/views/flame/picture.js';
import { chooser, element } from './dom.js';
import { FlameGraph } from './flame.js';

declare global {
  /** The component on the page, for tests and benchmarks. */
  var kansokuFlame: FlameGraph | undefined;
}

async function readResults(): Promise<readonly FlameResult[]> {
  const carrier = document.getElementById('flame-data');
  const packed = decodeBase64(carrier?.textContent?.trim() ?? '');
  carrier?.remove();
  const unpacked = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(unpacked).text());
}

class Page {
  readonly #results: readonly FlameResult[];
  readonly #host = element('div', { class: 'flame' });
  readonly #notes = element('ul', { class: 'page-notes', 'aria-label': 'Notes' });
  #shown: FlameGraph | undefined;
  #metric: string;
  #inverted: boolean;

  constructor(results: readonly FlameResult[], first: FlameResult) {
    this.#results = results;
    this.#metric = first.metric.id;
    this.#inverted = first.inverted;
    const compared = first.base === null ? '' : ` compared with ${first.base.recording}`;
    document.body.replaceChildren(
      element(
        'header',
        {},
        element('h1', {}, 'Flame graph'),
        element('p', { class: 'page-recording' }, element('bdi', {}, first.recording), compared),
        ...this.#choices(),
      ),
      element('main', {}, this.#notes, this.#host),
    );
    this.#show();
  }

  /** Choosers with several options; a single option is shown as text. */
  #choices(): HTMLElement[] {
    const metrics = new Map(this.#results.map((result) => [result.metric.id, result.metric.title]));
    const ways = [...new Set(this.#results.map((result) => result.inverted))];
    const wayName = (inverted: boolean): string => (inverted ? 'inverted' : 'top-down');
    return [
      metrics.size > 1
        ? chooser('Metric', [...metrics], this.#metric, (id) => {
            this.#metric = id;
            this.#show();
          })
        : element('span', {}, `Metric: ${[...metrics.values()].join()}`),
      ways.length > 1
        ? chooser(
            'View',
            ways.map((way) => [String(way), wayName(way)] as const),
            String(this.#inverted),
            (way) => {
              this.#inverted = way === 'true';
              this.#show();
            },
          )
        : element('span', {}, `View: ${ways.map(wayName).join()}`),
    ];
  }

  #show(): void {
    const ofMetric = this.#results.filter((result) => result.metric.id === this.#metric);
    const result = ofMetric.find((one) => one.inverted === this.#inverted) ?? ofMetric[0];
    if (result === undefined) return;
    this.#notes.replaceChildren(...result.notes.map((note) => element('li', {}, note)));
    this.#shown?.remove();
    this.#shown = new FlameGraph(this.#host, flamePicture(result));
    globalThis.kansokuFlame = this.#shown;
  }
}

async function start(): Promise<void> {
  const results = await readResults();
  const [first] = results;
  if (first !== undefined) new Page(results, first);
  performance.mark('flame-ready');
}

start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(element('p', { role: 'alert' }, `This page cannot show its flame graph: ${message}`));
  throw error;
});
