/** The steps of the scope as chips, in their order, and a form for a further one. */
import { useState } from 'preact/hooks';
import { shellLine } from '../../src/base/parsing/shell-word.js';
import { ORIGINS, type ScopeStep, VIEW_MODES } from '../../src/models/scope.js';
import { stepWords } from '../../src/questions/command-words.js';

interface ScopeProps {
  readonly scope: readonly ScopeStep[];
  /** Kinds that the question takes; all if not given. */
  readonly kinds: readonly ScopeStep['kind'][] | undefined;
  readonly set: (scope: readonly ScopeStep[]) => void;
}

/** What a person types for each kind. */
const KINDS: readonly { readonly kind: ScopeStep['kind']; readonly hint: string }[] = [
  { kind: 'focus', hint: 'functions: a pattern' },
  { kind: 'ignore', hint: 'functions: a pattern' },
  { kind: 'hide', hint: 'functions: a pattern' },
  { kind: 'show', hint: 'functions: a pattern' },
  { kind: 'thread', hint: 'a pattern' },
  { kind: 'process', hint: 'numbers or a pattern' },
  { kind: 'filter', hint: 'duration > 20ms and thread ~ /pool/' },
  { kind: 'time', hint: 'seconds: 1.5..3' },
  { kind: 'during', hint: 'acme.Request and duration > 150ms' },
  { kind: 'at', hint: 'jdk.ThreadPark#3' },
  { kind: 'state', hint: 'RUNNABLE,BLOCKED' },
  { kind: 'origin', hint: ORIGINS.join(',') },
  { kind: 'view-mode', hint: VIEW_MODES.join(', ') },
  { kind: 'dump', hint: '1' },
];

export function Scope({ scope, kinds, set }: ScopeProps) {
  const offered = KINDS.filter(({ kind }) => kinds?.includes(kind) ?? true);
  return (
    <div class="app-scope">
      <ul aria-label="Scope">
        {scope.map((step, place) => {
          const words = shellLine(stepWords(step));
          return (
            <li key={`${place} ${words}`}>
              <code>{words}</code>
              <button
                type="button"
                class="app-remove"
                aria-label={`Remove ${words}`}
                onClick={() => set(scope.filter((_, other) => other !== place))}
              >
                ×
              </button>
            </li>
          );
        })}
      </ul>
      {offered.length > 0 && <StepForm offered={offered} add={(step) => set([...scope, step])} />}
    </div>
  );
}

interface StepFormProps {
  readonly offered: typeof KINDS;
  readonly add: (step: ScopeStep) => void;
}

function StepForm({ offered, add }: StepFormProps) {
  const [chosen, choose] = useState<ScopeStep['kind']>(offered[0]?.kind ?? 'focus');
  const [text, write] = useState('');
  const [refusal, refuse] = useState('');
  const { kind, hint } = offered.find((each) => each.kind === chosen) ?? offered[0] ?? { kind: 'focus', hint: '' };
  const submit = (event: Event): void => {
    event.preventDefault();
    const step = stepOf(kind, text.trim());
    refuse(step === undefined ? `Expected as in: ${hint}` : '');
    if (step === undefined) return;
    write('');
    add(step);
  };
  return (
    <form onSubmit={submit}>
      <label>
        {'Add '}
        <select value={kind} onChange={(event) => choose(kindOf(event.currentTarget.value) ?? kind)}>
          {offered.map((each) => (
            <option key={each.kind} value={each.kind}>
              {each.kind}
            </option>
          ))}
        </select>
      </label>
      <input
        aria-label={`Value of ${kind}`}
        aria-invalid={refusal !== ''}
        placeholder={hint}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
      />
      <button type="submit">Add</button>
      {refusal !== '' && <span role="alert">{refusal}</span>}
    </form>
  );
}

function kindOf(text: string): ScopeStep['kind'] | undefined {
  return KINDS.find(({ kind }) => kind === text)?.kind;
}

/** The step of a text; undefined if the text does not fit its kind. The session checks the rest. */
export function stepOf(kind: ScopeStep['kind'], text: string): ScopeStep | undefined {
  if (text === '') return undefined;
  switch (kind) {
    case 'focus':
    case 'ignore':
    case 'hide':
    case 'show':
    case 'thread':
      return { kind, pattern: text };
    case 'process':
      return { kind, processes: text };
    case 'filter':
      return { kind, expression: text };
    case 'at':
      return { kind, event: text };
    case 'during':
      return { kind, events: text };
    case 'state':
      return { kind, states: text.split(',') };
    case 'dump':
      return /^\d+$/.test(text) ? { kind, number: Number(text) } : undefined;
    case 'origin': {
      const origins = ORIGINS.filter((origin) => text.split(',').includes(origin));
      return origins.length === text.split(',').length ? { kind, origins } : undefined;
    }
    case 'view-mode': {
      const mode = VIEW_MODES.find((each) => each === text);
      return mode === undefined ? undefined : { kind, mode };
    }
    case 'time':
      return timeStep(text);
    default:
      return undefined;
  }
}

/** Seconds since the start, or times of day, which the session reads. */
function timeStep(text: string): ScopeStep | undefined {
  const [, first = '', last = ''] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
  if (first === '' && last === '') return undefined;
  const numbers = [first, last].map((part) => (part === '' ? undefined : Number(part)));
  if (numbers.every((number) => number === undefined || Number.isFinite(number))) {
    const [start = 0, end] = numbers;
    return { kind: 'time', from: start * 1e9, ...(end !== undefined && { to: end * 1e9 }) };
  }
  return { kind: 'clock', ...(first !== '' && { from: first }), ...(last !== '' && { to: last }) };
}
