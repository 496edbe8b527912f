/**
 * The readers that the robustness tests damage files for. A new reader is added to `FUZZED_READERS` with its fixtures:
 * its memory bound, the places where its records begin and end, and an oracle that says, without the reader, what must
 * be seen in a damaged file.
 */
import { analysisStatistics, buildOutput } from '../../formats/build-output/index.js';
import { figuresEdges, figuresOracle } from '../../formats/build-output/testing/figures-oracle.js';
import { callTree } from '../../formats/call-tree/index.js';
import { callTreeEdges, callTreeOracle } from '../../formats/call-tree/testing/call-tree-oracle.js';
import { tablesEdges, tablesOracle } from '../../formats/call-tree/testing/plain-tables.js';
import { readBundle } from '../../formats/call-tree/testing/table-files.js';
import { classHistogram } from '../../formats/class-histogram/index.js';
import { histogramEdges, histogramOracle } from '../../formats/class-histogram/testing/histogram-oracle.js';
import { collapsed } from '../../formats/collapsed/index.js';
import { collapsedEdges, collapsedOracle } from '../../formats/collapsed/testing/collapsed-oracle.js';
import { experimentEdges, experimentOracle, readExperimentBundle } from '../../formats/experiment/testing/bundle.js';
import { readHprofFile } from '../../formats/hprof/read.js';
import { hprofFileEdges, hprofFileOracle } from '../../formats/hprof/records/testing/plain-compare.js';
import { heapOracle, readHeaps } from '../../formats/hprof/testing/fuzzed-heap.js';
import { hprofText } from '../../formats/hprof-text/index.js';
import { hprofEdges, hprofOracle } from '../../formats/hprof-text/testing/hprof-oracle.js';
import { iprof } from '../../formats/iprof/index.js';
import { iprofEdges, iprofOracle } from '../../formats/iprof/testing/iprof-oracle.js';
import { jfr } from '../../formats/jfr/index.js';
import { jfrEdges, jfrOracle } from '../../formats/jfr/testing/jfr-oracle.js';
import { jvmpi } from '../../formats/jvmpi/index.js';
import { streamEdges, streamOracle } from '../../formats/jvmpi/testing/stream-oracle.js';
import { objectTree } from '../../formats/object-tree/index.js';
import { objectTreeEdges, objectTreeOracle } from '../../formats/object-tree/testing/object-tree-oracle.js';
import { reachabilityJson } from '../../formats/reachability-json/index.js';
import { reachabilityEdges, reachabilityOracle } from '../../formats/reachability-json/testing/reachability-oracle.js';
import { reachabilityTrace } from '../../formats/reachability-trace/index.js';
import { traceEdges, traceOracle } from '../../formats/reachability-trace/testing/trace-oracle.js';
import { reachedList } from '../../formats/reached-list/index.js';
import { listEdges, listOracle } from '../../formats/reached-list/testing/list-oracle.js';
import { unwrappedOracle } from '../../formats/shared/testing/unwrapped-oracle.js';
import { speedscope } from '../../formats/speedscope/index.js';
import { speedscopeEdges, speedscopeOracle } from '../../formats/speedscope/testing/speedscope-oracle.js';
import { threadDump } from '../../formats/thread-dump/index.js';
import { threadDumpEdges, threadDumpOracle } from '../../formats/thread-dump/testing/thread-dump-oracle.js';
import { faultyReader } from './faulty-reader.js';
import type { FuzzedReader } from './fuzzed-reader.js';
import { PROFILER_READERS } from './profiler-readers.js';

/** The recorded dumps stay beside their reader. */
const DUMPS = 'thread-dump/fixtures';

export const FUZZED_READERS: readonly FuzzedReader[] = [
  {
    id: 'iprof',
    read: iprof.read,
    ...(iprof.check === undefined ? {} : { check: iprof.check }),
    bound: (size) => (4 << 20) + 24 * size,
    edges: iprofEdges,
    oracle: iprofOracle,
    small: [
      'iprof/testing/fixtures/legacy-0.2.0.iprof',
      'iprof/testing/fixtures/minified-0.4.0.iprof',
      'iprof/testing/fixtures/pretty-1.0.0.iprof',
      'iprof/testing/fixtures/unusual-1.1.0.iprof',
    ],
    medium: ['iprof/testing/fixtures/slice-0.2.0.iprof'],
    large: ['iprof/krisfoster-binary-tree.iprof'],
  },
  {
    id: 'collapsed',
    read: collapsed.read,
    bound: (size) => (6 << 20) + 40 * size,
    edges: collapsedEdges,
    oracle: collapsedOracle,
    small: [
      'collapsed/testing/fixtures/unusual.collapsed',
      'collapsed/testing/fixtures/diff.folded',
      'collapsed/testing/fixtures/utf16le.txt',
      'collapsed/testing/fixtures/utf16be.txt',
    ],
    medium: ['collapsed/fixtures/depot-diff.txt'],
    large: ['interop/collapsed/firefox-flamegraph.txt'],
  },
  {
    id: 'speedscope',
    read: speedscope.read,
    bound: (size) => (6 << 20) + 40 * size,
    edges: speedscopeEdges,
    oracle: speedscopeOracle,
    small: [
      'speedscope/testing/fixtures/all-sorts.speedscope.json',
      'speedscope/testing/fixtures/against-the-rules.json',
    ],
    medium: ['speedscope/fixtures/node20-trace.evented.speedscope.json'],
    large: ['interop/speedscope/0.0.1-simple.speedscope.json'],
  },
  ...PROFILER_READERS,
  {
    id: 'class-histogram',
    read: classHistogram.read,
    bound: (size) => (4 << 20) + 64 * size,
    edges: histogramEdges,
    oracle: unwrappedOracle(histogramOracle),
    small: [
      'class-histogram/testing/fixtures/agent-jdk6.txt',
      'class-histogram/testing/fixtures/bare.txt',
      'class-histogram/testing/fixtures/compose.log',
      'class-histogram/testing/fixtures/jdk6.txt',
      'class-histogram/testing/fixtures/jdk8-crlf.txt',
      'class-histogram/testing/fixtures/journal.log',
      'class-histogram/testing/fixtures/log.txt',
      'class-histogram/testing/fixtures/two-moments.txt',
      'class-histogram/testing/fixtures/utf16be.txt',
    ],
    medium: ['class-histogram/fixtures/jdk25-after.txt'],
    large: [],
  },
  {
    id: 'call-tree',
    read: callTree.read,
    bound: (size) => (4 << 20) + 40 * size,
    edges: callTreeEdges,
    oracle: callTreeOracle,
    small: [
      'call-tree/testing/fixtures/broken-glyphs.txt',
      'call-tree/testing/fixtures/crlf.txt',
      'call-tree/testing/fixtures/current.txt',
      'call-tree/testing/fixtures/documented.txt',
    ],
    medium: [],
    large: ['points-to/genuine/hello-23.0.6/txt/call_tree_hello_20261121_100743.txt.gz'],
  },
  {
    id: 'call-tree/tables',
    read: readBundle,
    // A window of up to 1 MiB a table.
    bound: (size) => (8 << 20) + 64 * size,
    edges: tablesEdges,
    oracle: () => tablesOracle(),
    small: [
      'call-tree/testing/fixtures/tables-draft.txt',
      'call-tree/testing/fixtures/tables-forge.txt',
      'call-tree/testing/fixtures/tables-seven-crlf.txt',
      'call-tree/testing/fixtures/tables-three.txt',
    ],
    medium: [],
    large: [],
  },
  {
    id: 'reachability-json',
    read: reachabilityJson.read,
    bound: (size) => (4 << 20) + 64 * size,
    edges: reachabilityEdges,
    oracle: reachabilityOracle,
    small: ['reachability-json/testing/fixtures/compact.json', 'reachability-json/testing/fixtures/pretty.json'],
    medium: [],
    large: [],
  },
  {
    id: 'analysis-statistics',
    read: analysisStatistics.read,
    bound: (size) => (4 << 20) + 64 * size,
    edges: figuresEdges,
    oracle: figuresOracle,
    small: ['build-output/testing/fixtures/statistics.json'],
    medium: [],
    large: [],
  },
  {
    id: 'native-image-build-output',
    read: buildOutput.read,
    bound: (size) => (4 << 20) + 64 * size,
    edges: figuresEdges,
    oracle: figuresOracle,
    small: ['build-output/testing/fixtures/all-sections.json', 'build-output/testing/fixtures/before-0.9.2.json'],
    medium: [],
    large: ['points-to/genuine/hello-25.0.2/other/build-output.json'],
  },
  {
    id: 'reachability-trace',
    read: reachabilityTrace.read,
    bound: (size) => (4 << 20) + 64 * size,
    edges: traceEdges,
    oracle: traceOracle,
    small: [
      'reachability-trace/testing/fixtures/documented.txt',
      'reachability-trace/testing/fixtures/methods-crlf.txt',
      'reachability-trace/testing/fixtures/question-marks.txt',
      'reachability-trace/testing/fixtures/types.txt',
    ],
    medium: [],
    large: [],
  },
  {
    id: 'reached-list',
    read: reachedList.read,
    bound: (size) => (4 << 20) + 64 * size,
    edges: listEdges,
    oracle: listOracle,
    small: [
      'reached-list/testing/fixtures/classes-crlf.txt',
      'reached-list/testing/fixtures/methods.txt',
      'reached-list/testing/fixtures/methods-with-flags.txt',
    ],
    medium: [],
    large: [],
  },
  {
    id: 'thread-dump',
    read: threadDump.read,
    bound: (size) => (4 << 20) + 64 * size,
    edges: threadDumpEdges,
    oracle: unwrappedOracle(threadDumpOracle),
    small: [
      `${DUMPS}/made-by-hand.jdk-8.txt`,
      `${DUMPS}/made-by-hand.jdk-21.txt`,
      `${DUMPS}/made-by-hand.jdk-21-to-file.json`,
      `${DUMPS}/made-by-hand.jdk-21-to-file.txt`,
      'thread-dump/testing/fixtures/cri.log',
      'thread-dump/testing/fixtures/docker-json.log',
      'thread-dump/testing/fixtures/utf16le.txt',
      'thread-dump/testing/fixtures/to-file.utf16be.json',
    ],
    medium: [
      `${DUMPS}/hundred-waiters.jstack-17.txt`,
      `${DUMPS}/states.sigquit-25.txt`,
      `${DUMPS}/virtual.to-file-25.json`,
    ],
    large: [],
  },
  {
    id: 'jfr',
    // The harness gives a size that is none: such a source is read as a stream.
    read: ({ name, size, open, readAt }) =>
      jfr.read({ name, open, size: undefined, ...(size === 64 || readAt === undefined ? {} : { size, readAt }) }),
    // A window of 1 MiB, blocks of a stream, columns of the kinds.
    bound: (size) => (12 << 20) + 64 * size,
    // Tables of all kinds are begun and finished for each file.
    effort: 2.5,
    edges: jfrEdges,
    oracle: jfrOracle,
    small: [
      'jfr/testing/fixtures/compressed.jfr',
      'jfr/testing/fixtures/raw.jfr',
      'jfr/testing/fixtures/two-chunks.jfr',
    ],
    medium: [],
    large: ['interop/jfr/jmc-pid1.jfr', 'interop/jfr/jmc-char_attribute.jfr'],
  },
  {
    id: 'jvmpi',
    read: jvmpi.read,
    // A window of 1 MiB, which grows to the longest frame.
    bound: (size) => (12 << 20) + 64 * size,
    edges: streamEdges,
    oracle: streamOracle,
    small: ['../../examples/jvmpi/contended.jvmpi'],
    medium: [],
    large: [],
  },
  {
    id: 'hprof',
    // The harness may give a wrong size: such a source is read as a stream.
    read: ({ name, size, open, readAt }) =>
      readHprofFile({ name, open, size: undefined, ...(size === 64 || readAt === undefined ? {} : { size, readAt }) }),
    // A window of 1 MiB, and the first bytes of a stream.
    bound: (size) => (6 << 20) + 64 * size,
    edges: hprofFileEdges,
    oracle: hprofFileOracle,
    small: [
      'hprof/records/testing/fixtures/cpu-samples.hprof',
      'hprof/records/testing/fixtures/alloc-sites.hprof',
      'hprof/records/testing/fixtures/net-commands.hprof',
      'hprof/records/testing/fixtures/threads.hprof',
      'hprof/records/testing/fixtures/dump.hprof',
    ],
    medium: [],
    large: ['hprof/agent/cpu-samples.hprof', 'hprof/agent/net-commands.hprof'],
  },
  {
    id: 'hprof/heap',
    read: ({ name, size, open, readAt }) =>
      readHeaps({ name, open, size: undefined, ...(size === 64 || readAt === undefined ? {} : { size, readAt }) }),
    // Six passes with a window of 1 MiB each, of which two come only where ids do not ascend or repeat; an index of ids of 4 MiB and its
    // directory of 4 MiB.
    bound: (size) => (18 << 20) + 256 * size,
    // Three passes, and two trees of dominators.
    effort: 8,
    edges: hprofFileEdges,
    oracle: heapOracle,
    small: [
      'hprof/testing/fixtures/agent-heap.hprof',
      'hprof/testing/fixtures/android-heap.hprof',
      'hprof/testing/fixtures/hotspot-heap.hprof',
    ],
    medium: [],
    large: [],
  },
  {
    id: 'experiment',
    read: readExperimentBundle,
    // A window of 128 KiB a file, and the tables of each kind of events.
    bound: (size) => (4 << 20) + 64 * size,
    edges: experimentEdges,
    oracle: experimentOracle,
    small: [],
    medium: ['experiment/testing/fixtures/all-kinds.bundle'],
    large: [],
  },
  {
    id: 'hprof-text',
    read: hprofText.read,
    // Measured: at most 19 bytes a byte, where each short line holds a name that no other has; real files take 2.
    bound: (size) => (4 << 20) + 24 * size,
    edges: hprofEdges,
    oracle: hprofOracle,
    small: [
      'hprof-text/testing/fixtures/both-cpu-samples.txt',
      'hprof-text/testing/fixtures/cpu-old.txt',
      'hprof-text/testing/fixtures/crlf-headless.txt',
      'hprof-text/testing/fixtures/graph-excerpt.txt',
      'hprof-text/testing/fixtures/jvmpi.txt',
      'hprof-text/testing/fixtures/sections.txt',
    ],
    medium: ['hprof-text/testing/fixtures/contend-monitor.txt', 'hprof-text/testing/fixtures/pileup-monitor-time.txt'],
    large: ['hprof/agent/alloc-heap-sites.txt', 'hprof/agent/sigquit-two-dumps.txt'],
  },
  {
    id: 'object-tree',
    read: objectTree.read,
    bound: (size) => (4 << 20) + 32 * size,
    edges: objectTreeEdges,
    oracle: objectTreeOracle,
    small: [
      'object-tree/fixtures/crlf.txt',
      'object-tree/fixtures/documented.txt',
      'object-tree/fixtures/loaders.txt',
      'object-tree/fixtures/question-marks.txt',
    ],
    medium: [],
    large: [],
  },
];

/** Who shares the quick tier's damage budget: these readers, and that of class files, which is tested in its own folder. */
export const DAMAGE_SHARES = FUZZED_READERS.length + 1;

/** The reader registered as `id`, or the one of the harness's own test; a programming error where there is none. */
export function fuzzedReader(id: string): FuzzedReader {
  const reader = [...FUZZED_READERS, faultyReader].find((candidate) => candidate.id === id);
  if (reader === undefined) throw new Error(`no reader ${id} in FUZZED_READERS`);
  return reader;
}
