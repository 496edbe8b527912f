/** `thread-groups`: threads of one moment by pool, or pool by pool by what they do where. */
import { z } from 'zod';
import { dumpCountOf, requireDump } from '../../analysis/scope/moment.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { EXAMPLES, type Pool, statesOf, type ThreadGroups } from '../../analysis/threads/groups.js';
import { threadGroupsUse } from '../../analysis/threads/stages.js';
import { MissingError } from '../../base/errors.js';
import { note } from '../../base/note.js';
import { phrase, theOption, theStep, theView } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { plural } from '../../base/units.js';
import { STATE_EVENTS, THREAD_STATES } from '../../models/events/state.js';
import { type Profile, threadName } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { THREAD_GROUPS_OPTIONS } from '../../questions/options/recording.js';
import { columnsOf, common, detail, listed, listingShape, maybe, maybeText, number, parts, text } from '../listing.js';
import { unreadNote } from '../locks/locks.js';
import { defineView } from '../question.js';

const row = z.object({
  threads: number('Threads', 'count', 'in the group'),
  share: detail(2, maybe('Threads %', 'ratio', 'of all')),
  cpu: detail(1, maybe('CPU', 'ns', 'that they used since they began')),
  pool: text('Pool', 'names without the number that they end with'),
  stacks: number('Stacks', 'count', 'groups of one stack and state in it'),
  state: maybeText('State', 'of all of them; null of pools'),
  states: parts('States', 'threads of a pool in each state'),
  frame: text('Top frame', 'where they are; of a pool where most are'),
  names: z
    .array(z.string())
    .meta({ title: 'For example', description: 'names of the first threads, or their numbers (#35)', unit: 'names' }),
  stack: z.array(z.string()).meta({ title: 'Stack', description: 'frames, innermost first', unit: 'list' }),
});

/** What is in a row: a pool, or one group of it. */
interface Grouped extends Pool {
  readonly one: boolean;
}

export const threadGroupsView = defineView({
  name: 'thread-groups',
  version: 1,
  title: 'Groups of threads',
  options: THREAD_GROUPS_OPTIONS,
  shape: {
    ...listingShape(row),
    by: z.enum(['stack', 'pool']),
    threads: z.number().describe('in all groups'),
    pools: z.number(),
  },
  needs: ({ subject }) => ({ pooled: threadGroupsUse(subject) }),
  answer: async (input, { by }, { pooled }) => {
    const profile = requireProfile(input);
    const { program, name } = input.recording;
    if (pooled === undefined)
      throw new MissingError(`${name} has no states of threads`, {
        code: 'no-thread-states',
        advice: phrase`Ask ${theView('threads')} without ${theOption('group')}, or with ${theOption('group', { value: 'pool' })}.`,
        action: { ask: theView('threads') },
      });
    const { groups, pools } = pooled;
    const rows =
      by === 'pool' ? pools.map((pool) => ({ ...pool, one: false })) : pools.flatMap((pool) => oneByOne(groups, pool));
    requireDump(input.recording, input.dump, STATE_EVENTS.kind);
    const { moment } = input.dump;
    const dumpCount = dumpCountOf(input.recording, STATE_EVENTS.kind);
    const notes = [
      note(
        'grouped-threads',
        `${plural(groups.threads, 'thread')} in ${plural(groups.length, 'group')} of the same stack and state.`,
      ),
      ...(moment === undefined && dumpCount > 1
        ? [
            note(
              'dump',
              phrase`Dump ${dumpCount} of ${dumpCount}, the last (${theStep('dump', { choose: 'N' })} for another).`,
              {
                action: { addSteps: ['dump'] },
              },
            ),
          ]
        : []),
      ...unreadNote(input.recording.locks),
    ];
    const hidden = by === 'pool' ? ['state', 'stack'] : ['states', 'stacks', 'stack'];
    if (groups.cpu.every((cpu) => cpu < 0)) hidden.push('cpu');
    return {
      ...common(input, notes),
      by,
      threads: groups.threads,
      pools: pools.length,
      ...(await listed(cellsOf({ groups, rows, profile, program }), {
        columns: columnsOf(row).filter(({ key }) => !hidden.includes(key)),
        count: rows.length,
        input,
        usual: 'order',
        orders: { order: (i) => -i },
      })),
    };
  },
});

function oneByOne({ count, cpu }: ThreadGroups, { pool, members }: Pool): Grouped[] {
  return members.map((group) => ({ pool, members: [group], count: count[group], cpu: cpu[group], one: true }));
}

interface Sheet {
  readonly groups: ThreadGroups;
  readonly rows: readonly Grouped[];
  readonly profile: Profile;
  readonly program: Program;
}

function cellsOf({ groups, rows, profile, program }: Sheet) {
  const { stacks } = profile;
  const location = (stack: number): string => locationName(program, stacks.location[stack]);
  const numbers = profile.threads && THREADS.rows(profile.threads).number;
  const exampleName = (id: number): string => {
    const number = numbers?.[id] ?? -1;
    return threadName(profile, program, id) || (number < 0 ? '<unnamed>' : `#${number}`);
  };
  const stackOf = (i: number): number => groups.stack[rows[i].members[0]];
  return {
    threads: (i: number) => rows[i].count,
    share: (i: number) => share(rows[i].count, groups.threads),
    cpu: (i: number) => (rows[i].cpu < 0 ? null : rows[i].cpu),
    pool: (i: number) => groups.pools[rows[i].pool],
    stacks: (i: number) => rows[i].members.length,
    state: (i: number) => (rows[i].one ? (THREAD_STATES[groups.state[rows[i].members[0]]] ?? null) : null),
    states: (i: number) =>
      statesOf(groups, rows[i].members).map(({ name, count }) => ({ name, count, share: share(count, rows[i].count) })),
    frame: (i: number) => (stackOf(i) < 0 ? '' : location(stackOf(i))),
    names: (i: number) => examplesOf(groups, rows[i].members).map(exampleName),
    stack: (i: number) => {
      const frames: string[] = [];
      for (let stack = stackOf(i); stack >= 0; stack = stacks.parent[stack]) frames.push(location(stack));
      return frames;
    },
  };
}

/** The first threads of the groups. */
function examplesOf({ examples }: ThreadGroups, members: readonly number[]): number[] {
  const exampleIds: number[] = [];
  for (const group of members) {
    for (const id of examples.subarray(group * EXAMPLES, (group + 1) * EXAMPLES)) if (id >= 0) exampleIds.push(id);
    if (exampleIds.length >= EXAMPLES) break;
  }
  return exampleIds.slice(0, EXAMPLES);
}
