/** The workbench page: a store of what is shown, drawn anew when it changes, with its state in the address. */
import { render } from 'preact';
import { showCarried } from '../shared/carried.js';
import { element } from '../shared/dom.js';
import { copyText } from '../shared/save.js';
import { App } from './app.js';
import { httpPort } from './port.js';
import { Store } from './store.js';

/** What the page carries: where its workspace is. */
interface CarriedWorkbench {
  readonly carrier: 'http';
}

function start(): void {
  const host = element('div', { class: 'app' });
  const live = element('p', { class: 'page-unseen', 'aria-live': 'polite' });
  document.body.replaceChildren(host, live);
  let written = location.hash.slice(1);
  let drawing = false;
  const draw = (): void => {
    drawing = false;
    render(<App store={store} copy={(text) => void copied(text)} />, host);
  };
  const copied = async (text: string): Promise<void> => {
    live.textContent = (await copyText(text)) ? `Copied: ${text}` : 'This browser does not allow copying.';
  };
  const store = new Store(httpPort(), () => {
    const { query } = store;
    if (query !== written) {
      // The first state has no step back from it.
      if (written === '') history.replaceState(null, '', `#${query}`);
      else history.pushState(null, '', `#${query}`);
      written = query;
    }
    if (!drawing) requestAnimationFrame(draw);
    drawing = true;
  });
  addEventListener('popstate', () => {
    const query = location.hash.slice(1);
    if (query === written) return;
    written = query;
    store.restore(query);
  });
  store
    .start(written)
    .then(() => performance.mark('workbench-started'))
    .catch((error: unknown) => {
      document.body.replaceChildren(
        element('p', { role: 'alert' }, error instanceof Error ? error.message : String(error)),
      );
    });
}

showCarried<CarriedWorkbench>('workbench', 'workbench', start);
