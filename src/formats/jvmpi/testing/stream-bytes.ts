/** Recordings written by hand: frames after docs/jvmpi-wire.md, in a file after docs/formats/jvmpi.md. */
import { endFrame, FRAME, fileFrame, fileHead } from '../index.js';

export const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replace(/\s/g, ''), 'hex'));

const little = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, place) => Math.floor(value / 256 ** place) % 256);

/** A number of 7 bits a byte. */
export function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** A text of ASCII, with its length plus 1. */
export const text = (words: string): number[] => [...varint(words.length + 1), ...Buffer.from(words, 'latin1')];

/** A record: the event, ns since the one before, content. */
export const record = (event: number, after: number, ...content: number[]): number[] => [
  event,
  ...varint(after),
  ...content,
];

/** A block of a thread that begins at `time` ns. */
export function block(thread: number, time: number, ...records: readonly number[][]): Uint8Array {
  return new Uint8Array([
    ...little(records.length, 4),
    ...little(thread, 4),
    ...little(time, 8),
    ...little(0, 8),
    ...records.flat(),
  ]);
}

/** The agent's first frame; the recording begins at 1000 ns. */
export const helloWith = (token: string): Uint8Array =>
  new Uint8Array([
    ...Buffer.from('KMPI'),
    ...little(1, 4),
    ...little(77, 4),
    ...little(0x30010000, 4),
    ...[8, 1, 0, 0],
    ...little(1000, 8),
    ...little(1.7e18, 8),
    ...text(token),
    ...text('VM'),
    ...text('25'),
  ]);

/** As recordings have it. */
export const HELLO = helloWith('0'.repeat(8));

/** CLASS_LOAD of a linked class without fields: its id, name and methods (id, name, descriptor, lines). */
export function classLoad(id: number, name: string, methods: readonly (readonly [number, string, string])[]): number[] {
  const each = methods.flatMap(([method, called, descriptor]) => [
    ...varint(method),
    ...text(called),
    ...text(descriptor),
    ...[20, 40],
  ]);
  return [...varint(id), ...text(`L${name};`), 1, ...text(`${name}.java`), 0, ...varint(methods.length), ...each, 0];
}

export const threadStart = (thread: number, object: number, name: string): number[] => [
  ...varint(thread),
  ...varint(object),
  ...text(name),
  ...text('main'),
  ...text('system'),
];

/** A call of the agent, and the reply to it. */
export const call = (id: number, name: number, ...values: number[]): Uint8Array =>
  new Uint8Array([...little(id, 4), name, ...values.flatMap(varint)]);
export const reply = (id: number, code: number, ...content: number[]): Uint8Array =>
  new Uint8Array([...little(id, 4), ...little(code < 0 ? code + 2 ** 32 : code, 4), ...content]);

/** The file of these frames, each handled 10 ns after the one before. */
export function streamFile(frames: readonly (readonly [kind: keyof typeof FRAME, content: Uint8Array])[]): Uint8Array {
  const written = frames.map(([kind, content], place) => fileFrame(FRAME[kind], BigInt(2000 + 10 * place), content));
  return new Uint8Array(Buffer.concat([fileHead(), ...written, endFrame(9000n, 0, frames.length)]));
}
