/** The address of a page in a browser, changed as readers do: what the page then restores is there when these end. */
import type { Page } from 'playwright-core';

/** Goes back in the history of a page, and waits until the page has restored what the address says. */
export async function goBack(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        // The page's own listener is before this one.
        addEventListener('hashchange', () => resolve(), { once: true });
        history.back();
      }),
  );
}

/** Changes the fragment of the address as a reader does, and waits until the page has restored what it says. */
export async function changeFragment(page: Page, fragment: string): Promise<void> {
  await page.evaluate(
    (text) =>
      new Promise<void>((resolve) => {
        addEventListener('hashchange', () => resolve(), { once: true });
        location.hash = text;
      }),
    fragment,
  );
}
