/** The options of a question as a form; a change asks again. */
import type { QuestionForm } from '../../src/questions/catalogue/forms.js';
import type { OptionDefinition } from '../../src/questions/options/option.js';
import type { RecordingFacts } from '../../src/session/workspace/workspace.js';

interface OptionsProps {
  readonly form: QuestionForm;
  readonly values: Readonly<Record<string, unknown>>;
  readonly recording: RecordingFacts;
  readonly choose: (key: string, value: unknown) => void;
}

export function Options({ form, values, recording, choose }: OptionsProps) {
  return (
    <div class="app-options">
      {form.options.map((option) => (
        <label key={`${form.id} ${option.key}`} title={option.description}>
          {`${option.title} `}
          {field(option, values[option.key], recording, (value) => choose(option.key, value))}
        </label>
      ))}
    </div>
  );
}

function field(
  { key, type, choices, default: usual, value: hint = '', unit }: OptionDefinition,
  value: unknown,
  { metrics }: RecordingFacts,
  set: (value: unknown) => void,
) {
  if (type === 'flag')
    return (
      <input
        type="checkbox"
        checked={(value ?? usual) === true}
        onChange={(event) => set(event.currentTarget.checked === usual ? undefined : event.currentTarget.checked)}
      />
    );
  const offered =
    key === 'metric'
      ? metrics.map(({ id, title }) => [id, title] as const)
      : choices?.map((each) => [each, each] as const);
  if (type === 'text' && offered !== undefined && offered.length > 0)
    return (
      <select
        value={String(value ?? usual ?? '')}
        onChange={(event) => set(textOrUsual(event.currentTarget.value, usual))}
      >
        {usual === undefined && <option value="">{'as usual'}</option>}
        {offered.map(([id, title]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    );
  const factor = unit === 'ratio' ? 100 : 1;
  const fieldText = typeof value === 'number' ? value * factor : Array.isArray(value) ? value.join(',') : (value ?? '');
  const placeholder = typeof usual === 'number' ? String(usual * factor) : hint;
  return (
    <input
      inputMode={type === 'number' ? 'decimal' : 'text'}
      value={String(fieldText)}
      placeholder={placeholder}
      size={type === 'number' ? 6 : 18}
      onChange={(event) => set(optionValue(event.currentTarget.value, type, factor))}
    />
  );
}

function textOrUsual(text: string, usual: unknown): string | undefined {
  return text === '' || text === usual ? undefined : text;
}

function optionValue(text: string, type: OptionDefinition['type'], factor: number): unknown {
  if (text === '') return undefined;
  if (type === 'number') return Number(text) / factor;
  return type === 'list' ? text.split(',').map((part) => part.trim()) : text;
}
