/** Records of binary HPROF beside names, classes and heaps: what agents write while they profile. */
import { ALLOC_SITES, CONTROL_SETTINGS, CPU_SAMPLES, END_THREAD, UNLOAD_CLASS } from '../tags.js';
import type { HprofWriter } from './records.js';

/** What was allocated, and what of it lives. */
export interface SiteNumbers {
  readonly liveBytes: number;
  readonly liveObjects: number;
  readonly bytes: number;
  readonly objects: number;
}

export interface SiteRecord extends SiteNumbers {
  /** 0: no array, 2: of objects, else the type of the elements. */
  readonly array: number;
  readonly classSerial: number;
  readonly trace: number;
}

export function endThread(to: HprofWriter, serial: number): void {
  to.record(END_THREAD, (out) => out.u4(serial));
}

export function unloadClass(to: HprofWriter, serial: number): void {
  to.record(UNLOAD_CLASS, (out) => out.u4(serial));
}

/** Whether allocations have traces, whether the CPU is sampled, and the depth of traces. */
export function controlSettings(to: HprofWriter, allocations: boolean, samples: boolean, depth: number): void {
  to.record(CONTROL_SETTINGS, (out) => {
    out.u4(Number(allocations) + 2 * Number(samples));
    out.u2(depth);
  });
}

/** `rows`: samples and trace of each. */
export function cpuSamples(to: HprofWriter, total: number, rows: readonly (readonly [number, number])[]): void {
  to.record(CPU_SAMPLES, (out) => {
    out.u4(total);
    out.u4(rows.length);
    for (const row of rows) for (const number of row) out.u4(number);
  });
}

/** Sites by live bytes; `totals` are those of all sites, also of those below the cutoff. */
export function allocSites(to: HprofWriter, cutoff: number, totals: SiteNumbers, rows: readonly SiteRecord[]): void {
  to.record(ALLOC_SITES, (out) => {
    out.u2(0);
    out.f4(cutoff);
    out.u4(totals.liveBytes);
    out.u4(totals.liveObjects);
    out.u8(totals.bytes);
    out.u8(totals.objects);
    out.u4(rows.length);
    for (const { array, classSerial, trace, liveBytes, liveObjects, bytes, objects } of rows) {
      out.u1(array);
      for (const number of [classSerial, trace, liveBytes, liveObjects, bytes, objects]) out.u4(number);
    }
  });
}
