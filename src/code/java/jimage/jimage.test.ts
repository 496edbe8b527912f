/** Images that the test writes, and each of them damaged at every byte. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { FormatError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import { memorySource } from '../../../bytes/byte-source.js';
import { A_PLACE, applyMutation, mutationText, systematicMutation } from '../../../testing/fuzz/mutate.js';
import type { ClassContainer } from '../class-path/class-container.js';
import { inflateZlib } from '../class-path/members.node.js';
import { layer, pathOf, type WrittenResource, writeJImage } from '../testing/jimage-writer.js';
import { JImage } from './jimage.js';
import { jimageClasses } from './jimage-classes.js';
import { isJImage } from './jimage-header.js';

const classFile = (text: string): Buffer => Buffer.concat([Buffer.from('cafebabe', 'hex'), Buffer.from(text)]);

function resource(module: string, parent: string, base: string, text: string, extension = 'class'): WrittenResource {
  return { module, parent, base, extension, content: classFile(text) };
}

const RESOURCES = [
  resource('java.base', 'java/lang', 'Object', 'the root'),
  resource('java.base', 'java/lang', 'String', 'text'),
  resource('java.base', 'java/util', 'Map$Entry', 'inner'),
  resource('java.base', '', 'module-info', 'a module'),
  resource('my.app', '', 'module-info', 'another module'),
  resource('my.app', 'com/acme', 'Größe', 'no ASCII'),
  resource('my.app', '', 'Unnamed', 'no package'),
  resource('my.app', 'com/acme', 'data', 'no class', 'properties'),
  resource('my.app', 'META-INF', 'plain', 'no extension', ''),
  resource('modules', 'java.base', 'Object', 'no resource'),
];
const NAMES = ['java.lang.Object', 'java.lang.String', 'java.util.Map$Entry', 'com.acme.Größe', 'Unnamed'];
const INFOS = ['x!/java.base/module-info.class', 'x!/my.app/module-info.class'];

interface Loaded {
  readonly container: ClassContainer;
  readonly classes: Map<string, string>;
  readonly problems: Problem[];
}

async function loaded(bytes: Uint8Array): Promise<Loaded> {
  const container = await jimageClasses(memorySource('x', bytes), inflateZlib);
  const classes = new Map<string, string>();
  const problems = [...container.problems.list];
  await container.load(
    Int32Array.from(container.names.keys()),
    (row, content) => classes.set(container.names[row], Buffer.from(content).toString('latin1')),
    (problem) => problems.push(problem),
    {},
  );
  return { container, classes, problems };
}

for (const littleEndian of [true, false]) {
  const order = littleEndian ? 'little' : 'big';
  it(`reads a written image, ${order} end first`, async () => {
    const { bytes } = writeJImage(RESOURCES, littleEndian);
    assert.ok(isJImage(bytes));
    const { container, classes, problems } = await loaded(bytes);
    assert.deepEqual(problems, []);
    assert.deepEqual([...container.names].sort(), [...NAMES, ...INFOS].sort());
    assert.deepEqual(container.moduleInfos.map((row) => container.names[row]).sort(), INFOS);
    const object = container.names.indexOf('java.lang.Object');
    assert.equal(container.module(object), 'java.base');
    assert.equal(container.origin(object), 'x!/java.base/java/lang/Object.class');
    assert.equal(classes.get('java.lang.Object'), classFile('the root').toString('latin1'));
    assert.equal(classes.get('com.acme.Größe'), classFile('no ASCII').toString('latin1'));
  });

  it(`finds each path by the hash, and no other, ${order} end first`, async () => {
    const image = await JImage.open(memorySource('x', writeJImage(RESOURCES, littleEndian).bytes));
    for (const each of RESOURCES) {
      const row = image.find(pathOf(each));
      assert.equal(image.path(row), pathOf(each));
      assert.equal(image.resources.size[row], each.content.length);
    }
    for (const path of [
      '',
      '/',
      '/java.base/java/lang/Object',
      '/java.base/java/lang/Objekt.class',
      'java/lang/Object',
    ])
      assert.equal(image.find(path), -1, path);
  });
}

it('an image without resources is valid', async () => {
  const { container, problems } = await loaded(writeJImage([]).bytes);
  assert.deepEqual([container.names, problems], [[], []]);
  assert.equal((await JImage.open(memorySource('x', writeJImage([]).bytes))).find('/a/b.class'), -1);
});

describe('damage at every byte', () => {
  const { bytes } = writeJImage(RESOURCES);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const indexBytes = 28 + 8 * view.getUint32(16, true) + view.getUint32(20, true) + view.getUint32(24, true);
  const stringsAt = indexBytes - view.getUint32(24, true);
  const redirectsEnd = 28 + 4 * RESOURCES.length;
  /**
   * Attributes with offset and size of content, which no other part of the image confirms, and the end bytes of
   * locations, where only the upper five bits count.
   */
  const unchecked = uncheckedBytes(bytes);
  const places = Int32Array.from(bytes.keys());

  function uncheckedBytes(image: Buffer): Set<number> {
    const found = new Set<number>();
    const from = 28 + 8 * view.getUint32(16, true);
    for (let at = from; at < from + view.getUint32(20, true); ) {
      const kind = image[at] >>> 3;
      const length = kind === 0 ? 0 : 1 + (image[at] & 7);
      if (kind === 0 || kind >= 5) for (let i = 0; i <= length; i++) found.add(at + i);
      at += 1 + length;
    }
    return found;
  }

  it('gives a FormatError, a problem with its offset, or the intact content', async () => {
    const seen = { refused: 0, told: 0, unchanged: 0, consistent: 0, unseen: 0 };
    for (let i = 0; i < places.length * A_PLACE; i++) {
      const mutation = systematicMutation(bytes, places, i);
      const mutated = applyMutation(bytes, mutation);
      if (bytes.equals(mutated)) continue;
      const text = mutationText(mutation);
      let result: Loaded;
      try {
        result = await loaded(mutated);
      } catch (error) {
        assert.ok(error instanceof FormatError, text);
        assert.ok(error.offset >= 0 && error.offset <= mutated.length, text);
        seen.refused++;
        continue;
      }
      for (const problem of result.problems)
        assert.ok((problem.offset ?? -1) >= 0 && (problem.offset ?? 0) <= bytes.length, text);
      if (result.problems.length > 0) {
        seen.told++;
        continue;
      }
      // Damage without a problem must not change the classes.
      if (unchecked.has(mutation.from)) {
        seen.unseen++;
        continue;
      }
      assert.notEqual(mutation.kind, 'cut', text);
      const image = await JImage.open(memorySource('x', mutated));
      for (let row = 0; row < image.resources.length; row++) {
        const path = image.path(row);
        if (!path.includes('\ufffd')) assert.equal(image.find(path), row, text);
      }
      if (RESOURCES.some((each) => image.find(pathOf(each)) < 0)) {
        // By chance the damaged path leads to the slot of the sound one: a tenth of all do in an image of ten.
        seen.consistent++;
        continue;
      }
      assert.deepEqual([...result.classes.keys()].sort(), [...NAMES, ...INFOS].sort(), text);
      const { from } = mutation;
      // Flags, redirects that lead to the same slot, the empty string that no offset means, content.
      const harmless = (from >= 8 && from < 12) || (from >= 28 && from < redirectsEnd) || from === stringsAt;
      assert.ok(harmless || from >= indexBytes, text);
      seen.unchanged++;
    }
    assert.ok(seen.refused > 100 && seen.told > 1000, JSON.stringify(seen));
    assert.ok(seen.unseen < seen.told / 4 && seen.consistent < seen.told / 8, JSON.stringify(seen));
  });
});

describe('small images with large claims', () => {
  /** An image of so many slots that all mean one location. */
  function crowded(slots: number, locations: readonly number[], strings: Buffer): Buffer {
    const head = [0xcafedada, 0x00010000, 0, slots, slots, locations.length, strings.length];
    const integers = Buffer.alloc(4 * (head.length + 2 * slots));
    for (const [i, value] of head.entries()) integers.writeUInt32LE(value, 4 * i);
    // All redirects are seeds of the second hash, all locations the first.
    integers.fill(Buffer.of(1, 0, 0, 0), 28, 28 + 4 * slots);
    return Buffer.concat([integers, Buffer.from(locations), strings]);
  }

  async function codesOf(bytes: Buffer): Promise<Record<string, number>> {
    const image = await JImage.open(memorySource('x', bytes));
    return { ...image.problems.counts, rows: image.resources.length };
  }

  it('shared names are counted each time', async () => {
    const strings = Buffer.concat([Buffer.alloc(1), Buffer.alloc(60_000, 'a'), Buffer.alloc(1)]);
    // Module, parent and base are the string at 1.
    const counts = await codesOf(crowded(100_000, [1 << 3, 1, 2 << 3, 1, 3 << 3, 1, 0], strings));
    assert.equal(counts.rows, Math.floor((256 << 20) / 180_000));
    assert.equal(counts['jimage-location'], 100_000 - counts.rows);
  });

  it('a string of megabytes is not a name', async () => {
    const strings = Buffer.concat([Buffer.alloc(1), Buffer.alloc(4 << 20, 'a'), Buffer.alloc(1)]);
    assert.equal((await codesOf(crowded(50_000, [3 << 3, 1, 0], strings)))['jimage-location'], 50_000);
  });

  it('a location without an end is left out', async () => {
    const locations = new Array<number>(1 << 20).fill(3 << 3);
    assert.equal((await codesOf(crowded(50_000, locations, Buffer.alloc(200))))['jimage-location'], 50_000);
  });

  it('more slots than the file has room for are rejected before memory is allocated', async () => {
    for (const at of [16, 20, 24]) {
      const bytes = crowded(10, [0], Buffer.alloc(1));
      bytes.writeUInt32LE(0xffffffff, at);
      await assert.rejects(JImage.open(memorySource('x', bytes)), FormatError);
    }
  });
});

describe('compressed resources', () => {
  const text = classFile('a class with much of the same, the same, the same, the same');
  const packed = deflateSync(text);
  const strings = writeJImage(RESOURCES, true, ['zip', 'compact-cp', 'lzma']).strings;
  const zip = strings.get('zip') ?? 0;

  async function unpacked(content: Buffer, size = text.length): Promise<Loaded> {
    const resources = RESOURCES.map((each, i) => (i === 0 ? { ...each, content, unpacked: size } : each));
    return loaded(writeJImage(resources, true, ['zip', 'compact-cp', 'lzma']).bytes);
  }

  it('zip, once and twice', async () => {
    const once = layer(packed, text.length, zip);
    const twice = layer(deflateSync(once), once.length, zip);
    for (const content of [once, twice]) {
      const { classes, problems } = await unpacked(content);
      assert.deepEqual(problems, []);
      assert.equal(classes.get('java.lang.Object'), text.toString('latin1'));
    }
  });

  it('resources with wrong sizes, or that cannot be unpacked, are reported and left out', async () => {
    let deep = layer(packed, text.length, zip);
    for (let i = 0; i < 5; i++) deep = layer(deflateSync(deep), deep.length, zip);
    const wrong: readonly [Buffer, number, RegExp][] = [
      [
        layer(packed, text.length - 1, zip),
        text.length,
        /larger than|Cannot create|layer expands to \d+ bytes, expected/,
      ],
      [layer(packed, text.length + 1, zip), text.length, /layer expands to \d+ bytes, expected/],
      [layer(packed, text.length, zip), text.length + 1, /it expands to \d+ bytes, expected/],
      [layer(packed, 2 ** 40, zip), text.length, /the limit is/],
      [layer(packed.subarray(0, -6), text.length, zip), text.length, /cannot be inflated: unexpected end/],
      [layer(packed, text.length, strings.get('lzma') ?? 0), text.length, /unsupported compression lzma/],
      [layer(packed, text.length, 1e6), text.length, /refers to string 1000000, beyond/],
      [text, text.length, /compression header is missing/],
      [deep, text.length, /more than 4 layers/],
      [layer(deflateSync(Buffer.alloc(50 << 20)), 50 << 20, zip), text.length, /expands to/],
      [layer(text, text.length, strings.get('compact-cp') ?? 0), text.length, /unknown tag|truncated|expands to/],
    ];
    for (const [content, size, reason] of wrong) {
      const { classes, problems } = await unpacked(content, size);
      assert.equal(classes.has('java.lang.Object'), false, String(reason));
      assert.equal(problems.length, 1, String(reason));
      assert.match(problems[0].message, reason);
      assert.ok((problems[0].offset ?? 0) > 28);
      assert.equal(classes.size, NAMES.length + INFOS.length - 1);
    }
  });

  describe('compact-cp', () => {
    // A class with a string of its own, one of the image, a long, and a descriptor whose class names are of the image.
    const words = [
      'java/lang/Object',
      '(IL;[L;)L;',
      'java/lang',
      'String',
      'p/q',
      'Größe',
      '',
      'Unnamed',
      'compact-cp',
    ];
    const utf8 = (text: string): Buffer => {
      const bytes = Buffer.from(text);
      return Buffer.concat([Buffer.from([1, bytes.length >> 8, bytes.length & 255]), bytes]);
    };
    const head = Buffer.from('cafebabe0000003d0006', 'hex');
    const long = Buffer.from('050102030405060708', 'hex');
    const rest = Buffer.from('0021000100020000', 'hex');
    const descriptor = '(ILjava/lang/String;[Lp/q/Größe;)LUnnamed;';
    const whole = Buffer.concat([head, utf8('own'), utf8('java/lang/Object'), long, utf8(descriptor), rest]);

    /** A number as the JDK packs it: in two bytes, three, or four. */
    function packedNumber(value: number, bytes: number): Buffer {
      const packed = Buffer.alloc(4);
      packed.writeUInt32BE(value);
      if (bytes < 4) packed[4 - bytes] |= 0x80 | (bytes << 5);
      return packed.subarray(4 - bytes);
    }

    function image(change: (packed: Buffer) => Buffer, size = whole.length): Buffer {
      const { strings } = writeJImage(RESOURCES, true, words);
      const at = (word: string, bytes = 2): Buffer => packedNumber(strings.get(word) ?? -1, bytes);
      const names = [at('java/lang'), at('String', 3), at('p/q'), at('Größe', 4), at(''), at('Unnamed')];
      const flow = Buffer.concat(names);
      const shared = Buffer.concat([Buffer.of(25), at('(IL;[L;)L;'), packedNumber(flow.length, 1), flow]);
      const pool = [head, utf8('own'), Buffer.of(23), at('java/lang/Object', 4), long, shared];
      const content = layer(change(Buffer.concat([...pool, rest])), size, strings.get('compact-cp') ?? 0);
      const resources = RESOURCES.map((each, i) => (i === 0 ? { ...each, content, unpacked: whole.length } : each));
      return writeJImage(resources, true, words).bytes;
    }

    it('strings and class names of the image are restored', async () => {
      const { classes, problems } = await loaded(image((packed) => packed));
      assert.deepEqual(problems, []);
      assert.equal(classes.get('java.lang.Object'), whole.toString('latin1'));
    });

    it('damage at every byte is reported, or gives as many bytes as the image says', async () => {
      let packedLength = 0;
      image((packed) => {
        packedLength = packed.length;
        return packed;
      });
      const places = Int32Array.from({ length: packedLength }, (_, i) => i);
      let told = 0;
      for (let i = 0; i < places.length * A_PLACE; i++) {
        const damaged = image((packed) => Buffer.from(applyMutation(packed, systematicMutation(packed, places, i))));
        const { classes, problems } = await loaded(damaged);
        const content = classes.get('java.lang.Object');
        assert.equal(problems.length, content === undefined ? 1 : 0);
        assert.equal(content?.length ?? whole.length, whole.length);
        told += problems.length;
      }
      assert.ok(told > places.length, String(told));
    });

    it('more or fewer bytes than the image says are rejected', async () => {
      for (const size of [whole.length - 1, whole.length + 1, 2 ** 30]) {
        const { classes, problems } = await loaded(image((packed) => packed, size));
        assert.deepEqual([classes.has('java.lang.Object'), problems.length], [false, 1]);
        assert.match(problems[0].message, /compact-cp layer/);
      }
    });
  });
});
