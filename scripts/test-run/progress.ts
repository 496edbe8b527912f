/** How far a test run is: one changing line on a terminal, else a line every ten seconds. */

const INTERVAL = { terminal: 200, lines: 10_000 } as const;
const ERASE = '\r\x1b[K';

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Numbers that a run changes as it goes. */
export interface Progress {
  readonly files: number;
  readonly filesDone: number;
  readonly failures: number;
}

export function progressText({ files, filesDone, failures }: Progress, seconds: number): string {
  const rest = String(Math.floor(seconds % 60)).padStart(2, '0');
  return `${filesDone} of ${files} files, ${failures} failed, ${Math.floor(seconds / 60)}:${rest}`;
}

/** Shows progress until it is stopped. Other text is written with `print`, which keeps it off the changing line. */
export class ProgressLine {
  readonly #output: Output;
  readonly #progress: () => Progress;
  readonly #begin = performance.now();
  readonly #timer: NodeJS.Timeout;
  #isMuted = false;

  constructor(output: Output, progress: () => Progress) {
    this.#output = output;
    this.#progress = progress;
    this.#timer = setInterval(() => this.#show(), output.isTTY === true ? INTERVAL.terminal : INTERVAL.lines);
    this.#timer.unref();
  }

  print(text: string): void {
    if (text !== '' && !this.#isMuted) this.#output.write(this.#output.isTTY === true ? ERASE + text : text);
  }

  /** Nothing is written from now on. */
  mute(): void {
    this.stop();
    this.#isMuted = true;
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.#output.isTTY === true) this.#output.write(ERASE);
  }

  /** How far the run is now. */
  text(): string {
    return progressText(this.#progress(), (performance.now() - this.#begin) / 1000);
  }

  #show(): void {
    this.#output.write(this.#output.isTTY === true ? `${ERASE}${this.text()}` : `${this.text()}\n`);
  }
}
