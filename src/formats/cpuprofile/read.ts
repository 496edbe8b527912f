/**
 * Reads V8's CPU profiles (docs/formats/cpuprofile.md) of any size in one pass. A sample lasts until the next one; how long the last one
 * lasted, and what ran before the first, is not recorded. Cost: 20 ns a sample, 5 µs a node.
 */
import { FormatError } from '../../base/errors.js';
import { note } from '../../base/note.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { formatCount } from '../../base/units.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import type { Metric } from '../../models/profile/profile.js';
import type { MetadataEntry, Recording } from '../../models/recording.js';
import { readItems } from '../shared/items/read-items.js';
import { SCRIPT_SAMPLES, sampleMetrics } from '../shared/scripts/samples.js';
import { CODES, CpuProfileContents } from './contents.js';
import { SampleRows } from './sample-rows.js';

/** Throws `FormatError` if there is no node. */
export async function readCpuProfile(source: ByteSource, work: Work = {}): Promise<Recording> {
  const problems = new ProblemLog();
  const contents = new CpuProfileContents(problems);
  const { complete } = await readItems(source, work, problems, CODES, (isList) => (isList ? undefined : contents.root));
  contents.finish();
  if (contents.tree.length === 0)
    throw new FormatError({
      format: 'cpuprofile',
      offset: problems.finish().list[0]?.offset ?? 0,
      expected: 'an object with nodes of calls',
      found: problems.finish().list[0]?.message ?? 'no node',
    });
  const rows = new SampleRows(contents, problems, complete);
  rows.make();
  const stacks = rows.stacks.finish();
  const { table, metrics } = rows.isTimed ? timed(rows) : untimed(rows);
  return {
    name: source.name,
    format: 'cpuprofile',
    metadata: metadataOf(contents),
    sections: [
      { name: contents.isTree ? 'head' : 'nodes', entries: contents.tree.length },
      { name: 'samples', entries: contents.samples.length },
    ],
    program: contents.program.finish(),
    profile: { stacks, events: [table], metrics },
    problems: problems.finish(),
    complete: complete && contents.wrong === 0 && rows.missing === 0,
    residue: undefined,
  };
}

function timed(rows: SampleRows) {
  const { stack, time, spent } = rows;
  const table = SCRIPT_SAMPLES.table({
    stack: stack.finish(),
    time: time.finish(),
    count: new Float64Array(stack.length).fill(1),
    spent: spent.finish(),
  });
  return { table, metrics: sampleMetrics(SCRIPT_SAMPLES).map((metric) => withIdle(metric, rows)) };
}

function untimed({ stack, count }: SampleRows) {
  const table = SAMPLE_EVENTS.table({ stack: stack.finish(), count: count.finish() });
  return { table, metrics: [SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' })] };
}

function withIdle(metric: Metric, { idle, samples }: SampleRows): Metric {
  if (idle === 0) return metric;
  const text = `${formatCount(idle)} of ${formatCount(samples)} samples are of (idle): the thread waited for something to do. They count as any others.`;
  return { ...metric, notes: [note('idle-samples', text)] };
}

function metadataOf({ startTime, endTime, isTree }: CpuProfileContents): MetadataEntry[] {
  if (startTime === undefined || endTime === undefined) return [];
  const length = endTime - startTime;
  return [{ key: 'duration', value: isTree ? `${length} s` : `${length / 1e3} ms` }];
}
