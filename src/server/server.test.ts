/** The server of the page: who is let in, what it answers, when it ends. Requests are those of `node:http`, which sends any header. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { directWorkspace } from '../session/workspace/direct.node.js';
import { ROOT } from '../testing/shared-data.js';
import { type RunningServer, startServer } from './serve.node.js';

const SHOP = join(ROOT, 'examples/jfr/shop.jfr.gz');
const workspace = directWorkspace({ cache: false });
let server: RunningServer;
let id = '';

before(async () => {
  id = (await workspace.open({ names: [SHOP], cache: false }))[0]?.id ?? '';
  server = await startServer({ workspace, page: () => '<!doctype html>the page', port: 0, idle: 0 });
});
after(async () => {
  server.close();
  await server.ended;
  await workspace.end();
});

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

function send(path: string, options: RequestOptions = {}, body = '', port = server.port): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, agent: false, ...options }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(parts).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The cookie that the token buys: once for all tests. */
let cookie: Promise<string> | undefined;
function bought(): Promise<string> {
  cookie ??= send(server.url.slice(server.url.indexOf('/?'))).then(({ status, headers }) => {
    deepEqual([status, headers.location], [302, '/']);
    const [cookieText = ''] = headers['set-cookie'] ?? [];
    match(cookieText, /; HttpOnly; SameSite=Strict$/);
    return cookieText.split(';')[0] ?? '';
  });
  return cookie;
}

function linesOf({ text }: Reply): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function call(method: string, argument: unknown): Promise<Record<string, unknown>> {
  const headers = { cookie: await bought() };
  const reply = await send(`/api/${method}`, { method: 'POST', headers }, JSON.stringify(argument));
  return linesOf(reply).at(-1) ?? {};
}

test('only the printed address lets a browser in, and only once', async () => {
  const ownHeaders = { cookie: await bought() };
  equal((await send('/', { headers: ownHeaders })).text, '<!doctype html>the page');
  const refused: readonly (readonly [path: string, options: RequestOptions])[] = [
    ['/', {}],
    ['/?token=x', {}],
    [server.url.slice(server.url.indexOf('/?')), {}],
    ['/', { headers: { cookie: `${ownHeaders.cookie}x` } }],
    ['/', { headers: { cookie: ownHeaders.cookie.replace(/=.*/, '=') } }],
    ['/', { headers: { ...ownHeaders, host: 'example.org' } }],
    ['/', { headers: { ...ownHeaders, host: `127.0.0.1:${server.port + 1}` } }],
    ['/', { headers: { ...ownHeaders, host: `kansoku.example:${server.port}` } }],
    ['/', { headers: { ...ownHeaders, origin: 'http://example.org' } }],
    ['/', { headers: { ...ownHeaders, origin: 'null' } }],
    ['/api/list', { method: 'POST' }],
    ['/api/list', { method: 'POST', headers: { ...ownHeaders, origin: `https://127.0.0.1:${server.port}` } }],
  ];
  for (const [path, options] of refused) {
    const { status, text } = await send(path, options);
    equal(status, 403, `${path} ${JSON.stringify(options)}`);
    ok(!text.includes('the page') && !text.includes('shop'), text);
  }
  const origin = `http://127.0.0.1:${server.port}`;
  equal((await send('/api/list', { method: 'POST', headers: { ...ownHeaders, origin } })).status, 200);
  equal((await send('/', { headers: { ...ownHeaders, host: `localhost:${server.port}` } })).status, 200);
});

test('other paths and methods are not there, and large bodies are refused', async () => {
  const headers = { cookie: await bought() };
  for (const path of ['/etc/passwd', '/../package.json', '/%2e%2e/package.json', '/api/', '/api/list/x'])
    equal((await send(path, { headers })).status, 404, path);
  equal((await send('/api/list', { headers })).status, 404);
  for (const method of ['open', 'end', 'close', 'constructor', '__proto__', 'toString'])
    equal((await send(`/api/${method}`, { method: 'POST', headers })).status, 404, method);
  const large = await send('/api/ask', { method: 'POST', headers }, JSON.stringify({ question: 'x'.repeat(2 << 20) }));
  equal(large.status, 413);
});

test('pages of other sites can neither frame nor read it', async () => {
  const { headers } = await send('/', { headers: { cookie: await bought() } });
  equal(headers['x-frame-options'], 'DENY');
  match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
  equal(headers['cross-origin-resource-policy'], 'same-origin');
  equal(headers['cache-control'], 'no-store');
  equal(headers['access-control-allow-origin'], undefined);
});

test('a question has the answer of the workspace', async () => {
  const question = { question: 'functions', recording: id, page: { limit: 5 } };
  const { result } = await call('ask', question);
  deepEqual(result, JSON.parse(JSON.stringify(await workspace.ask(question))));
  deepEqual((await call('list', undefined)).result, JSON.parse(JSON.stringify(await workspace.list())));
  deepEqual((await call('questions', id)).result, JSON.parse(JSON.stringify(await workspace.questions(id))));
});

test('a mistake is an error with code and advice, without a stack', async () => {
  for (const [question, code] of [
    [{ question: 'functins' }, 'unknown-name'],
    [{ question: 'heap objects', recording: id }, 'no-heap-dump'],
    [{ question: 'functions', recording: 'r99' }, 'no-recording'],
    [[], 'question-invalid'],
    [{ question: 'functions', scope: [{ kind: 'focus', pattern: '(' }] }, undefined],
  ] as const) {
    const { error } = await call('ask', question);
    ok(typeof error === 'object' && error !== null && 'details' in error && !('stack' in error), JSON.stringify(error));
    const { details } = error;
    if (code !== undefined) ok(typeof details === 'object' && details !== null && 'code' in details);
    if (code !== undefined) equal(Reflect.get(Object(details), 'code'), code);
  }
  const headers = { cookie: await bought() };
  const [{ error } = {}] = linesOf(await send('/api/ask', { method: 'POST', headers }, '{'));
  ok(error !== undefined);
});

test('a reply that nobody reads aborts its question', async () => {
  let abortSeen: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => {
    abortSeen = resolve;
  });
  const waiting: typeof workspace = Object.assign(Object.create(workspace), {
    ask: (_question: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          abortSeen();
          reject(signal.reason);
        });
      }),
  });
  const other = await startServer({ workspace: waiting, page: () => '', port: 0, idle: 0 });
  const { headers } = await send(other.url.slice(other.url.indexOf('/?')), {}, '', other.port);
  const ownCookie = (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  const sent = request({
    host: '127.0.0.1',
    port: other.port,
    path: '/api/ask',
    method: 'POST',
    headers: { cookie: ownCookie },
  });
  sent.on('error', () => undefined);
  sent.end('{"question":"functions"}');
  sent.on('response', (reply) => reply.on('error', () => undefined));
  await new Promise((done) => setTimeout(done, 200));
  sent.destroy();
  await aborted;
  other.close();
  await other.ended;
});

test('a server without a page ends', async () => {
  const other = await startServer({ workspace, page: () => '', port: 0, idle: 200 });
  await other.ended;
});

test('a port that is taken is refused', async () => {
  await startServer({ workspace, page: () => '', port: server.port, idle: 0 }).then(
    () => ok(false),
    (error: unknown) => match(String(error), new RegExp(`port ${server.port} cannot be used`)),
  );
});
