/**
 * The readers that the robustness tests damage files for. A new reader is added to `FUZZED_READERS` with its fixtures:
 * its memory bound, the places where its records begin and end, and an oracle that says, without the reader, what must
 * be seen in a damaged file.
 */
import { classHistogram } from '../../formats/class-histogram/index.js';
import { histogramEdges, histogramOracle } from '../../formats/class-histogram/testing/histogram-oracle.js';
import { collapsed } from '../../formats/collapsed/index.js';
import { collapsedEdges, collapsedOracle } from '../../formats/collapsed/testing/collapsed-oracle.js';
import { readHprofFile } from '../../formats/hprof/read.js';
import { hprofFileEdges, hprofFileOracle } from '../../formats/hprof/records/testing/plain-compare.js';
import { heapOracle, readHeaps } from '../../formats/hprof/testing/fuzzed-heap.js';
import { hprofText } from '../../formats/hprof-text/index.js';
import { hprofEdges, hprofOracle } from '../../formats/hprof-text/testing/hprof-oracle.js';
import { iprof } from '../../formats/iprof/index.js';
import { iprofEdges, iprofOracle } from '../../formats/iprof/testing/iprof-oracle.js';
import { jfr } from '../../formats/jfr/index.js';
import { jfrEdges, jfrOracle } from '../../formats/jfr/testing/jfr-oracle.js';
import { unwrappedOracle } from '../../formats/shared/testing/unwrapped-oracle.js';
import { speedscope } from '../../formats/speedscope/index.js';
import { speedscopeEdges, speedscopeOracle } from '../../formats/speedscope/testing/speedscope-oracle.js';
import { threadDump } from '../../formats/thread-dump/index.js';
import { threadDumpEdges, threadDumpOracle } from '../../formats/thread-dump/testing/thread-dump-oracle.js';
import { faultyReader } from './faulty-reader.js';
import type { FuzzedReader } from './fuzzed-reader.js';

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
    // Four passes with a window of 1 MiB each, an index of ids of 4 MiB and its directory of 4 MiB.
    bound: (size) => (16 << 20) + 256 * size,
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
];

/** Who shares the quick tier's damage budget: these readers, and that of class files, which is tested in its own folder. */
export const DAMAGE_SHARES = FUZZED_READERS.length + 1;

/** The reader registered as `id`, or the one of the harness's own test; a programming error where there is none. */
export function fuzzedReader(id: string): FuzzedReader {
  const reader = [...FUZZED_READERS, faultyReader].find((candidate) => candidate.id === id);
  if (reader === undefined) throw new Error(`no reader ${id} in FUZZED_READERS`);
  return reader;
}
