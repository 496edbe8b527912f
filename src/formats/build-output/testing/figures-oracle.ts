/** What must be seen in damaged figures: a second reading with the JSON parser of the engine, and the rules of docs/formats/build-output.md. */
import type { Judge } from '../../../testing/fuzz/fuzzed-reader.js';

/** Keys of whole numbers that are figures, wherever the builder has them, with the last two parts of the path. */
const COUNT =
  /^(?:analysis_results\/(?:types|classes|methods|fields)\/(?:total|reachable|reflection|jni)|analysis_results\/methods\/foreign_(?:up|down)calls|image_details\/(?:code_area\/compilation_units|image_heap\/(?:objects|resources)\/count|runtime_compiled_methods\/count)|resource_usage\/(?:garbage_collection\/count|cpu\/(?:parallelism|total_cores))|(?:total|app)_(?:reachable_(?:types|methods|fields)|call_edges|type_checks|removable_type_checks))$/;
const BYTES =
  /^(?:image_details\/(?:total_bytes|(?:code_area|image_heap|image_heap\/resources|debug_info)\/bytes|runtime_compiled_methods\/graph_encoding_bytes)|resource_usage\/(?:memory\/(?:peak_rss_bytes|system_total)|garbage_collection\/max_heap)|total_memory_bytes)$/;
const OTHER =
  /^(?:resource_usage\/(?:total_secs|garbage_collection\/total_secs|cpu\/load)|(?:typeflow|verify|features|total_analysis)_time_ms)$/;

interface PlainFigures {
  readonly counts: readonly number[];
  /** Values that are shown as facts: everything but the counts, lists and nulls. */
  readonly facts: number;
  readonly unavailable: number;
  readonly figures: number;
  readonly isWrong: boolean;
}

/** Undefined if it is no JSON object. */
export function plainFigures(bytes: Uint8Array): PlainFigures | undefined {
  let root: unknown;
  try {
    root = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return undefined;
  const counts: number[] = [];
  let [facts, unavailable, figures, isWrong] = [0, 0, 0, false];
  const walk = (object: object, prefix: string): void => {
    for (const [key, value] of Object.entries(object)) {
      const path = prefix + key;
      const [isCount, isBytes] = [COUNT.test(path), BYTES.test(path)];
      const isFigure = isCount || isBytes || OTHER.test(path);
      if (Array.isArray(value)) continue;
      if (typeof value === 'object' && value !== null) walk(value, `${path}/`);
      else if (!isFigure) facts += value === null ? 0 : 1;
      else {
        figures++;
        const isRight =
          typeof value === 'number' &&
          value >= 0 &&
          (isCount || isBytes ? Number.isSafeInteger(value) : value < Infinity);
        if (value === -1 || value === null) unavailable++;
        else if (!isRight) isWrong = true;
        else if (isCount) counts.push(value);
        else facts++;
      }
    }
  };
  walk(root, '');
  return { counts, facts, unavailable, figures, isWrong };
}

export function figuresOracle(): Judge {
  return (mutated, outcome) => {
    const plain = plainFigures(mutated);
    const isDamaged = plain === undefined || plain.figures === 0 || plain.isWrong;
    const input = isDamaged ? 'damaged' : 'sound';
    if (plain !== undefined && hasOddKeys(mutated)) return { input: 'ambiguous' };
    if (outcome.kind === 'refused')
      return isDamaged ? { input } : { input, fault: { code: 'refused', detail: outcome.message } };
    const errors = outcome.problems.list.filter(({ severity }) => severity === 'error');
    if (isDamaged)
      return errors.length > 0 ? { input } : { input, fault: { code: 'silent', detail: 'nothing was reported' } };
    if (errors[0] !== undefined) return { input, fault: { code: 'false alarm', detail: errors[0].message } };
    const { sections, metadata } = outcome.recording;
    const foundValues = [...sections.map(({ entries }) => entries), metadata.length];
    const expectedValues = [...plain.counts, plain.facts + (plain.unavailable > 0 ? 1 : 0)];
    return foundValues.join() === expectedValues.join()
      ? { input }
      : {
          input,
          fault: { code: 'differs', detail: `${expectedValues.join()} in the text, ${foundValues.join()} read` },
        };
  };
}

/** Whether the parser dropped or moved a key: then the text, written again, has fewer quotes, or whole numbers as keys. */
function hasOddKeys(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const quotes = (json: string): number => json.replace(/\\./g, '').split('"').length;
  return quotes(JSON.stringify(JSON.parse(text))) !== quotes(text) || /"(?:\d+|__proto__)"\s*:/.test(text);
}

/** Offsets at which strings, numbers and objects begin or end. */
export function figuresEdges(bytes: Uint8Array): number[] {
  return Array.from(bytes.keys()).filter((at) => '"{}[],:'.includes(String.fromCharCode(bytes[at] ?? 0)));
}
