/** Messages for inputs that cannot be read, and the search for keys far after the head. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type KansokuError, UnreadableError } from '../base/errors.js';
import { type ByteSource, memorySource } from '../bytes/byte-source.js';
import { commandLineText } from '../cli/render/spelling.js';
import { detect } from './inputs/detect.js';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../src/formats/known/fixtures/${name}`, import.meta.url));

async function refusal(bytes: Uint8Array, name = 'input'): Promise<KansokuError> {
  const error: unknown = await detect(memorySource(name, bytes)).then(
    (format) => assert.fail(`recognised as ${format.id}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof UnreadableError);
  return error;
}

describe('a kind that is recognised but not read', () => {
  const rows: readonly (readonly [fixture: string, title: RegExp, advice: RegExp])[] = [
    [
      'gmon.out',
      /^input: this is a gmon\.out file of gprof \(it begins with gmon and version 1\); Kansoku cannot/,
      /gprof PROGRAM/,
    ],
    ['perf-data.bin', /this is a perf\.data file \(it begins with PERFILE2\)/, /perf script -i/],
    ['elf.bin', /this is an ELF file .* \(it begins with ELF: a program or shared library\)/, /recording/],
    ['jfr-oracle-7-8.unpacked', /flight recording of Oracle JDK 7 or 8 \(format 0\.9\)/, /JDK Mission Control/],
    ['pprof-legacy.heap', /legacy pprof profile \(before protobuf\)/, /go tool pprof -proto/],
    ['phd.bin', /portable heap dump of IBM/, /Memory Analyzer/],
    ['native-image-dashboard.json', /this is a dump for the GraalVM dashboard in JSON/, /was withdrawn.*call tree/],
  ];
  for (const [name, title, advice] of rows) {
    test(name, async () => {
      const error = await refusal(fixture(name));
      assert.match(error.message, title);
      assert.match(commandLineText(error.advice ?? ''), advice);
    });
  }
});

describe('an unknown input', () => {
  const rows: readonly (readonly [what: string, bytes: Uint8Array, message: RegExp, advice?: RegExp])[] = [
    ['a picture', latin1('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR'), /it is a PNG picture$/],
    ['a zip archive', latin1('PK\u0003\u0004\u0014\0\0\0\0\0'), /it is a zip archive$/, /^Extract it/],
    ['a page', fixture('none.page.html'), /it is an HTML page$/],
    ['text', fixture('none.names.txt'), /it is text, first line "alpha"$/, /Kansoku reads: .*GraalVM PGO profile/],
    ['UTF-16', Buffer.from('\ufeffhello\r\n', 'utf16le'), /it is UTF-16LE text, first line "hello"$/],
    ['text in UTF-8', Buffer.from('観測 one\ntwo\n'), /it is text, first line "観測 one"$/],
    ['escape codes', latin1('\u001b[31mred\u001b[0m\nnext\n'), /first line "·\[31mred·\[0m"$/],
    ['a script', latin1('#!/bin/sh\nexit 0\n'), /it is a script, first line "#!\/bin\/sh"$/],
    ['XML', latin1('<?xml version="1.0"?>\n<a/>'), /it is an XML document$/],
    ['blank', latin1(' \n\n'), /it is only white space$/],
    ['JSON', fixture('none.tsconfig.json'), /it is a JSON object whose first keys are compilerOptions, include$/],
    ['JSON, cut', latin1('{"name":"x","list":[1,'), /first keys are name, list, truncated$/],
    ['JSON, damaged', latin1('{"name":"x","list":[1,}'), /first keys are name, list, later damaged or not JSON$/],
    ['JSON lines', latin1('{"name":"x"}\n{"name":"y"}\n'), /first keys are name, followed by more values$/],
    ['a JSON array', latin1('[{"name":"x","size":1}]'), /it is a JSON array of objects with name, size$/],
    ['a log with brackets', latin1('[1] first\n[2] second\n'), /it is text, first line "\[1\] first"$/],
    ['binary data', latin1('\u0001\u0002\u0003\0\u00ff'), /it is binary data beginning with 01 02 03 00 ff$/],
    ['nothing', new Uint8Array(0), /^input: the file is empty$/],
    [
      'HPROF of a version to come',
      latin1('JAVA PROFILE 1.0.4\0\0\0\0\u0008'),
      /closest match is a binary HPROF file .*unknown version/,
    ],
    [
      'a trace without events',
      latin1('{"traceEvents":[1,2]}'),
      /closest match is a trace in Chrome’s event format .*whose first keys are traceEvents$/,
    ],
  ];
  for (const [subject, bytes, message, advice] of rows) {
    test(subject, async () => {
      const error = await refusal(bytes);
      assert.match(error.message, message);
      if (advice !== undefined) assert.match(commandLineText(error.advice ?? ''), advice);
    });
  }

  test('a long first line is cut', async () => {
    assert.ok((await refusal(latin1('word '.repeat(40_000)))).message.length < 250);
  });
});

describe('keys far after the head of a JSON object', () => {
  const filler = (bytes: number): string => JSON.stringify('a}]{["\\'.repeat(Math.ceil(bytes / 10)));

  test('an .iprof with an unknown section of more than one window first', async () => {
    for (const size of [100_000, (1 << 20) - 20, 1 << 20, 3_000_000]) {
      const text = `{"other":[${filler(size)},{"x":[]}],"version":"1.0.0","types":[],"methods":[{"id":1,"name":"run","signature":[0]}]}`;
      assert.equal((await detect(memorySource('input', latin1(text)))).id, 'iprof');
    }
  });

  test('a kind that is only recognised', async () => {
    const text = `{"first":${filler(200_000)},"fileType":"Recorded Performance Data"}`;
    assert.match((await refusal(latin1(text))).message, /this is a raw profile of the Gecko profiler/);
    const trace = `{"first":${filler(200_000)},"traceEvents":[{"ph":"X","ts":1}]}`;
    assert.equal((await detect(memorySource('input', latin1(trace)))).id, 'chrome-trace');
  });

  test('an unknown kind', async () => {
    const error = await refusal(latin1(`{"first":${filler(2_000_000)},"second":1}`));
    assert.match(error.message, /it is a JSON object whose first keys are first$/);
  });

  test('the search is bounded, and the stream is closed', async () => {
    let read = 0;
    let open = 0;
    const endless: ByteSource = {
      name: 'endless',
      size: undefined,
      open: () => {
        open++;
        let first = true;
        return Promise.resolve({
          read: (target: Uint8Array) => {
            target.fill(0x61);
            if (first) target.set(latin1('{"key":"'));
            first = false;
            read += target.length;
            return Promise.resolve(target.length);
          },
          damage: () => undefined,
          close: () => {
            open--;
            return Promise.resolve();
          },
        });
      },
    };
    await assert.rejects(detect(endless), /first keys are key/);
    assert.equal(open, 0);
    assert.ok(read <= (64 << 20) + (1 << 20), `${read} bytes were read`);
  });
});
