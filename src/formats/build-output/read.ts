/**
 * Reads figures of a build of GraalVM Native Image (docs/formats/build-output.md): numbers of things become sections of the recording, all other values
 * facts of its metadata. Memory: at most 2,000 values, a window of 1 MiB.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { formatBytes, formatValue, plural } from '../../base/units.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import { Scanner } from '../shared/json-scanner.js';
import { readDocument } from '../shared/json-windows.js';
import { FigureDocument, type Leaf } from './document.js';
import { BUILD_FIGURES, type Figure, type Figures, PARTS, STATISTICS_FIGURES } from './figures.js';

const LARGEST = 1 << 20;
/** What the builder writes for a number that it does not have. */
const NOT_AVAILABLE = -1;

/** Throws `FormatError` for a document without a figure. */
export function readStatistics(source: ByteSource, work: Work = {}): Promise<Recording> {
  return readFigures(source, 'analysis-statistics', STATISTICS_FIGURES, work);
}

/** Throws `FormatError` for a document without a figure. */
export function readBuildOutput(source: ByteSource, work: Work = {}): Promise<Recording> {
  return readFigures(source, 'native-image-build-output', BUILD_FIGURES, work);
}

async function readFigures(source: ByteSource, format: string, figures: Figures, work: Work): Promise<Recording> {
  const problems = new ProblemLog();
  const scanner = new Scanner();
  const document = new FigureDocument(scanner, problems);
  const { whole } = await readDocument(source, scanner, document, problems, { work, largest: LARGEST });
  const facts = new Facts(figures, problems);
  for (const leaf of document.leaves) facts.add(leaf);
  facts.checkParts();
  if (facts.figures === 0) {
    const [first] = problems.finish().list;
    throw new FormatError({
      format,
      offset: first?.offset ?? 0,
      expected: 'figures of a build of GraalVM Native Image',
      found: first?.message ?? 'none',
    });
  }
  if (document.passed > 0)
    problems.add({
      code: 'build-output-passed',
      severity: 'info',
      message: `${plural(document.passed, 'value')} of the document ${document.passed === 1 ? 'is' : 'are'} not shown: lists, or more than a builder writes`,
    });
  return {
    name: source.name,
    format,
    metadata: facts.metadata(),
    sections: facts.sections,
    program: new ProgramBuilder().finish(),
    problems: problems.finish(),
    complete: whole && !document.lost && !facts.lost,
    residue: undefined,
  };
}

class Facts {
  readonly sections: { readonly name: string; readonly entries: number }[] = [];
  /** Values of the document that are figures of the builder, those that it does not have included. */
  figures = 0;
  lost = false;
  readonly #metadata: MetadataEntry[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #paths = new Set<string>();
  readonly #unavailable: string[] = [];
  readonly #figures: Figures;
  readonly #problems: ProblemLog;

  constructor(figures: Figures, problems: ProblemLog) {
    this.#figures = figures;
    this.#problems = problems;
  }

  metadata(): readonly MetadataEntry[] {
    if (this.#unavailable.length === 0) return this.#metadata;
    return [...this.#metadata, { key: 'not available', value: this.#unavailable.join(', ') }];
  }

  add(leaf: Leaf): void {
    const { path, value } = leaf;
    if (this.#paths.has(path)) {
      this.#report(leaf, 'build-output-twice', `${path} is there twice; the first value counts`);
      return;
    }
    this.#paths.add(path);
    const figure = this.#figures[path];
    if (figure !== undefined) this.#addFigure(leaf, figure);
    else if (value !== undefined) this.#metadata.push({ key: keyOf(path), value: String(value) });
  }

  #addFigure(leaf: Leaf, { title, kind }: Figure): void {
    const { path, value } = leaf;
    this.figures++;
    if (value === NOT_AVAILABLE || value === undefined) {
      this.#unavailable.push(title);
      return;
    }
    const isWhole = kind === 'count' || kind === 'bytes';
    if (typeof value !== 'number' || !(value >= 0) || (isWhole ? !Number.isSafeInteger(value) : value === Infinity)) {
      this.#report(leaf, 'build-output-value', `${path}: ${String(value).slice(0, 80)} is no ${NOUNS[kind]}; left out`);
      return;
    }
    this.#numbers.set(path, value);
    if (kind === 'count') this.sections.push({ name: title, entries: value });
    else this.#metadata.push({ key: title, value: TEXTS[kind](value) });
  }

  /** A part that is larger than its whole: one of them is wrong. */
  checkParts(): void {
    for (const [part, whole] of PARTS) {
      const [some, all] = [this.#numbers.get(part), this.#numbers.get(whole)];
      if (some === undefined || all === undefined || some <= all) continue;
      this.#problems.add({
        code: 'build-output-parts',
        severity: 'warning',
        message: `${part} is ${some}, more than ${whole}, which is ${all}`,
      });
    }
  }

  #report({ offset }: Leaf, code: string, message: string): void {
    this.lost = true;
    this.#problems.add({ code, severity: 'error', offset, message });
  }
}

/** `general_info/java_version` is `java version`. */
function keyOf(path: string): string {
  return path.replace(/^general_info\//, '').replace(/[/_]/g, ' ');
}

const NOUNS = {
  count: 'number of things',
  bytes: 'number of bytes',
  seconds: 'time',
  milliseconds: 'time',
  ratio: 'share',
} as const;

const TEXTS = {
  bytes: formatBytes,
  seconds: (value: number) => formatValue(value * 1e9, 'ns'),
  milliseconds: (value: number) => formatValue(value * 1e6, 'ns'),
  ratio: (value: number) => formatValue(value, 'none'),
} as const;
