/** Names of C++ and Rust against `c++filt`. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { demangler } from './demangle.node.js';
import { withEmptyPacks, withReturnType } from './templates.js';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/libstdc++.so.6';

function filtered(names: readonly string[]): string[] {
  return execFileSync('c++filt', { input: `${names.join('\n')}\n`, encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

/** The function without its return type, types and spaces: `std::vector<>::push_back`. Both print these parts in ways of their own. */
function bare(name: string): string {
  let [text, depth] = ['', 0];
  for (const letter of name.replace(/operator(?:<=>|->\*|->|<<=|>>=|<<|>>|<=|>=|<|>|\(\))/g, 'operator')) {
    if (letter === '<' || letter === '(') depth++;
    else if (letter === '>' || letter === ')') depth--;
    else if (depth === 0) text += letter;
  }
  return text
    .replace(/\[abi:\w+\]/g, '')
    .replace(/\bbasic_(?=(?:i|o|io)stream|string)/g, '')
    .replace(/ const$/, '')
    .replace(/^.* (?=\S*::)/, '')
    .trim();
}

test('all functions of the C++ library have the names of c++filt', async (t) => {
  if (['c++filt', 'nm'].some((program) => spawnSync(program, ['--version']).status !== 0) || !existsSync(LIBRARY))
    return t.skip('binutils or libstdc++ are not installed');
  const text = execFileSync('nm', ['-D', '--defined-only', LIBRARY], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const names = [...text.matchAll(/^\S+ [TW] (_ZN?K?\w+)/gm)].map(([, name = '']) => name);
  const functions = names.filter((name) => !/^_ZT|^_ZGV/.test(name));
  ok(functions.length > 1000);
  const demangle = await demangler();
  const expected = filtered(functions);
  const own = functions.map(demangle);
  for (const [i, name] of own.entries()) equal(bare(name), bare(expected[i] ?? ''), functions[i]);
  // The others have `std::string` and streams, which c++filt writes out.
  const same = functions.filter((name, i) => withReturnType(name, demangle) === expected[i]).length;
  ok(same / functions.length > 0.87, `${same} of ${functions.length}`);
});

test('return types of templates, and numbers among their arguments', async (t) => {
  if (spawnSync('c++filt', ['--version']).status !== 0) return t.skip('binutils are not installed');
  const demangle = await demangler();
  const names = [
    '_ZN17G1ScanCardClosure11do_oop_workI9narrowOopEEvPT_',
    '_Z1fIiEPFvT_ES0_',
    '_Z1fIiET_S0_',
    '_ZNK1A3getISt6vectorIiSaIiEEEERKT_m',
    '_ZNK1A3getIiEESt6vectorIT_SaIS2_EEv',
    '_ZN1AIiEplIdEES_IT_EOS2_',
    '_ZN1AcvT_IiEEv',
    '_ZN1AC1IiEET_',
    '_ZN1A1fEv',
    '_ZN1AgtERKS_',
    '_Z1fIiEvv.isra.0',
    '_ZN1AILj131072EE1fEv',
    '_ZN1AILm5EE1fEv',
    '_ZN1AILln5EE1fEv',
    '_ZN1AILh5ELy7EE1fEv',
    'main',
  ];
  deepStrictEqual(
    names.map((name) => withReturnType(name, demangle)),
    filtered(names),
  );
});

test('damaged symbols have names, too', async () => {
  const demangle = await demangler();
  const letters = fc.constantFrom(...'_ZNKISTEvicPRjLX1abA9'.split(''));
  const symbols = fc.string({ unit: letters, maxLength: 60 }).map((text) => `_Z${text}`);
  fc.assert(
    fc.property(symbols, (symbol) => ok(withReturnType(symbol, demangle).endsWith(demangle(symbol)))),
    runs(5000),
  );
});

test('clones, Rust and names that are none', async (t) => {
  if (spawnSync('c++filt', ['--version']).status !== 0) return t.skip('binutils are not installed');
  const demangle = await demangler();
  const clones = [
    '_ZN3foo3barEi.isra.0',
    '_ZN3foo3barEi.part.0.cold',
    '_ZN3foo3barEi._omp_fn.1',
    '_ZN3foo3barEi.constprop.0',
  ];
  deepStrictEqual(clones.map(demangle), filtered(clones));
  // Without the hash, which differs in every build.
  equal(
    demangle('_ZN4core5slice4sort6stable14driftsort_main17h6698d67f5af420b9E'),
    'core::slice::sort::stable::driftsort_main',
  );
  equal(
    demangle('_RNvYNtNtNtNtCsjrHSEGnQ3l9_3std3sys5stdio4unix6StderrNtNtBa_2io5Write18write_all_vectoredBa_'),
    '<std::sys::stdio::unix::Stderr as std::io::Write>::write_all_vectored',
  );
  for (const name of ['main', '_Z', '_ZN4java4lang6Object8hashCodeEJivE', `_Z${'1'.repeat(70_000)}`, '_R', ''])
    equal(demangle(name), name);
});

/** Thunks, packs without arguments, references to pointers to member functions in packs. */
const UNUSUAL = [
  '_ZTv0_n32_NK3zoo3Dog5weighEi',
  '_ZThn16_N1A1fEv',
  '_ZNSt6threadC2IRFvvEJEvEEOT_DpOT0_',
  '_ZNSt5tupleIJEEC1Ev',
];
const OF_MEMBERS =
  '_ZNSt6vectorISt6threadSaIS0_EE17_M_realloc_insertIJMN3app6EngineEFvvEPS5_EEEvN9__gnu_cxx17__normal_iteratorIPS0_S2_EEDpOT_';

/** Packs of references and values, and lambdas with a parameter that is a reference. */
const REFERENCES = [
  '_ZNSt5tupleIJPFvilEilEEC1IJRS0_RilELb1ELb1EEEDpOT_',
  '_ZNSt15__new_allocatorISt6threadE9constructIS0_JRFvilERilEEEvPT_DpOT0_',
  '_ZSt8__invokeIPFvilEJilEENSt15__invoke_resultIT_JDpT0_EE4typeEOS3_DpOS4_',
  '_ZSt13__invoke_implIlZ4mainEUlRT_E0_JRlEES0_St14__invoke_otherOT0_DpOT1_',
  '_ZSt7forwardIZ4mainEUlRT_E0_EOS0_RNSt16remove_referenceIS0_E4typeE',
  '_ZNSt6thread8_InvokerISt5tupleIJPFvilEilEEE9_M_invokeIJLm0ELm1ELm2EEEEvSt12_Index_tupleIJXspT_EEE',
];

test('names of the C++ library are those of binutils, but for a few', async (t) => {
  const library = ['/usr/lib/x86_64-linux-gnu/libstdc++.so.6', '/usr/lib64/libstdc++.so.6'].find((path) =>
    existsSync(path),
  );
  if (library === undefined || spawnSync('nm', ['--version']).status !== 0)
    return t.skip('needs libstdc++ and binutils');
  const symbolsOf = (...flags: string[]): string[] =>
    spawnSync('nm', ['-D', ...flags, library], { encoding: 'utf8', maxBuffer: 1 << 28 })
      .stdout.split('\n')
      .map((line) => line.slice('0000000000000000 T '.length).replace(/@.*/, ''));
  const [symbols, names] = [symbolsOf(), symbolsOf('-C')];
  const demangle = await demangler();
  const cpp = symbols.flatMap((symbol, i) => (symbol.startsWith('_Z') ? [[symbol, names[i]] as const] : []));
  ok(cpp.length > 3000);
  const different = cpp.filter(([symbol, name]) => withReturnType(symbol, demangle) !== name);
  // Conversions to pointers to member functions, and what later versions of the library add.
  ok(different.length <= cpp.length / 500, different.map(String).join('\n'));
});

test('types of packs and lambdas are references as by c++filt', async (t) => {
  if (spawnSync('c++filt', ['--version']).status !== 0) return t.skip('binutils are not installed');
  const demangle = await demangler();
  deepStrictEqual(
    REFERENCES.map((symbol) => withReturnType(symbol, demangle)),
    filtered(REFERENCES),
  );
});

test('thunks, packs and references to members have the names of c++filt', async (t) => {
  if (spawnSync('c++filt', ['--version']).status !== 0) return t.skip('binutils are not installed');
  const demangle = withEmptyPacks(await demangler(), 'kept');
  deepStrictEqual(UNUSUAL.map(demangle), filtered(UNUSUAL));
  equal(withReturnType(OF_MEMBERS, demangle), filtered([OF_MEMBERS])[0]);
});
