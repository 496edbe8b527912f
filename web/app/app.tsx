/** The workbench: recordings and questions at the left, the answer in the middle, the selected function at the right. */
import { Answered } from './answered.js';
import { Around } from './around.js';
import { commandOf } from './command.js';
import { Failure } from './failure.js';
import { Options } from './options.js';
import { Scope } from './scope.js';
import type { Store } from './store.js';

interface AppProps {
  readonly store: Store;
  readonly copy: (text: string) => void;
}

export function App({ store, copy }: AppProps) {
  const { recording, form, question } = store;
  return (
    <>
      <Header store={store} copy={copy} />
      <div class="app-body">
        <Questions store={store} />
        <main aria-label={form?.title ?? 'Answer'} tabIndex={0}>
          <h2>{form?.title ?? question.question}</h2>
          {recording !== undefined && !recording.complete && (
            <p class="app-damage" role="alert">
              A part of this recording could not be read: numbers are of the rest. “check” lists what is wrong.
            </p>
          )}
          {form?.hasScope === true && (
            <Scope scope={question.scope ?? []} kinds={form.steps} set={(scope) => store.setScope(scope)} />
          )}
          {form !== undefined && recording !== undefined && (
            <Options
              form={form}
              values={question.options ?? {}}
              recording={recording}
              choose={(key, value) => store.choose(key, value)}
            />
          )}
          <AnswerPart store={store} />
        </main>
        {store.selection !== undefined && <Around store={store} />}
      </div>
    </>
  );
}

/** The recordings, and the command that asks what is shown. */
function Header({ store, copy }: AppProps) {
  const { recording, recordings, form, base } = store;
  const command = commandOf(store);
  return (
    <header>
      <h1>Kansoku</h1>
      <label>
        {'Recording '}
        <select value={recording?.id ?? ''} onChange={(event) => store.showRecording(event.currentTarget.value)}>
          {recordings.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {form?.compared.some(({ key }) => key === 'base') === true && recordings.length > 1 && (
        <label>
          {'compared with '}
          <select
            value={base?.id ?? ''}
            onChange={(event) =>
              store.compare(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
            }
          >
            <option value="">nothing</option>
            {recordings.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <span class="app-command">
        <code>{command}</code>
        <button type="button" title="Copy the command that prints these numbers" onClick={() => copy(command)}>
          Copy command
        </button>
      </span>
    </header>
  );
}

/** The questions that the recording can answer, by the first word of their names. */
function Questions({ store }: { readonly store: Store }) {
  const { names } = store.offered;
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const [first = ''] = name.includes(' ') ? name.split(' ') : [''];
    groups.set(first, [...(groups.get(first) ?? []), name]);
  }
  return (
    <nav aria-label="Questions">
      {[...groups].map(([group, members]) => (
        <section key={group} aria-label={group === '' ? 'all recordings' : group}>
          {group !== '' && <h2>{group}</h2>}
          <ul>
            {members.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  class="app-question"
                  aria-current={store.question.question === name ? 'page' : undefined}
                  title={store.forms.find(({ id }) => id === name)?.title}
                  onClick={() => store.show(name, subjectOf(store, name))}
                >
                  {group === '' ? name : name.slice(group.length + 1)}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** A question about a function is asked of the selected one. */
function subjectOf({ selection, forms }: Store, name: string): Record<string, unknown> {
  const subject = forms.find(({ id }) => id === name)?.subject;
  return selection !== undefined && (subject === 'function' || subject === 'method')
    ? { [subject]: selection.name }
    : {};
}

function AnswerPart({ store }: { readonly store: Store }) {
  const { answer } = store;
  if (answer.state === 'answered') return <Answered store={store} result={answer.result} />;
  if (answer.state === 'open')
    return <p role="status">{`${answer.missing.title} is needed: ${answer.missing.description}.`}</p>;
  if (answer.state === 'pending') {
    const { progress } = answer;
    const share =
      progress?.total === undefined ? '' : ` ${Math.floor((100 * progress.done) / Math.max(1, progress.total))} %`;
    return (
      <p role="status" class="app-pending">
        {progress === undefined ? 'Asking …' : `${progress.phase}${share} …`}{' '}
        <button type="button" onClick={() => store.cancel()}>
          Cancel
        </button>
      </p>
    );
  }
  return <Failure error={answer.error} />;
}
