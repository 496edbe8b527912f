/** An answer that is no listing: its values by name, and its lists of objects as tables. */
import { formatCount } from '../../src/base/units.js';
import { readable } from '../../src/pictures/cells.js';
import type { PageResult } from './port.js';

/** Rows of a list that are shown. */
const MOST_ROWS = 200;
/** What a page shows elsewhere, or is for programs. */
const HIDDEN = new Set(['type', 'version', 'recording', 'notes', 'complete', 'handle', 'headlines']);

export function Facts({ result }: { readonly result: PageResult }) {
  return <div class="app-facts">{factsOf(result)}</div>;
}

function factsOf(values: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(values).filter(
    ([key, value]) => !HIDDEN.has(key) && value !== null && value !== undefined,
  );
  const plain = entries.filter(([, value]) => typeof value !== 'object');
  return (
    <>
      {plain.length > 0 && (
        <dl class="app-pairs">
          {plain.map(([key, value]) => (
            <div key={key}>
              <dt>{titleOf(key)}</dt>
              <dd>{textOf(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {entries.map(([key, value]) => {
        if (typeof value !== 'object' || value === null) return null;
        if (Array.isArray(value) && value.length === 0) return null;
        return (
          <section key={key}>
            <h3>{titleOf(key)}</h3>
            {Array.isArray(value) ? listOf(value) : factsOf(Object.fromEntries(Object.entries(value)))}
          </section>
        );
      })}
    </>
  );
}

function listOf(values: readonly unknown[]) {
  const rows = values.slice(0, MOST_ROWS);
  const objects = rows.filter(isRecord);
  const more = values.length > rows.length && <p>{`${values.length - rows.length} more`}</p>;
  if (objects.length < rows.length)
    return (
      <>
        <ul>
          {rows.map((value, place) => (
            <li key={place}>{textOf(value)}</li>
          ))}
        </ul>
        {more}
      </>
    );
  const keys = [...new Set(objects.flatMap((row) => Object.keys(row)))].filter(
    (key) => !HIDDEN.has(key) && objects.some((row) => row[key] !== null && row[key] !== undefined),
  );
  return (
    <>
      <table>
        <thead>
          <tr>
            {keys.map((key) => (
              <th key={key} scope="col">
                {titleOf(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {objects.map((row, place) => (
            <tr key={place}>
              {keys.map((key) => (
                <td key={key}>{textOf(row[key])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of the recording, such as those of its parts, stay as they are. */
function titleOf(key: string): string {
  if (!/^[a-z][a-z_]*$/.test(key)) return readable(key);
  const words = key.replaceAll('_', ' ');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? formatCount(value) : String(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (isRecord(value))
    return Object.entries(value)
      .map(([key, each]) => `${titleOf(key)}: ${textOf(each)}`)
      .join('; ');
  return readable(String(value));
}
