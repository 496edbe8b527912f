/** Readers of what other profilers write, for the robustness tests: a part of `readers.ts`. */
import { callgrind } from '../../formats/callgrind/index.js';
import { callgrindOracle, lineEdges } from '../../formats/callgrind/testing/callgrind-oracle.js';
import { chromeTrace } from '../../formats/chrome-trace/index.js';
import { traceOracle } from '../../formats/chrome-trace/testing/trace-oracle.js';
import { cpuprofile } from '../../formats/cpuprofile/index.js';
import { cpuProfileOracle, jsonEdges } from '../../formats/cpuprofile/testing/cpuprofile-oracle.js';
import { firefoxProcessed } from '../../formats/firefox-processed/index.js';
import { firefoxOracle } from '../../formats/firefox-processed/testing/firefox-oracle.js';
import { heapprofile } from '../../formats/heapprofile/index.js';
import { heapProfileOracle } from '../../formats/heapprofile/testing/heapprofile-oracle.js';
import { otlp } from '../../formats/otlp/index.js';
import { otlpEdges, otlpOracle } from '../../formats/otlp/testing/otlp-oracle.js';
import { perfScript } from '../../formats/perf-script/index.js';
import { perfEdges, perfOracle } from '../../formats/perf-script/testing/perf-oracle.js';
import { pprof } from '../../formats/pprof/index.js';
import { pprofEdges, pprofOracle } from '../../formats/pprof/testing/pprof-oracle.js';
import type { FuzzedReader } from './fuzzed-reader.js';

export const PROFILER_READERS: readonly FuzzedReader[] = [
  {
    id: 'chrome-trace',
    read: chromeTrace.read,
    bound: (size) => (8 << 20) + 80 * size,
    edges: jsonEdges,
    oracle: traceOracle,
    small: ['chrome-trace/testing/fixtures/all-sorts.json'],
    medium: [],
    large: ['interop/chrome-trace/catapult-async_begin_end.json'],
  },
  {
    id: 'firefox-processed',
    read: firefoxProcessed.read,
    bound: (size) => (8 << 20) + 80 * size,
    edges: jsonEdges,
    oracle: firefoxOracle,
    small: ['firefox-processed/testing/fixtures/threads-v55.json', 'firefox-processed/fixtures/own-depot-v70.json'],
    medium: [],
    large: ['interop/firefox/firefox-sourcemap-single.json'],
  },
  {
    id: 'cpuprofile',
    read: cpuprofile.read,
    bound: (size) => (8 << 20) + 60 * size,
    edges: jsonEdges,
    oracle: cpuProfileOracle,
    small: ['cpuprofile/testing/fixtures/all-sorts.cpuprofile', 'cpuprofile/testing/fixtures/old-tree.cpuprofile'],
    medium: ['cpuprofile/fixtures/node20-warehouse.cpuprofile'],
    large: ['interop/cpuprofile/firefox-hello.cpuprofile'],
  },
  {
    id: 'heapprofile',
    read: heapprofile.read,
    bound: (size) => (8 << 20) + 60 * size,
    edges: jsonEdges,
    oracle: heapProfileOracle,
    small: ['heapprofile/testing/fixtures/all-sorts.heapprofile'],
    medium: ['heapprofile/fixtures/node20-warehouse.heapprofile'],
    large: ['interop/heapprofile/node10-heap.heapprofile'],
  },
  {
    id: 'callgrind',
    read: callgrind.read,
    bound: (size) => (8 << 20) + 80 * size,
    edges: lineEdges,
    oracle: callgrindOracle,
    small: ['callgrind/testing/fixtures/all-sorts.callgrind', 'callgrind/testing/fixtures/two-parts.callgrind'],
    medium: [],
    large: ['interop/callgrind/pprof-warehouse-cpu.callgrind'],
  },
  {
    id: 'otlp',
    read: otlp.read,
    bound: (size) => (6 << 20) + 64 * size,
    edges: otlpEdges,
    oracle: otlpOracle,
    small: [
      'otlp/testing/fixtures/layout-1.7.otlp',
      'otlp/testing/fixtures/layout-1.9.otlp',
      'otlp/testing/fixtures/layout-1.11.otlp',
    ],
    medium: [],
    large: ['interop/otlp/ap44-direct-warehouse-cpu.otlp'],
  },
  {
    id: 'pprof',
    read: pprof.read,
    bound: (size) => (6 << 20) + 64 * size,
    edges: pprofEdges,
    oracle: pprofOracle,
    small: ['pprof/testing/fixtures/all-sorts.pb'],
    medium: [],
    large: ['interop/pprof/ap44-warehouse-cpu.pprof'],
  },
  {
    id: 'perf-script',
    read: perfScript.read,
    bound: (size) => (6 << 20) + 64 * size,
    edges: perfEdges,
    oracle: perfOracle,
    small: ['perf-script/testing/fixtures/all-sorts.perf.txt'],
    medium: [],
    large: ['interop/perf-script/speedscope-simple-with-pid.perf.txt'],
  },
];
