/** JSON of `Thread.dump_to_file -format=json`, JDK 21 to 25 (`jdk.internal.vm.ThreadDumper`): threads by container. */
import type { Work } from '../../../base/progress.js';
import { decodeUtf8, encodeUtf8 } from '../../../base/text.js';
import { type ByteSource, readHead } from '../../../bytes/byte-source.js';
import { ENCODING_BYTES, encodingOf, FileOffsets, unmarked } from '../../shared/encoding.js';
import { Scanner } from '../../shared/json-scanner.js';
import { readDocument } from '../../shared/json-windows.js';
import { type Damage, quote } from '../damage.js';
import { JsonInfos } from '../dialects/management-json.js';
import type { DumpBuilder } from '../dump-builder.js';
import { NO_FIELDS } from '../text/header.js';
import { lockLine } from '../text/lock-line.js';
import { DumpDocument, type DumpEvents, type DumpShape, LARGEST_VALUE, TO_FILE } from './document.js';
import { isObject, type Json, jsonObject, valueText } from './values.js';

/** A reader of the parts of a JSON dump. */
type JsonReader = new (builder: DumpBuilder, damage: Damage) => DumpEvents;

/** Adds the dumps of a source in this shape. Returns whether its wrapping was intact. */
export async function readJson(
  source: ByteSource,
  shape: DumpShape,
  { builder, damage }: { readonly builder: DumpBuilder; readonly damage: Damage },
  work: Work,
): Promise<boolean> {
  const scanner = new Scanner();
  const written = encodingOf(await readHead(source, ENCODING_BYTES));
  const Reader: JsonReader = shape === TO_FILE ? JsonThreads : JsonInfos;
  const document = new DumpDocument(scanner, new Reader(builder, damage), new FileOffsets(written), shape);
  const { whole } = await readDocument(unmarked(source, written), scanner, document, damage.problems, {
    work,
    largest: LARGEST_VALUE,
  });
  return whole;
}

const KEYS = new Set([
  ...['tid', 'time', 'virtual', 'name', 'state', 'stack'],
  ...['parkBlocker', 'blockedOn', 'waitingOn', 'monitorsOwned', 'carrier'],
]);

/** What each dump says of itself before its threads. */
const DUMP_KEYS = ['processId', 'time', 'runtimeVersion'];

/** Objects and arrays of a dump above its threads. */
const OBJECTS = new Set(['', 'threadDump', 'threadDump/threadContainers[]']);
const ARRAYS = new Set(['threadDump/threadContainers', 'threadDump/threadContainers[]/threads']);

class JsonThreads implements DumpEvents {
  readonly #builder: DumpBuilder;
  readonly #damage: Damage;
  #time = -1;
  #process = -1;
  #group = '';
  /** Threads of this container so far. */
  #threads = 0;
  /** A dump is open. */
  #open = false;
  /** Keys of the dump that came, or that damage may have taken away. */
  #keys = new Set<string>();

  constructor(builder: DumpBuilder, damage: Damage) {
    this.#builder = builder;
    this.#damage = damage;
  }

  damaged(offset: number, message: string): void {
    this.#keys = new Set(DUMP_KEYS);
    this.#damage.lost('json', offset, message);
  }

  enter(path: string, array: boolean, offset: number): void {
    if (!(array ? ARRAYS : OBJECTS).has(path))
      this.#damage.lost('key', offset, `${quote(path)} is not a part of a thread dump`);
    if (path === '') this.#reset();
    if (path === 'threadDump/threadContainers[]') this.#threads = 0;
  }

  /** A further dump has its own process and time. */
  #reset(): void {
    this.#open = false;
    this.#keys = new Set();
    this.#time = -1;
    this.#process = -1;
  }

  value(path: string, bytes: Uint8Array, offset: number): void {
    const text = valueText(bytes);
    this.#keys.add(path.slice(path.indexOf('/') + 1));
    if (text === undefined || !this.#take(path, text, offset))
      this.#damage.lost('key', offset, `${quote(decodeUtf8(bytes, 0, bytes.length))} is not a value of ${quote(path)}`);
  }

  /** Takes a value; returns false if a dump has no such value at this path. */
  #take(path: string, text: string, offset: number): boolean {
    switch (path) {
      case 'threadDump/processId':
        this.#builder.describe('process', text);
        this.#process = /^\d{1,10}$/.test(text) ? Number(text) : -1;
        return this.#process >= 0;
      case 'threadDump/time':
        this.#time = Number.isNaN(Date.parse(text)) ? -1 : Date.parse(text);
        return this.#time >= 0;
      case 'threadDump/runtimeVersion':
        this.#builder.describe('version', text);
        return true;
      case 'threadDump/threadContainers[]/container':
        this.#group = text;
        this.#begin(offset);
        return true;
      case 'threadDump/threadContainers[]/threadCount':
        if (Number(text) !== this.#threads)
          this.#damage.lost('missing', offset, `the container reports ${text} threads, but has ${this.#threads}`);
        return true;
      case 'threadDump/threadContainers[]/parent':
      case 'threadDump/threadContainers[]/owner':
        return true;
      default:
        return false;
    }
  }

  #begin(offset: number): void {
    if (this.#open) return;
    this.#open = true;
    for (const key of DUMP_KEYS)
      if (!this.#keys.has(key)) this.#damage.lost('key', offset, `the dump has no ${quote(key)} before its threads`);
    this.#builder.beginDump('file', { time: this.#time, process: this.#process }, offset);
  }

  thread(bytes: Uint8Array, offset: number): void {
    this.#begin(offset);
    this.#threads++;
    const json = jsonObject(bytes);
    if (json === undefined) this.#damage.lost('json', offset, 'not JSON: a thread could not be read');
    else if (!this.#add(json))
      this.#damage.lost('thread', offset, `${quote(decodeUtf8(bytes, 0, 60))} is not a thread of a dump`);
  }

  /** Adds a thread; returns false if something is missing or of the wrong type; the rest is kept. */
  #add(json: Json): boolean {
    const number = Number(json.tid);
    if (!/^\d{1,15}$/.test(String(json.tid)) || typeof json.name !== 'string' || !isTexts(json.stack)) return false;
    const words = typeof json.state === 'string' ? json.state : '';
    const header = { ...NO_FIELDS, name: json.name, number, virtual: json.virtual === true ? 1 : 0, words };
    if (!this.#builder.beginThread(header, this.#group)) return false;
    let whole = Object.keys(json).every((key) => KEYS.has(key));
    for (const text of json.stack) {
      const frame = encodeUtf8(text);
      whole = this.#builder.frame(frame, 0, frame.length) && whole;
    }
    const blocker = isObject(json.parkBlocker) ? json.parkBlocker.object : json.parkBlocker;
    whole = this.#lock('parking to wait for', blocker) && whole;
    whole = this.#lock('waiting to lock', json.blockedOn) && whole;
    whole = this.#lock('waiting on', json.waitingOn) && whole;
    whole = this.#owned(json.monitorsOwned) && whole;
    this.#builder.endThread();
    return whole;
  }

  #owned(monitors: unknown): boolean {
    if (monitors === undefined) return true;
    if (!Array.isArray(monitors)) return false;
    let whole = true;
    for (const monitor of monitors) {
      const locks: unknown = isObject(monitor) ? monitor.locks : undefined;
      if (!Array.isArray(locks)) return false;
      // A lock that the compiler removed is null.
      for (const lock of locks) whole = (lock === null || this.#lock('locked', lock)) && whole;
    }
    return whole;
  }

  #lock(words: string, object: unknown): boolean {
    if (object === undefined) return true;
    const line = typeof object === 'string' ? lockLine(`${words} <${object}>`) : undefined;
    if (line === undefined || line === 'none') return false;
    this.#builder.open?.locks.push(line);
    return true;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string');
}
