/** The panel of the selected function: who calls it and whom it calls, and steps of the scope with it. */
import { isText, peopleCell, type ResultRow } from '../../src/pictures/cells.js';
import type { ResultColumn } from '../../src/views/listing.js';
import { Failure } from './failure.js';
import { selectionOf } from './selection.js';
import type { Store } from './store.js';

export function Around({ store }: { readonly store: Store }) {
  const { selection, around, form } = store;
  if (selection === undefined) return null;
  const pattern = `^${selection.name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
  const steps = (['focus', 'hide', 'ignore'] as const).filter((kind) => form?.steps?.includes(kind) ?? true);
  return (
    <aside aria-label="Selected function">
      <h2>
        <bdi>{selection.name}</bdi>
      </h2>
      <p>
        {form?.hasScope === true &&
          steps.map((kind) => (
            <button key={kind} type="button" onClick={() => store.addStep({ kind, pattern })}>
              {kind}
            </button>
          ))}
        <button type="button" aria-label="Close the panel" onClick={() => store.select(undefined)}>
          ×
        </button>
      </p>
      {around?.state === 'pending' && <p role="status">Asking …</p>}
      {around?.state === 'failed' && <Failure error={around.error} />}
      {around?.state === 'answered' && <AroundRows store={store} result={around.result} />}
    </aside>
  );
}

interface RowsProps {
  readonly store: Store;
  readonly result: Readonly<Record<string, unknown>>;
}

function AroundRows({ store, result }: RowsProps) {
  const { columns, rows } = result;
  if (!isColumns(columns) || !isRows(rows)) return null;
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ key, title, unit }) => (
            <th key={key} scope="col" class={isText(unit) ? 'app-text' : 'app-number'}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, place) => {
          const other = selectionOf(row);
          return (
            <tr key={place}>
              {columns.map((column) => (
                <td key={column.key} class={isText(column.unit) ? 'app-text' : 'app-number'}>
                  {other !== undefined && column.key === 'function' ? (
                    <button type="button" class="app-link" onClick={() => store.select(other)}>
                      {peopleCell(row, column)}
                    </button>
                  ) : (
                    peopleCell(row, column)
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function isColumns(value: unknown): value is readonly ResultColumn[] {
  return Array.isArray(value);
}

export function isRows(value: unknown): value is readonly ResultRow[] {
  return Array.isArray(value);
}
