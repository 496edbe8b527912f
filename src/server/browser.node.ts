/** The browser of the person at this machine. */
import { spawn } from 'node:child_process';

/** Opens an address with what the system uses for addresses; `missing` gets the program that is not there. */
export function startBrowser(url: string, missing: (program: string) => void): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  // The token is among the words of that process for a moment; it is spent at once.
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => missing(program));
  child.unref();
}
