/** Runs programs with the HPROF agent. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hprofFolder } from '../../agent/build.node.js';
import { folder } from '../../agent/testing/probed.js';

/** What a run printed, and the text of its profile. */
export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly text: string;
}

/** Runs a class of the folder with the agent, as old command lines name it; VMs take `-Xverify:all` as a wish to verify every class. */
export function hprofRun(home: string, options: string, ...words: readonly string[]): Run {
  const file = join(folder, 'java.hprof.txt');
  const env = { ...process.env, LD_LIBRARY_PATH: hprofFolder(process.env), JAVA_TOOL_OPTIONS: undefined };
  const command = ['-Xverify:all', `-Xrunhprof:file=${file},verbose=n,${options}`, '-cp', folder, ...words];
  const { status, stdout, stderr } = spawnSync(join(home, 'bin/java'), command, { encoding: 'utf8', env });
  return { status, stdout, stderr, text: status === 0 ? readFileSync(file, 'latin1') : '' };
}
