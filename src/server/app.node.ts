/**
 * The HTTP carrier of the workspace: each of its methods is a POST with a JSON argument. The reply is a line of JSON for each report of progress, then
 * one with the result or the error. A reply that is no longer read aborts its question.
 *
 *   POST /api/ask {"question":"functions","recording":"r1"}   ──►   {"progress":{…}}\n … {"result":{…}}\n
 */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import { stream } from 'hono/streaming';
import { UsageError } from '../base/errors.js';
import type { Progress, Work } from '../base/progress.js';
import { questionForms } from '../questions/catalogue/forms.js';
import type { CataloguedQuestion } from '../session/session.js';
import { sentError } from '../session/workspace/wire.js';
import type { Workspace } from '../session/workspace/workspace.js';
import { type GuardOptions, guard } from './guard.node.js';

/** A question is a few hundred bytes; patterns may be long. */
const MOST_BYTES = 1 << 20;
/** Reports of progress are at least so many milliseconds apart. */
const PROGRESS_MS = 100;

export interface AppOptions extends GuardOptions {
  readonly workspace: Workspace;
  /** The page, with its policy in it. */
  readonly page: () => string;
  /** Called for each request. */
  readonly touched: () => void;
}

/** The application: routes behind the guard. It listens to nothing itself. */
export function serverApp({ workspace, page, touched, ...guarded }: AppOptions): Hono {
  const app = new Hono();
  app.use(
    secureHeaders({
      // The policy is that of the page; a frame around it is refused here, since a policy in a page cannot.
      xFrameOptions: 'DENY',
      contentSecurityPolicy: { frameAncestors: ["'none'"] },
      strictTransportSecurity: false,
      referrerPolicy: 'no-referrer',
      crossOriginOpenerPolicy: 'same-origin',
      crossOriginResourcePolicy: 'same-origin',
    }),
  );
  app.use(async (context, next) => {
    context.header('Cache-Control', 'no-store');
    touched();
    await next();
  });
  app.use(guard(guarded));
  app.get('/', (context) => context.html(page()));
  app.use('/api/*', bodyLimit({ maxSize: MOST_BYTES }));
  app.post('/api/:method', (context) => {
    const call = METHODS[context.req.param('method')];
    if (call === undefined) return context.text('no such method\n', 404);
    return stream(context, async (reply) => {
      const controller = new AbortController();
      reply.onAbort(() => controller.abort());
      const write = (line: unknown): Promise<unknown> => reply.write(`${JSON.stringify(line)}\n`);
      let reported = -Infinity;
      const progress = (report: Progress): void => {
        if (performance.now() - reported < PROGRESS_MS) return;
        reported = performance.now();
        void write({ progress: report });
      };
      try {
        const argument = argumentOf(await context.req.text());
        await write({ result: await call(workspace, argument, { signal: controller.signal, progress }) });
      } catch (error) {
        // The stack of an internal error is for this machine's terminal, not for a page.
        const { stack: _stack, ...sent } = sentError(error);
        await write({ error: sent });
      }
    });
  });
  return app;
}

function argumentOf(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new UsageError('the argument is not JSON', { code: 'question-invalid' });
  }
}

/** The workspace checks the rest. */
function questionOf(value: unknown): CataloguedQuestion {
  if (isObject(value)) return value;
  throw new UsageError('the argument is no question', { code: 'question-invalid' });
}

function isObject(value: unknown): value is CataloguedQuestion {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Method = (workspace: Workspace, argument: unknown, work: Work) => Promise<unknown>;

/** What the page calls. It opens no files: what is open was named on the command line. */
const METHODS: Readonly<Record<string, Method>> = Object.assign(Object.create(null), {
  list: (workspace) => workspace.list(),
  questions: (workspace, id) => workspace.questions(String(id)),
  forms: () => questionForms(),
  ask: (workspace, question, work) => workspace.ask(questionOf(question), work),
  resolve: (workspace, question, work) => workspace.resolve(questionOf(question), work),
  cost: (workspace, question, work) => workspace.cost(questionOf(question), work),
  alive: () => Promise.resolve(true),
} satisfies Record<string, Method>);
