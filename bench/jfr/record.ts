/** Runs `Load.java` and has the VM record it: small thread-local buffers, so that nearly each allocation is an event. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folderOfSources = fileURLToPath(new URL('../../../bench/jfr/', import.meta.url));
const THREADS = 6;

/** Writes FILE, about 10 MB a second on two cores; `folder`: for the compiled classes. Needs a JDK from 11 on in PATH. */
export function record(file: string, folder: string, seconds: number): void {
  const classes = join(folder, 'classes');
  execFileSync('javac', ['-d', classes, join(folderOfSources, 'Load.java')]);
  const recording = `filename=${file},settings=${join(folderOfSources, 'load.jfc')}`;
  const options = ['-Xmx2g', '-XX:TLABSize=2k', '-XX:-ResizeTLAB', `-XX:StartFlightRecording:${recording}`];
  execFileSync('java', [...options, '-cp', classes, 'Load', String(seconds), String(THREADS)], { stdio: 'ignore' });
}
