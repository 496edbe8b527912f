/** This machine, as experiments name it. */
import { readFileSync } from 'node:fs';
import { hostname, release, totalmem } from 'node:os';
import type { RunOrigin } from '../../formats/experiment/write/index.js';

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };
const PAGE = 4096;

/** As the recorder of gprofng names it. */
export function architecture(): string {
  return ARCHITECTURES[process.arch] ?? process.arch;
}

type OwnFacts = Pick<RunOrigin, 'collector' | 'pid' | 'directory' | 'start' | 'date'>;

/** Of a process of this machine; it is ours if its creator is not known. */
export function originHere({
  parent = process.pid,
  ...facts
}: OwnFacts & { readonly parent?: number | undefined }): RunOrigin {
  return {
    ...facts,
    parent,
    host: hostname(),
    architecture: architecture(),
    system: `Linux ${release()}`,
    pageSize: PAGE,
    pages: Math.floor(totalmem() / PAGE),
    clocks: clocksOf(),
  };
}

/** Of each CPU, in MHz. */
function clocksOf(): number[] {
  const lines = readFileSync('/proc/cpuinfo', 'utf8').matchAll(/^(?:cpu MHz\s*: (\d+)|processor\s*:)/gm);
  const clocks: number[] = [];
  for (const [, speed] of lines)
    if (speed === undefined) clocks.push(0);
    else clocks[clocks.length - 1] = Number(speed);
  return clocks;
}
