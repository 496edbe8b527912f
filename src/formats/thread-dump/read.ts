/**
 * Reads thread dumps of HotSpot: text of the VM, text and JSON of `Thread.dump_to_file`.
 *
 * Format: docs/formats/thread-dump.md. Cost: one pass over the bytes; text of any size streams through a window of
 * 1 MiB, and 12 bytes a frame that is new below its caller, 56 bytes a thread of a dump and 40 a lock stay.
 */
import { FormatError } from '../../base/errors.js';
import { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { type ByteSource, readHead } from '../../bytes/byte-source.js';
import { eachLine } from '../../bytes/lines.js';
import type { Recording } from '../../models/recording.js';
import { Damage } from './damage.js';
import { DumpBuilder } from './dump-builder.js';
import { readJson } from './json.js';
import { TextReader } from './text.js';

const LONGEST_LINE = 1 << 20;

/** Reads all that is whole. Throws `FormatError` where there is no thread and no dump in the input. */
export async function readThreadDump(source: ByteSource, work: Work = {}): Promise<Recording> {
  const damage = new Damage(new ProblemLog());
  const builder = new DumpBuilder(damage);
  const head = await readHead(source, 64);
  const read = isJson(head) ? readJson : readText;
  const whole = await read(source, builder, damage, work);
  if (builder.locks.dumps === 0) throw nothingRead(head);
  return builder.finish(source.name, damage.problems, damage.complete && whole);
}

function isJson(head: Uint8Array): boolean {
  return new TextDecoder().decode(head).trimStart().startsWith('{');
}

async function readText(source: ByteSource, builder: DumpBuilder, damage: Damage, work: Work): Promise<boolean> {
  const reader = new TextReader(builder, damage);
  let end = 0;
  let ended = true;
  const wrapping = await eachLine(
    source,
    (bytes, from, to, offset, terminated) => {
      reader.line(bytes, from, to, offset);
      end = offset + to - from + (terminated ? 1 : 0);
      ended = terminated;
    },
    {
      work,
      longest: LONGEST_LINE,
      tooLong: (offset) => damage.lost('line', offset, 'a line of more than 1 MiB: it is read in pieces'),
    },
  );
  reader.end(end, ended);
  if (wrapping !== undefined) damage.problems.add(wrapping);
  return wrapping?.severity !== 'error';
}

function nothingRead(head: Uint8Array): FormatError {
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return new FormatError({
    format: 'thread-dump',
    offset: 0,
    expected: 'threads with their stacks',
    found: wide ? 'text in UTF-16' : 'none',
    advice: wide
      ? 'Convert it: `iconv -f UTF-16 -t UTF-8`; PowerShell writes UTF-16 where its output goes to a file.'
      : 'Give what `jstack PID` or `jcmd PID Thread.print` printed.',
  });
}
