/** The data that a page carries: JSON, gzipped, as base64 in an element of its file. */
import { decodeBase64 } from '../../src/base/base64.js';
import { element } from './dom.js';

/**
 * Reads the data from the element `KIND-data`, which goes, and shows it; the mark `KIND-ready` says when that is done. An error takes the
 * place of the page, with `what` in words, and is thrown on.
 */
export function showCarried<Data>(kind: string, what: string, show: (data: Data) => void): void {
  read<Data>(`${kind}-data`)
    .then((data) => {
      show(data);
      performance.mark(`${kind}-ready`);
    })
    .catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      document.body.replaceChildren(element('p', { role: 'alert' }, `This page cannot show its ${what}: ${message}`));
      throw error;
    });
}

async function read<Data>(id: string): Promise<Data> {
  const carrier = document.getElementById(id);
  const packed = decodeBase64(carrier?.textContent?.trim() ?? '');
  carrier?.remove();
  const unpacked = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(unpacked).text());
}
