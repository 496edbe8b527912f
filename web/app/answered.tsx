/** An answer: its notes, then its rows, its picture or its values. */
import { plainNotes } from '../../src/base/note.js';
import { type Phrase, plainText } from '../../src/base/phrase.js';
import { formatCount, plural } from '../../src/base/units.js';
import type { ResultRow } from '../../src/pictures/cells.js';
import type { ResultColumn } from '../../src/views/listing.js';
import { Facts } from './facts.js';
import { Listing } from './listing.js';
import { Picture } from './pictures.js';
import type { PageResult } from './port.js';
import { selectionOf } from './selection.js';
import { PAGE_ROWS, PICTURES, type Store } from './store.js';

/** The number of notes that are shown at once, as on a terminal. */
const USUAL_NOTES = 3;

export function Answered({ store, result }: { readonly store: Store; readonly result: PageResult }) {
  return (
    <>
      <Remarks result={result} />
      <Body store={store} result={result} />
    </>
  );
}

function Remarks({ result }: { readonly result: PageResult }) {
  const { notes, headlines } = result;
  const lines = [
    ...(Array.isArray(headlines) ? headlines.map((line: Phrase) => plainText(line)) : []),
    ...(Array.isArray(notes) ? plainNotes(notes) : []),
  ];
  if (lines.length === 0) return null;
  const more = lines.slice(USUAL_NOTES);
  return (
    <div class="app-notes">
      <ul aria-label="Notes">{lines.slice(0, USUAL_NOTES).map(listItem)}</ul>
      {more.length > 0 && (
        <details>
          <summary>{plural(more.length, 'more note')}</summary>
          <ul aria-label="Further notes">{more.map(listItem)}</ul>
        </details>
      )}
    </div>
  );
}

function listItem(line: string) {
  return <li key={line}>{line}</li>;
}

function Body({ store, result }: { readonly store: Store; readonly result: PageResult }) {
  const { columns, rows, total } = result;
  if (PICTURES.has(result.type))
    return (
      <Picture
        result={result}
        select={(selection) => store.select(selection)}
        addStep={(step) => store.addStep(step)}
        words={['kansoku', 'flame', String(result.recording)]}
      />
    );
  if (!Array.isArray(columns) || !Array.isArray(rows)) return <Facts result={result} />;
  return <Rows store={store} columns={columns} rows={rows} total={typeof total === 'number' ? total : rows.length} />;
}

interface RowsProps {
  readonly store: Store;
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
  readonly total: number;
}

function Rows({ store, columns, rows, total }: RowsProps) {
  const page = store.form?.page;
  const { isPaged } = store;
  const isSorted = page === 'sorted-rows' || page === 'sorted';
  const left = isPaged ? 0 : total - rows.length;
  return (
    <>
      <p class="app-count">
        {`${formatCount(total)} rows`}
        {left > 0 && (
          <button type="button" class="app-more" onClick={() => store.showRows(rows.length * 4)}>
            {`Show more than the first ${formatCount(rows.length)}`}
          </button>
        )}
      </p>
      <Listing
        key={store.questionQuery}
        label={store.form?.title ?? ''}
        columns={columns}
        rows={rows}
        total={total}
        pageRows={PAGE_ROWS}
        more={isPaged && total > rows.length ? (offset, signal) => store.rows(offset, signal) : undefined}
        sort={store.question.page?.sort}
        sortBy={isSorted ? (column) => store.sort(column) : undefined}
        focus={(row) => {
          const selection = selectionOf(row);
          if (selection !== undefined) store.select(selection);
        }}
      />
    </>
  );
}
