/**
 * Coverage of source lines as LCOV: the part of a session's class path that ran according to a PGO profile. Classes are
 * parsed one by one; memory: one number per line and branch outcome.
 */
import {
  type CoverageTally,
  LineCoverage,
  type MissingMethods,
  type SourceCoverage,
} from '../analysis/coverage/line-coverage.js';
import { functionRuns, MethodContexts } from '../analysis/coverage/method-contexts.js';
import { MethodIndex } from '../analysis/coverage/method-index.js';
import { withinScope } from '../analysis/scope/scoped.js';
import { defined } from '../base/defined.js';
import { FormatError, UsageError } from '../base/errors.js';
import { phrase, theInput } from '../base/phrase.js';
import type { Work } from '../base/progress.js';
import { readClassFile } from '../code/java/class-file/class-file.js';
import { attempt } from '../code/java/class-file/cursor.js';
import { type LcovFile, writeLcov } from '../formats/lcov/index.js';
import type { SourceFinder } from '../models/program/code.js';
import type { ScopeStep } from '../models/scope.js';
import type { Session } from '../session/session.js';
import { requireCounts } from '../views/pgo/coverage.js';

export interface LcovOptions {
  /** Index of the recording; the first if not given. */
  readonly recording?: number;
  readonly scope?: readonly ScopeStep[];
  /** Treatment of methods without counts; `zero` if not given. */
  readonly missing?: MissingMethods;
  readonly work?: Work;
}

export interface Lcov {
  readonly text: string;
  readonly tally: CoverageTally;
  /** Source files in the text, and the number found on the source path. */
  readonly files: number;
  readonly found: number;
  /** Source files found inside archives, by archive: genhtml cannot read them there. */
  readonly archived: ReadonlyMap<string, number>;
  /** Classes that could not be read. */
  readonly unreadable: number;
}

/** Throws `UsageError` if the session has no class path, `MissingError` if the recording has no counts. */
export async function coverageAsLcov(session: Session, options: LcovOptions = {}): Promise<Lcov> {
  const { work = {} } = options;
  const classes = session.library?.classes;
  if (classes === undefined)
    throw new UsageError('LCOV output needs the classes of the program', {
      code: 'needs-classes',
      advice: phrase`Give them with ${theInput('classes', { choose: 'PATH' })}.`,
      action: { give: ['classes'] },
    });
  const asked = session.recordings[options.recording ?? 0];
  if (asked === undefined) throw new UsageError('the session has no such recording', { code: 'no-recording' });
  const { recording } = withinScope(asked, options.scope ?? []);
  const { profile, program } = recording;
  if (profile === undefined) throw new UsageError(`${asked.name} has no profile`, { code: 'no-profile' });
  requireCounts(profile);
  const runs = functionRuns(profile, program);
  const contexts = new MethodContexts(profile, program, runs.seen);
  const index = new MethodIndex(program);
  const coverage = new LineCoverage((method) => {
    const ids = index.of(method);
    const ran = ids.map((id) => runs.ran(id));
    return {
      contexts: ids.flatMap((id) => contexts.of(id)),
      ran: ran.find((one) => one === 'ran') ?? ran.find((one) => one === 'zero') ?? 'none',
      listed: ids.length > 0,
    };
  }, options.missing ?? 'zero');
  let unreadable = 0;
  const add = (name: string, bytes: Uint8Array): void => {
    const file = attempt(() => readClassFile(bytes, name));
    if (file instanceof FormatError) unreadable++;
    else coverage.add(file, classes.moduleOf(name));
  };
  await classes.load('all', add, work);
  return { ...(await document(coverage.finish(), session.library?.sources)), tally: coverage.tally, unreadable };
}

/** Records of source files with data. */
async function document(sources: readonly SourceCoverage[], finder: SourceFinder | undefined) {
  const files: LcovFile[] = [];
  const archived = new Map<string, number>();
  let found = 0;
  for (const source of sources) {
    if (source.functions.length === 0 && source.lines.size === 0) continue;
    const name = finder === undefined ? undefined : await sourceName(source, finder);
    const inside = name?.indexOf(MEMBER) ?? -1;
    const path = inside < 0 ? name : undefined;
    if (path !== undefined) found++;
    else if (name !== undefined) {
      const archive = name.slice(0, inside);
      archived.set(archive, (archived.get(archive) ?? 0) + 1);
    }
    files.push(fileOf(source, path ?? (source.folder === '' ? source.file : `${source.folder}/${source.file}`)));
  }
  return { text: writeLcov('kansoku', files), files: files.length, found, archived };
}

/** Separates an archive and its member, which genhtml cannot read. */
const MEMBER = '!/';

async function sourceName({ module, folder, file }: SourceCoverage, finder: SourceFinder): Promise<string | undefined> {
  return (await finder.find({ folder, file, ...defined({ module }) }))?.name;
}

function fileOf({ functions, branches, lines }: SourceCoverage, source: string): LcovFile {
  return {
    source,
    functions,
    branches: branches.flatMap(({ line, ways, taken }, block) =>
      taken === 'open'
        ? []
        : Array.from({ length: ways }, (_, branch) => ({
            line,
            block,
            branch,
            taken: taken === 'never' ? undefined : taken[branch],
          })),
    ),
    lines: [...lines].flatMap(([line, count]) => (Number.isNaN(count) ? [] : [{ line, count }])),
  };
}
