/** What commands share that run a program under a recorder: its host, and its exit code. */
import type { RecordingHost } from '../../record/native/program.node.js';
import { type Invocation, note } from '../host.js';

/** Where the program runs: with our environment, terminal and signals. */
export function recordingHost({ host }: Invocation): RecordingHost {
  return {
    env: host.env,
    hasTerminal: host.stderr.isTTY === true,
    ...(host.onSignal && { onSignal: host.onSignal }),
  };
}

/** Notes what was recorded, then the exit code of the program, with which the command ends. */
export function reportRecording(invocation: Invocation, lines: readonly string[], exitCode: number): void {
  for (const line of lines) note(invocation, `kansoku: ${line}`);
  if (exitCode === 0) return;
  note(invocation, `kansoku: the program ended with exit code ${exitCode}`);
  invocation.exitCode = exitCode;
}
