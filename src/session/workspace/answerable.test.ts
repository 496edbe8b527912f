/** Offered questions against what recordings answer: nothing is missing in them that an offered question needs, and every other question is refused. */
import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FormatError, MissingError, UnreadableError } from '../../base/errors.js';
import { allQuestions } from '../../questions/catalogue/index.js';
import { optionDefinitions } from '../../questions/options/option.js';
import { ROOT } from '../../testing/shared-data.js';
import { openInputs } from '../open.node.js';
import { ask, type Session } from '../session.js';
import { answerableQuestions } from './answerable.js';

const EXAMPLES = join(ROOT, 'examples');
/** Not of interest here: sources, classes, licences, agents. */
const OTHER = /\.(?:c|java|jfc|class|md|LICENSE|jar|ts|xml)$/;

function examples(): string[] {
  const entries = readdirSync(EXAMPLES, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !OTHER.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
}

async function opened(name: string): Promise<Session | undefined> {
  try {
    return await openInputs([name], { cache: false, announce: () => undefined, work: {} });
  } catch (error) {
    if (error instanceof UnreadableError || error instanceof FormatError) return undefined;
    throw error;
  }
}

test('a recording is offered the questions that it can answer', async () => {
  const questions = await allQuestions();
  let recordings = 0;
  for (const name of examples()) {
    const session = await opened(name);
    if (session === undefined) continue;
    recordings++;
    const offered = new Set(session.recordings.flatMap((recording) => answerableQuestions(recording).names));
    deepEqual(
      [...offered].filter((id) => !questions.some((question) => question.id === id)),
      [],
    );
    for (const { id, options } of questions) {
      const needed = optionDefinitions(options).filter(({ isRequired }) => isRequired);
      const values = Object.fromEntries(needed.map(({ key, type }) => [key, type === 'list' ? ['.'] : '.']));
      const outcome = await ask(session, { question: id, options: values, page: { limit: 1 } }).then(
        () => 'answered',
        (error: unknown) => (error instanceof MissingError ? 'missing' : 'refused'),
      );
      ok(offered.has(id) ? outcome !== 'missing' : outcome !== 'answered', `${name}: ${id} is ${outcome}`);
    }
    await session.close();
  }
  ok(recordings > 25, `${recordings} recordings`);
});
