/** Recordings for tests of views, from what a test drew. */
import type { Heap } from '../models/heap/heap.js';
import type { Profile } from '../models/profile/profile.js';
import type { Program } from '../models/program/program.js';
import type { Recording } from '../models/recording.js';
import type { Table } from '../models/table.js';

interface Drawn {
  readonly program: Program;
  readonly profile?: Profile;
  readonly heaps?: readonly Heap[];
  readonly references?: Table;
  readonly name?: string;
  readonly format?: string;
}

/** A sound recording without metadata and sections. */
export function drawnRecording(drawn: Drawn): Recording {
  return {
    name: 'drawn',
    format: 'drawn',
    metadata: [],
    sections: [],
    problems: { list: [], counts: {} },
    complete: true,
    residue: undefined,
    ...drawn,
  };
}
