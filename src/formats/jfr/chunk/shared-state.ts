/** What the chunks of a file share. */
import type { ReadAt } from '../../capabilities/file-pass.js';
import type { WalkKernel } from '../kernel/walk-kernel.js';
import { EventWindow } from './event-window.js';
import { MetadataReader } from './metadata.js';
import type { Rows } from './rows.js';

/** What chunks of a file that are read one after the other share. */
export class SharedState {
  /** Over the bytes of the file. */
  readonly window: EventWindow;
  /**
   * Bytes of metadata that may still be read outside of their chunks: heads of chunks that are none could make a file of few bytes long
   * to read. Metadata within their chunk cost nothing, so the number of chunks has no limit.
   */
  metadataLeft: number;
  /** Places that look like headers and bytes that may still be looked at for the ends of chunks, for the same reason. */
  readonly searchLeft = { places: 1 << 12, bytes: 1 << 30 };
  readonly metadata = new MetadataReader();
  /** Rows of the chunk before, by type. */
  readonly rows = new Map<string, Rows>();
  readonly kernel: WalkKernel | undefined;

  constructor(readAt: ReadAt, kernel?: WalkKernel, metadataLeft = 1 << 28) {
    this.kernel = kernel;
    this.metadataLeft = metadataLeft;
    this.window = new EventWindow(readAt, kernel?.window);
  }

  /** Rows of the chunk before, for one type of this name: their columns are written over. */
  rowsBefore(name: string): Rows | undefined {
    const rows = this.rows.get(name);
    this.rows.delete(name);
    return rows;
  }
}
