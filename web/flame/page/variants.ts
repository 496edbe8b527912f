/**
 * The graphs of a page: those that it carries, and those made of them on demand (src/pictures/flame/derive.ts). Large ones are
 * made by a worker, which runs the page's own script.
 */
import { UsageError } from '../../../src/base/errors.js';
import { plainText } from '../../../src/base/phrase.js';
import {
  type DerivedNodes,
  derive,
  derivedResult,
  isSource,
  type PictureSelection,
} from '../../../src/pictures/flame/derive.js';
import { type FlamePicture, type FlameResult, flamePicture } from '../../../src/pictures/flame/picture.js';
import { threadsMatching } from '../../../src/pictures/thread-choices.js';

/** What the page carries, as `flameHtml` writes it. */
export interface Carried {
  readonly results: readonly FlameResult[];
  readonly inverted?: boolean;
  readonly omitted?: readonly string[];
  readonly scopeWords?: readonly string[];
}

export interface Choice extends PictureSelection {
  readonly metric: string;
}

export interface Variant {
  readonly result: FlameResult;
  readonly picture: FlamePicture;
}

/** Graphs of more nodes and samples are made by a worker. */
const AT_ONCE = 200_000;

/** The script of this page; only known while it is run for the first time. */
const SCRIPT = typeof document === 'undefined' ? '' : (document.currentScript?.textContent ?? '');

type Answer = { readonly made: DerivedNodes } | { readonly error: string };

/** Makes one graph, in a worker. */
export function answerAsWorker(): void {
  addEventListener('message', ({ data }: MessageEvent<{ source: FlameResult; selection: PictureSelection }>) => {
    postMessage(answerTo(data.source, data.selection));
  });
}

function answerTo(source: FlameResult, selection: PictureSelection): Answer {
  try {
    return { made: derive(source, selection) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

export class Variants {
  readonly #results: readonly FlameResult[];
  #worker: Worker | undefined;

  constructor({ results }: Carried) {
    this.#results = results;
  }

  get metrics(): (readonly [id: string, title: string])[] {
    return [...new Map(this.#results.map(({ metric }) => [metric.id, metric.title]))];
  }

  /** The graph from the roots that others of a metric can be made of. */
  source(metric: string): FlameResult | undefined {
    return this.#results.find((result) => result.metric.id === metric && isSource(result));
  }

  /** The directions of a metric: inverted or not. */
  ways(metric: string): readonly boolean[] {
    if (this.source(metric) !== undefined) return [false, true];
    return this.#results.filter((result) => result.metric.id === metric).map(({ inverted }) => inverted);
  }

  threads(metric: string): readonly string[] {
    return this.source(metric)?.samples?.threads ?? [];
  }

  /** Why a pattern means none of the threads of a metric; undefined if it means some. */
  refusal(metric: string, pattern: string): string | undefined {
    try {
      threadsMatching(this.threads(metric), pattern);
      return undefined;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [error.message, ...(error.advice === undefined ? [] : [plainText(error.advice)])].join('. ');
    }
  }

  hasTime(metric: string): boolean {
    return this.source(metric)?.samples?.in_order === true;
  }

  /** Whether a choice takes longer than a click may. */
  isSlow(choice: Choice): boolean {
    const source = this.source(choice.metric);
    if (source === undefined || this.#carried(choice) !== undefined) return false;
    return source.nodes.length + (source.samples?.length ?? 0) > AT_ONCE;
  }

  /** A graph that is carried or soon made; undefined for slow ones. Throws `UsageError` for one that is too large. */
  at(choice: Choice): Variant | undefined {
    const carried = this.#carried(choice);
    if (carried !== undefined) return { result: carried, picture: flamePicture(carried) };
    const source = this.source(choice.metric);
    if (source === undefined || this.isSlow(choice)) return undefined;
    return variantOf(source, choice, derive(source, choice));
  }

  /** Makes a graph in a worker. Rejects with `UsageError` if it would be too large. One at a time: a new one ends the last. */
  make(choice: Choice): Promise<Variant> {
    this.cancel();
    const source = this.source(choice.metric);
    if (source === undefined) return Promise.reject(new UsageError('the page does not have this graph'));
    const url = URL.createObjectURL(new Blob([SCRIPT], { type: 'text/javascript' }));
    const worker = new Worker(url);
    this.#worker = worker;
    return new Promise<Variant>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
        if ('made' in data) resolve(variantOf(source, choice, data.made));
        else reject(new UsageError(data.error));
      });
      worker.addEventListener('error', ({ message }) => reject(new UsageError(message)));
      worker.postMessage({ source, selection: choice });
    }).finally(() => {
      worker.terminate();
      URL.revokeObjectURL(url);
    });
  }

  /** Stops the work of `make`; its promise stays open. */
  cancel(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #carried({ metric, inverted, thread, inTime }: Choice): FlameResult | undefined {
    if (thread !== undefined || inTime) return undefined;
    return this.#results.find((result) => result.metric.id === metric && result.inverted === inverted);
  }
}

function variantOf(source: FlameResult, choice: Choice, made: DerivedNodes): Variant {
  const result = derivedResult(source, choice, made);
  return { result, picture: flamePicture(result, made.start) };
}
