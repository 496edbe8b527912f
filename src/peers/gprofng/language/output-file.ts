/** The file that commands print to instead of standard output. */
import { type FileHandle, open } from 'node:fs/promises';

export class OutputFile {
  #file: FileHandle | undefined;

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Closes the file, and opens another one if there is a path. Throws the error of the system; the old file then stays. */
  async open(path: string | undefined, mode: 'w' | 'a'): Promise<void> {
    const next = path === undefined ? undefined : await open(path, mode);
    await this.#file?.close();
    this.#file = next;
  }

  async write(text: string): Promise<void> {
    await this.#file?.write(text);
  }
}
