/** Options that say where debug files of native code are, and programs that were recorded on another machine. */
import { type Command, InvalidArgumentError } from 'commander';
import type { DebugPlaces, PathMap } from '../../models/program/debug-files.js';
import { repeated } from './options.js';

export interface DebugOptions {
  readonly debugPath?: readonly string[];
  readonly debuginfod?: readonly string[];
  readonly pathMap?: readonly PathMap[];
}

/** Where Linux distributions install debug files. */
const SYSTEM_FOLDER = '/usr/lib/debug';

/** For commands whose answers name native functions or their lines. */
export function addDebugOptions(command: Command): Command {
  const native = command
    .option(
      '--debug-path <path>',
      `folders with debug files of native code, joined by : or repeated; ${SYSTEM_FOLDER} is the last one`,
      repeated,
    )
    .option('--debuginfod <url>', 'ask this debuginfod server for debug files that are missing', addServer);
  return addPathMap(native);
}

/** For commands that read files of the recorded machine. */
export function addPathMap(command: Command): Command {
  return command.option('--path-map <old=new>', 'look for programs and sources below OLD in the folder NEW', addMap);
}

function addServer(text: string, before: readonly string[] = []): readonly string[] {
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('A URL is expected, as in https://debuginfod.example.org.');
  return [...before, text];
}

function addMap(text: string, before: readonly PathMap[] = []): readonly PathMap[] {
  const [, from, to] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (from === undefined || to === undefined)
    throw new InvalidArgumentError('Two folders are expected, as in /build/app=/home/me/app.');
  return [...before, { from, to }];
}

/** The places that the options name, and that of the system. */
export function debugPlaces({ debugPath = [], debuginfod = [], pathMap = [] }: DebugOptions): DebugPlaces {
  const folders = debugPath.flatMap((each) => each.split(':')).filter((each) => each !== '');
  return { folders: [...folders, SYSTEM_FOLDER], servers: debuginfod, maps: pathMap };
}
