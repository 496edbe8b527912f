/** Records that may be in a log, among other lines and records of other formats. */
import type { Work } from '../../base/progress.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import type { LogKind } from '../shared/logs/log-kind.js';

export interface InLogs {
  readonly kind: LogKind;
  /** Reads an input; where it is a log, with the records of the kinds `beside`. */
  readonly read: (source: ByteSource, work: Work | undefined, beside: readonly LogKind[]) => Promise<Recording>;
}
