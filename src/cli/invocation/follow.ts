/** `--follow`: asks a recording that is still being written again and again, and prints what is new. */
import { UsageError } from '../../base/errors.js';
import { type GrowingOptions, openGrowing } from '../../session/growing.node.js';
import { ask, type Session } from '../../session/session.js';
import type { ResultOf, ViewName } from '../../views/index.js';
import { EXIT } from '../exit.js';
import { clearScreen, type Invocation, note, print } from '../host.js';
import { isStyled, remarks, render } from '../render/render.js';
import { type Asked, layoutOf, outputFormat, type Printing } from './answer.js';
import { memoryLimit } from './open.js';
import type { ListingOptions, OutputOptions } from './options.js';

/** A JVM writes once a second. */
const PAUSE = 1000;

type FollowOptions = OutputOptions & Partial<ListingOptions>;

interface Following<Name extends ViewName> extends Pick<Printing<Name>, 'page'>, Pick<GrowingOptions, 'foreseen'> {
  /** The question, each time anew. */
  readonly question: () => Asked<Name>;
  /** Gets each answer; false if it has nothing to print. */
  readonly took?: (result: ResultOf<Name>) => boolean;
  /** Of listings: rows of an answer that are asked for and printed at a time. The first answer may have millions. */
  readonly rowsAtOnce?: number;
}

/**
 * Asks the question of a file, or a folder that its recorder writes files into, now and each time it grew; prints each answer, until the
 * recording ends or the user interrupts, which is the usual end. Throws as `openGrowing` does.
 */
export async function follow<Name extends ViewName>(
  invocation: Invocation,
  files: readonly string[],
  options: FollowOptions,
  following: Following<Name>,
): Promise<void> {
  const [file] = files;
  if (file === undefined || files.length !== 1) throw new UsageError('--follow takes one recording');
  const { signal, env } = invocation.host;
  const { foreseen } = following;
  const opening = { work: { signal }, derived: memoryLimit(env), ...(foreseen && { foreseen }) };
  const session = await openGrowing(file, opening);
  try {
    await printGrowth(session, invocation, options, following);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await session.close();
  }
}

async function printGrowth<Name extends ViewName>(
  session: Session,
  invocation: Invocation,
  options: FollowOptions,
  { question, took, page, rowsAtOnce }: Following<Name>,
): Promise<void> {
  const { host } = invocation;
  const { signal } = host;
  const [source] = session.sources;
  const layout = layoutOf(invocation, { ...options, format: outputFormat(options) });
  // On a terminal, a page takes the place of the one before.
  const isCleared = layout.format === 'table' && host.stdout.isTTY === true;
  const between = layout.format === 'table' && !isCleared ? '\n' : '';
  let questions = 0;
  let answers = 0;
  for (let shownId = -1; source !== undefined && !signal.aborted; ) {
    const snapshot = source.current();
    if (snapshot.id !== shownId) {
      shownId = snapshot.id;
      const whole = { ...question(), scope: options.scope ?? [] };
      for (let offset = 0; !signal.aborted; offset += rowsAtOnce ?? 0) {
        const result = await ask(session, { ...whole, page: { limit: rowsAtOnce ?? 0, offset } }, { signal });
        if (took?.(result) !== false) {
          const shape = { ...layout, continued: answers++ > 0, page: page?.bind(undefined, result) };
          const { text } = await render(result, shape);
          const isLater = page !== undefined && answers > 1;
          if (isLater && isCleared) clearScreen(invocation);
          await print(invocation, isLater ? `${between}${text}` : text, isStyled(layout));
        }
        // Those of later answers differ in their numbers only.
        const notes =
          questions++ > 0 ? [] : remarks({ ...result, total: undefined }, options.notes === true, { headlines: false });
        for (const line of notes) note(invocation, line);
        invocation.exitCode = result.complete ? EXIT.done : EXIT.partial;
        const { total } = { total: 0, ...result };
        if (rowsAtOnce === undefined || offset + rowsAtOnce >= total) break;
        // An interruption is seen between two parts.
        await host.pause(0);
      }
    }
    if (snapshot.final) return;
    await host.pause(PAUSE);
    await source.refresh?.({ signal });
  }
}
