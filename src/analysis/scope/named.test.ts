/** Native places are named once, when the first question needs names, and not for questions that need none. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { openedRecording } from '../../models/open-recording.js';
import type { Recording } from '../../models/recording.js';
import { ask, namedRecordings, sessionOfOpen } from '../../session/session.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';

const DRAWN = `
@time   1  2  3
@thread t  u  t
@count  3  1  4
        a  a  a
        b  b  c
`;

test('questions that look at functions wait for names, all others do not', async () => {
  const recording = drawnRecording(picture(DRAWN));
  const asked: Recording[] = [];
  const names = (read: Recording): Promise<Recording> => {
    asked.push(read);
    return Promise.resolve({ ...read, name: 'named' });
  };
  const session = sessionOfOpen([openedRecording(recording, { names })]);
  const event = await ask(session, { view: 'event-types' });
  await ask(session, { view: 'event-types', scope: [{ kind: 'time', from: 0, to: 2 }] });
  deepStrictEqual([event.recording, asked.length], [recording.name, 0]);
  const [first, second] = await Promise.all([
    ask(session, { view: 'functions' }),
    ask(session, { view: 'tree', scope: [{ kind: 'focus', pattern: 'b' }] }),
  ]);
  deepStrictEqual([first.recording, second.recording], ['named', 'named']);
  equal((await namedRecordings(session))[0]?.name, 'named');
  equal((await ask(session, { view: 'event-types', scope: [{ kind: 'focus', pattern: 'b' }] })).recording, 'named');
  deepStrictEqual(asked, [recording], 'once, from what was read');
  equal(session.recordings[0], recording);
  await session.close();
});
