/** Native places are named once, when the first question needs names, and not for questions that need none. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { openedRecording } from '../../../models/open-recording.js';
import { ask, namedRecordings, type Session, sessionOfOpen } from '../../../session/session.js';
import { picture } from '../../../testing/pictures/picture.js';
import { drawnRecording } from '../../../testing/recordings.js';

const LIBRARY = '/usr/lib/libx.so';
const DRAWN = `
!${LIBRARY}
@time   1  2  3
@thread t  u  t
@count  3  1  4
        a  a  a
        b  b  libx.so!@10
`;
/** Names are not found, and that is a problem of the recording with names. */
const WITHOUT_COPY = { 'native-symbols-missing': 1 };

test('questions that look at functions wait for names, all others do not', async () => {
  const recording = drawnRecording(picture(DRAWN));
  const asked: string[] = [];
  const opened = (): Session => {
    const copyOf = (path: string): Promise<undefined> => {
      asked.push(path);
      return Promise.resolve(undefined);
    };
    return sessionOfOpen([openedRecording(recording, { files: { copyOf, naming: { inlinedFrames: true } } })]);
  };
  const session = opened();
  await ask(session, { view: 'event-types' });
  await ask(session, { view: 'event-types', scope: [{ kind: 'time', from: 0, to: 2 }] });
  deepStrictEqual(asked, []);
  const answers = await Promise.all([
    ask(session, { view: 'summary' }),
    ask(session, { view: 'summary', scope: [{ kind: 'focus', pattern: 'b' }] }),
  ]);
  for (const { problems } of answers) deepStrictEqual(problems.codes, WITHOUT_COPY);
  deepStrictEqual((await namedRecordings(session))[0]?.problems.counts, WITHOUT_COPY);
  deepStrictEqual(asked, [LIBRARY], 'once');
  equal(session.recordings[0], recording);
  await session.close();
  const another = opened();
  await ask(another, { view: 'event-types', scope: [{ kind: 'focus', pattern: 'b' }] });
  deepStrictEqual(asked, [LIBRARY, LIBRARY]);
  await another.close();
});
