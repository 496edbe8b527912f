/**
 * A second reading of thread dumps, by regular expressions over the lines of the whole text: the expected content, and
 * whether the text follows the VM's form. It shares no code with the reader.
 */

/** A thread in one dump. `frames` and `locks` innermost first, one character a byte. */
export interface NaiveThread {
  readonly dump: number;
  readonly name: string;
  readonly number: number;
  status: string;
  readonly frames: string[];
  readonly locks: string[];
}

export interface Naive {
  readonly threads: NaiveThread[];
  /** Breaches of the form, which the reader must report. */
  readonly broken: string[];
  /** Headers that are none, with nothing below them: threads of the VM itself, which the reader must mention. */
  readonly torn: string[];
  /** Ambiguous parts: lines that nothing depends on, threads without a heading. */
  readonly unsure: string[];
}

const ATTRIBUTES = [
  /^#\d{1,15}$/,
  /^\[\d{1,10}\]$/,
  /^daemon$/,
  /^prio=\d{1,2}$/,
  /^os_prio=-?\d{1,4}$/,
  /^cpu=\d{1,12}[.,]\d\dms$/,
  /^elapsed=\d{1,12}[.,]\d\ds$/,
  /^allocated=\d{1,15}[BKMG]$/,
  /^defined_classes=\d{1,9}$/,
  /^tid=0x[0-9a-f]{1,16}$/,
];

interface Header {
  readonly name: string;
  readonly number: number;
  readonly address: string;
  readonly words: string;
}

/** Parses a header: its name ends at one of the quotes, tried from the last one on. */
function headerOf(text: string): Header | undefined {
  // The VM prints no name of some of its own threads.
  if (text.startsWith('os_prio=')) return headerOf(`"" ${text}`);
  if (!text.startsWith('"')) return undefined;
  for (let quote = text.lastIndexOf('" '); quote > 0; quote = text.lastIndexOf('" ', quote - 1)) {
    const words = text.slice(quote + 2).split(' ');
    let next = 0;
    let number = -1;
    let used = 0;
    for (const word of words) {
      const found = ATTRIBUTES.findIndex((shape, i) => i >= next && shape.test(word));
      if (found < 0) break;
      if (found === 0) number = Number(word.slice(1));
      next = found + 1;
      used++;
      if (found === ATTRIBUTES.length - 1) break;
    }
    const address = words[used - 1] ?? '';
    if (!address.startsWith('tid=') || words.length === used) continue;
    const rest = words.slice(used);
    if (/^nid=(?:0x[0-9a-f]{1,8}|\d{1,10}|NA)$/.test(rest[0] ?? '')) rest.shift();
    const told = trimmed(rest.join(' '));
    const state = trimmed(told.replace(/\[0x[0-9a-f]{1,16}(?:,0x[0-9a-f]{1,16})?\]$/, ''));
    return { name: text.slice(1, quote), number, address, words: state };
  }
  return undefined;
}

/** Removes ASCII white space at the ends: other bytes have no meaning alone. */
function trimmed(text: string): string {
  return text.replace(/^[ \t-\r]+|[ \t-\r]+$/g, '');
}

/** Indentation means nothing. */
const STATE =
  /^[ \t]*java\.lang\.Thread\.State: ((?:NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)(?: \([a-z ]{1,40}\))?)\s*$/;
const SOURCE = '(?:Native Method|Unknown Source|[^:()]+|[^():]+:\\d{1,9})';
const VM_FRAME = new RegExp(`^(.+)\\.([^.]+)\\((?:([^()]*)/)?(${SOURCE.replaceAll('[^', '[^/')})\\)$`);
const LOCK =
  /^(locked|waiting to lock|waiting on|waiting to re-lock in wait\(\)|parking to wait for) {1,2}<0x([0-9a-f]{1,16})> \(a (.+)\)$/;
const NO_LOCK =
  /^(?:None|eliminated <.+> \(a .+\)|[a-z -]{6,24} <no object reference available>|waiting on the Class initialization monitor for .+)$/;

/** Lines that only threads have. */
const OF_THREAD = / tid=0x[0-9a-f]|^\tat |^\t- |^[ \t]*java\.lang\.Thread\.State/;
const OWNED = /^[ \t]*- (?:None|<0x[0-9a-f]{1,16}> \(a .+\))$/;
/** Frames and locks, however far they are indented. */
const BELOW = /^[ \t]*(at|-) (.*)$/s;

/** Frames repeat: each distinct one is parsed once. */
const frames = new Map<string, string | undefined>();

/** `module class.method(source)`, or undefined if the text is not a frame. */
function frameText(text: string): string | undefined {
  if (!frames.has(text)) {
    if (frames.size > 100_000) frames.clear();
    frames.set(text, parseFrame(text));
  }
  return frames.get(text);
}

function parseFrame(text: string): string | undefined {
  const match = VM_FRAME.exec(text);
  if (match === null) return undefined;
  const [, type = '', method = '', module = '', source = ''] = match;
  const [, prefix = '', plain = type] = /^(.*)\/(?!(?:0x[0-9a-f]{1,16}|\d{1,19})$)(.+)$/.exec(type) ?? [];
  // A class has a name before its address.
  if (
    /\/$/.test(type) ||
    plain.startsWith('/') ||
    /[()]/.test(prefix) ||
    (/[<>;[/\t]/.test(method) && !/^<(?:cl)?init>$/.test(method))
  )
    return undefined;
  const place = source.replace(/:0*$/, '').replace(/:0+(?=\d)/, ':');
  return `${module || prefix.replace(/\/$/, '')} ${plain}.${method}(${place})`;
}

/** Reads the text of the VM, one character a byte. */
export function naiveText(text: string): Naive {
  const naive: Naive = { threads: [], broken: [], torn: [], unsure: [] };
  const wholeLines = text.split(/\r?\n/);
  if (wholeLines.some((line) => /\S[ \t]+$/.test(line) && !OF_THREAD.test(line)))
    naive.unsure.push('a name may have a blank before a line feed');
  if (wholeLines.some((line) => /^[ \t]*\u00c2\u00a0/.test(line))) naive.unsure.push('no-break spaces before words');
  if (wholeLines.some((line) => /^[ \t]+os_prio=|^[ \t]*(?:prio|cpu|elapsed|tid|nid)=/.test(line)))
    naive.unsure.push('a header that a terminal may have wrapped');
  const lines = wholeLines.map((line) => line.replace(/[ \t]+$/, ''));
  const headings = lines.flatMap((line, i) => (/^Full thread dump .{1,300}:$/.test(line) ? [i] : []));
  if (lines.slice(0, headings[0] ?? lines.length).some((line) => / tid=0x|^\tat /.test(line)))
    naive.unsure.push('threads without a heading');
  if (headings.length === 0) naive.unsure.push('no heading');
  headings.forEach((from, dump) => {
    readDump(lines.slice(from + 1, headings[dump + 1] ?? lines.length), dump, naive);
  });
  return naive;
}

function readDump(lines: readonly string[], dump: number, naive: Naive): void {
  const end = lines.findIndex((line) => /^JNI global ref(?:erence)?s: \d/.test(line));
  if (end < 0) naive.broken.push('no end of the threads');
  const listed = listedThreads(lines, naive);
  const seen = new Set<string>();
  const blocks = blocksOf(lines.slice(0, end < 0 ? lines.length : end));
  /** The last thread may have synchronizers. */
  let mayOwn = false;
  for (const block of blocks) {
    const header = block[0]?.header;
    if (header === undefined) {
      const owned = ownedOf(block);
      if (/^ {3}\S/.test(block[0]?.text ?? '') && owned === undefined) naive.unsure.push('a heading that is none');
      if (block[0]?.text.startsWith('"'))
        (block.slice(1).some((line) => OF_THREAD.test(line.text) && !isTorn(line)) ? naive.broken : naive.torn).push(
          'a header that is none',
        );
      const others = owned?.filter(({ text }) => !OWNED.test(text)) ?? [];
      if (others.length > 0) (others.every(isTorn) ? naive.torn : naive.broken).push('synchronizers that are none');
      if (owned !== undefined && owned.length > 0 && !mayOwn) naive.broken.push('synchronizers of no thread');
      const ofThread = block.filter(({ text }) => OF_THREAD.test(text));
      const headers = ofThread.every(isTorn);
      if (owned === undefined && ofThread.length > 0)
        (headers ? naive.torn : naive.broken).push('lines of a thread without a header');
      if (owned !== undefined) mayOwn = false;
      continue;
    }
    mayOwn = true;
    const key = `${header.number} ${header.address} ${header.name}`;
    if (seen.has(key)) naive.broken.push('a thread twice');
    seen.add(key);
    listed?.delete(header.address.slice(4).replace(/^0x0*/, ''));
    readThread(block, header, dump, naive);
  }
  if (listed !== undefined && listed.size > 0) naive.broken.push('a listed thread is missing');
  const rest = end < 0 ? [] : lines.slice(end + 1);
  const section = rest.indexOf('Found one Java-level deadlock:');
  const last = rest.findLastIndex((line) => /^Found \d+ deadlocks?\.$/.test(line));
  if (section >= 0 && last < section) naive.broken.push('the deadlocks end early');
  if (section < 0 && last >= 0) naive.broken.push('deadlocks without a beginning');
  if (rest.some((line) => headerOf(line) !== undefined)) naive.unsure.push('a thread behind the end of a dump');
}

/** Whether a line is the end of a header whose beginning is missing. */
function isTorn({ text }: Pick<Line, 'text'>): boolean {
  return / tid=0x[0-9a-f]/.test(text);
}

function listedThreads(lines: readonly string[], naive: Naive): Set<string> | undefined {
  const begin = lines.findIndex((line) =>
    /^_java_thread_list=0x[0-9a-f]{1,16}, length=\d{1,9}, elements=\{$/.test(line),
  );
  if (begin < 0) {
    if (lines.slice(0, 3).some((line) => line.includes('SMR') || line.includes('java_thread')))
      naive.unsure.push('the list');
    return undefined;
  }
  const close = lines.findIndex((line, i) => i > begin && line === '}');
  const until = close < 0 ? lines.findIndex((line, i) => i > begin && line === '') : close;
  const text = lines.slice(begin + 1, until).join('\n');
  const listed = new Set(
    [...text.matchAll(/0x([0-9a-f]{1,16})(?=,|$)/gm)].map((match) => (match[1] ?? '').replace(/^0*/, '')),
  );
  if (!/^(?:0x[0-9a-f]{1,16}(?:, ?|,?\n|$))*$/.test(text)) naive.unsure.push('the list');
  const length = Number(/length=(\d+)/.exec(lines[begin] ?? '')?.[1]);
  if (close >= 0 && listed.size !== length) naive.broken.push('the list has another length');
  if (close < 0) naive.unsure.push('the list has no end');
  return listed;
}

interface Line {
  readonly text: string;
  readonly header?: Header;
}

/** Blocks of lines that are not empty; a header with line feeds in its name is one line. */
function blocksOf(lines: readonly string[]): Line[][] {
  const blocks: Line[][] = [[]];
  for (let i = 0; i < lines.length; i++) {
    const text = lines[i] ?? '';
    if (text === '') {
      if (blocks.at(-1)?.length !== 0) blocks.push([]);
      continue;
    }
    let joined = text;
    let header = headerOf(joined);
    let last = i;
    if (text.startsWith('"') && header === undefined && blocks.at(-1)?.length === 0) {
      for (let next = i + 1; header === undefined && next < lines.length; next++) {
        joined += `\n${lines[next]}`;
        header = headerOf(joined);
        last = next;
        if (!goesOn(lines[next] ?? '')) break;
      }
    }
    if (header === undefined) blocks.at(-1)?.push({ text });
    else {
      // Other output may be directly above a thread.
      const above = blocks.at(-1)?.[0];
      if (above !== undefined && above.header === undefined) blocks.push([]);
      blocks.at(-1)?.push({ text: joined, header });
      i = last;
    }
  }
  return blocks;
}

function goesOn(text: string): boolean {
  return (
    text !== '' && !/^[ \t]*java\.lang\.Thread\.State: /.test(text) && !/^(?:\tat |\t- | {4}at | {6}\S)/.test(text)
  );
}

/** The synchronizers in a block of them, which may begin with other output; undefined for other blocks. */
function ownedOf(block: readonly Line[]): readonly Line[] | undefined {
  const heading = block.findIndex(({ text }) => text === '   Locked ownable synchronizers:');
  const above = block.slice(0, Math.max(0, heading));
  return heading < 0 || above.some(({ text }) => OF_THREAD.test(text)) ? undefined : block.slice(heading + 1);
}

function readThread(block: readonly Line[], header: Header, dump: number, naive: Naive): void {
  let thread: NaiveThread = {
    dump,
    name: header.name,
    number: header.number,
    status: header.words,
    frames: [],
    locks: [],
  };
  naive.threads.push(thread);
  let stated = false;
  for (const { text, header: second } of block.slice(1)) {
    const state = STATE.exec(text);
    const carrying = /^ {3}(Carrying virtual thread #\d{1,15})$/.exec(text);
    const mounted = /^ {3}Mounted virtual thread #(\d{1,15})$/.exec(text);
    const [, word = '', words = ''] = BELOW.exec(text) ?? [];
    const frame = word === 'at' ? frameText(words) : undefined;
    if (/^(?:Threads class SMR info:|_java_thread_list=)/.test(text)) naive.unsure.push('a list within a thread');
    if (second !== undefined) naive.unsure.push('a header within a thread');
    else if (state !== null && !stated && thread.frames.length === 0) thread.status = state[1] ?? '';
    else if (carrying !== null) thread.status = carrying[1] ?? '';
    else if (mounted !== null) {
      if (
        naive.threads.some((one) => one.dump === dump && one.status === 'mounted' && one.number === Number(mounted[1]))
      )
        naive.broken.push('a virtual thread twice');
      thread = { dump, name: '', number: Number(mounted[1]), status: 'mounted', frames: [], locks: [] };
      naive.threads.push(thread);
    } else if (frame !== undefined) thread.frames.push(frame);
    else if (word === '-' && LOCK.test(words)) thread.locks.push(words.replace('  <', ' <'));
    else if (text === '   Locked ownable synchronizers:') naive.unsure.push('synchronizers without an empty line');
    else if (!/^ {3}(?:No compile task|Compiling: )/.test(text) && !(word === '-' && NO_LOCK.test(words))) {
      // A frame, lock or state may have got the words of a header.
      const isHeader = isTorn({ text }) && !/^\t|^ *java\.lang\.Thread\.State: /.test(text);
      (isHeader ? naive.torn : naive.broken).push(`a line that is none: ${text.slice(0, 60)}`);
      // The lines below a torn header may be those of its thread.
      if (isHeader) return;
    }
    stated ||= state !== null;
  }
}
