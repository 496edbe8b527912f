/**
 * Who may ask the server: a browser on this machine that came by the printed address. Other pages and other users of the machine may not, whatever name
 * resolves to this address: the host is compared (DNS rebinding), the origin is (other sites), and a cookie that only the printed token buys is needed.
 */
import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

export interface GuardOptions {
  /** In the printed address; it buys one cookie. */
  readonly token: string;
  /** The value of the cookie. */
  readonly session: string;
  /** The port, once it is known. */
  readonly port: () => number;
}

const REFUSED = {
  host: 'This server answers to 127.0.0.1 and localhost only.\n',
  origin: 'This server answers its own page only.\n',
  cookie: 'This address needs its token: open the whole address that `kansoku open` printed. A token works once.\n',
} as const;

/** Refuses with 403, and without a word of the recordings, what does not come from the page itself. */
export function guard({ token, session, port }: GuardOptions): MiddlewareHandler {
  let isTokenSpent = false;
  return async (context, next) => {
    const refuse = (reason: keyof typeof REFUSED): Response => context.text(REFUSED[reason], 403);
    const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${port()}`);
    const host = context.req.header('host') ?? '';
    if (!hosts.includes(host)) return refuse('host');
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`) return refuse('origin');
    // Cookies do not know ports: each server has a name of its own.
    const name = `kansoku-${port()}`;
    if (isEqual(getCookie(context, name), session)) return next();
    const tokenText = context.req.query('token');
    if (isTokenSpent || context.req.path !== '/' || context.req.method !== 'GET' || !isEqual(tokenText, token))
      return refuse('cookie');
    isTokenSpent = true;
    setCookie(context, name, session, { httpOnly: true, sameSite: 'Strict', path: '/' });
    // The token stays neither in the address nor in the history.
    return context.redirect('/', 302);
  };
}

/** Compares in a time that does not tell how much is equal. */
function isEqual(text: string | undefined, expected: string): boolean {
  const [first, second] = [text ?? '', expected].map((each) => Buffer.from(each));
  return (
    first !== undefined && second !== undefined && first.length === second.length && timingSafeEqual(first, second)
  );
}
