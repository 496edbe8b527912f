/**
 * `pgo hot`: methods by calls. The contexts of a method are disjoint (`14257:0` and `14257:0<7567:1` count different
 * calls), so its calls are the sum over all contexts with it as leaf.
 */
import { z } from 'zod';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { originOf } from '../../analysis/origin.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { MissingError } from '../../base/errors.js';
import { phrase, theView } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { formatValue, plural } from '../../base/units.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { ORIGINS, type Origin, originsOf } from '../../models/scope.js';
import { HOT_OPTIONS } from '../../questions/options/pgo.js';
import { FILE_ID, idCell, idNotes, withIds } from '../file-ids.js';
import { columnsOf, common, detail, HANDLE, listed, listingShape, number, text } from '../listing.js';
import { defineView } from '../question.js';
import { methodArgument, nextStep } from './next-steps.js';
import { profilerNote } from './site-listing.js';

const row = z.object({
  calls: number('Calls', 'count', 'times the method ran, over all contexts'),
  share: number('Calls %', 'ratio', 'share of all calls in scope'),
  not_inlined: detail(1, number('Not inlined', 'count', 'calls of the separately compiled method')),
  contexts: detail(2, number('Contexts', 'count', 'contexts with counts of the method')),
  origin: text('Origin', 'own, jdk, vm or profiler'),
  file_id: FILE_ID,
  method: text('Method', 'class, name and parameter types'),
  handle: HANDLE,
});

const originSum = z.object({ origin: z.enum(ORIGINS), methods: z.number(), calls: z.number(), share: z.number() });

export const hotView = defineView({
  name: 'pgo-hot',
  version: 2,
  title: 'Hot methods',
  options: HOT_OPTIONS,
  shape: {
    ...listingShape(row),
    origins: z.array(originSum),
    calls: z.number(),
  },
  answer: async (input, { ids }) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const { hot, origins } = await input.kept('calls', bytesOfCalls, () => {
      const hot = methodCalls(profile, program);
      return { hot, origins: ORIGINS.map((origin) => sumOfOrigin(origin, hot)) };
    });
    const all = origins.reduce((sum, part) => sum + part.calls, 0);
    // The profiler's own methods are listed if an origin is asked for.
    const hasOrigins = originsOf(input.subject.scope) !== undefined;
    const shownMethods = hot.methods.filter((_, index) => hasOrigins || hot.origins[index] !== 'profiler');
    const cells = {
      calls: (i: number) => hot.calls[shownMethods[i]],
      share: (i: number) => share(hot.calls[shownMethods[i]], all) ?? 0,
      not_inlined: (i: number) => hot.roots[shownMethods[i]],
      contexts: (i: number) => hot.contexts[shownMethods[i]],
      origin: (i: number) => originOf(program, shownMethods[i]),
      method: (i: number) => functionSignature(program, shownMethods[i]),
      ...idCell(ids, program, (i) => shownMethods[i]),
    };
    const noise = origins.find((part) => part.origin === 'profiler');
    const apart = noise !== undefined && noise.calls > 0 && !hasOrigins;
    const part = formatValue(share(noise?.calls ?? 0, all) ?? 0, 'ratio');
    const excluded = `${plural(noise?.methods ?? 0, 'method')} of the profiler with ${part} of all calls`;
    const handle = (i: number) => functionHandle(program, shownMethods[i]);
    const page = await listed(cells, {
      columns: withIds(columnsOf(row), ids),
      count: shownMethods.length,
      input,
      usual: 'calls',
      handle,
    });
    const file = input.recording.name;
    const first = page.rows[0] && methodArgument(page.rows[0].method);
    const next =
      first === undefined
        ? []
        : [
            nextStep(
              'callers of the first method',
              theView('callers', { recording: file, options: { function: first } }),
            ),
            nextStep(
              'where it was inlined',
              theView('pgo-inlining', { recording: file, options: { method: first, into: true } }),
            ),
          ];
    return {
      ...common(input, [...(apart ? [profilerNote(excluded)] : []), ...idNotes(ids, program), ...next]),
      calls: all,
      origins: origins.map((part) => ({ ...part, share: share(part.calls, all) ?? 0 })),
      ...page,
    };
  },
});

/** Calls of each function: in all contexts, as a compilation root, and the number of contexts. */
interface MethodCalls {
  readonly calls: Float64Array;
  readonly roots: Float64Array;
  readonly contexts: Int32Array;
  /** Functions with counts, and the origin of each. */
  readonly methods: readonly number[];
  readonly origins: readonly Origin[];
}

function bytesOfCalls({ hot: { calls, methods } }: { readonly hot: MethodCalls }): number {
  return 20 * calls.length + 16 * methods.length;
}

function methodCalls(profile: Profile, program: Program): MethodCalls {
  const counted = CALL_EVENTS.of(profile);
  if (counted === undefined)
    throw new MissingError('this recording has no call counts', {
      code: 'no-call-counts',
      advice: phrase`PGO profiles (.iprof) have them; for samples use ${theView('functions')}.`,
      action: { ask: theView('functions') },
    });
  const size = program.functions.length;
  const calls = new Float64Array(size);
  const roots = new Float64Array(size);
  const contexts = new Int32Array(size);
  /** Several entries may have the same context, which counts once. */
  const seenStacks = new Uint8Array(profile.stacks.length);
  const { length, stack, count } = counted;
  for (let i = 0; i < length; i++) {
    const method = program.locations.function[profile.stacks.location[stack[i]]];
    calls[method] += count[i];
    if (seenStacks[stack[i]] === 0) contexts[method]++;
    seenStacks[stack[i]] = 1;
    if (STACK_ENDINGS[profile.stacks.ending[stack[i]]] === 'partial' && profile.stacks.parent[stack[i]] < 0)
      roots[method] += count[i];
  }
  const methods: number[] = [];
  for (let id = 0; id < size; id++) if (contexts[id] > 0) methods.push(id);
  return { calls, roots, contexts, methods, origins: methods.map((id) => originOf(program, id)) };
}

function sumOfOrigin(origin: Origin, hot: MethodCalls) {
  const methods = hot.methods.filter((_, index) => hot.origins[index] === origin);
  return { origin, methods: methods.length, calls: methods.reduce((sum, id) => sum + hot.calls[id], 0), share: 0 };
}
