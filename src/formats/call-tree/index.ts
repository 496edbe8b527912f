/** Call trees of GraalVM's points-to analysis, as a tree in text or as tables. Format: docs/formats/call-tree.md. */
import type { Export, Format } from '../format.js';
import { cypherFileName } from './exports/cypher-names.js';
import { probeCallTree } from './probe.js';
import { claimCallTrees, tableFileName, tableLinkName } from './tables/set-names.js';

export const callTree: Format = {
  id: 'call-tree',
  title: 'GraalVM call tree report',
  extensions: ['call-tree.txt'],
  probe: probeCallTree,
  read: async (source, work) => (await import('./read.js')).readTextOrTable(source, work),
  sets: {
    claims: claimCallTrees,
    read: async (tree, set, work) => (await import('./tables/read-set.js')).readCallTreeSet(tree, set, work),
  },
  writer: {
    reports: 'call_tree',
    file: { write: async (recording, options) => (await import('./write-text.js')).writeCallTree(recording, options) },
    set: {
      extensions: ['csv'],
      versions: true,
      write: async (recording, options) => (await import('./tables/write-set.js')).writeCallTreeSet(recording, options),
      fileName: tableFileName,
      linkName: tableLinkName,
    },
  },
};

/** A script for a graph database, and the tables that it loads. */
export const cypherScript: Export = {
  id: 'cypher',
  title: 'Cypher script and the tables that it loads',
  extensions: [],
  writer: {
    set: {
      extensions: ['cypher'],
      write: async (recording, options, output) =>
        (await import('./exports/cypher.js')).writeCypher(recording, options, output),
      fileName: cypherFileName,
    },
  },
};

export const graphml: Export = {
  id: 'graphml',
  title: 'GraphML',
  extensions: ['graphml'],
  writer: {
    file: {
      write: async (recording, options) => (await import('./exports/graphml.js')).writeGraphml(recording, options),
    },
  },
};
