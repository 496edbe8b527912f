/** What went wrong, and what to do about it. */
import { KansokuError } from '../../src/base/errors.js';
import { plainText } from '../../src/base/phrase.js';

export function Failure({ error }: { readonly error: unknown }) {
  const lines =
    error instanceof KansokuError
      ? [plainText(error.text), ...(error.advice === undefined ? [] : [plainText(error.advice)]), ...error.lines]
      : [
          error instanceof Error && error.name === 'AbortError'
            ? 'Cancelled.'
            : String(error instanceof Error ? error.message : error),
        ];
  return (
    <div role="alert" class="app-failure">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
