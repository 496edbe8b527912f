/** Java programs under perf: the JVM keeps frame pointers, and writes down at its end where its compiled code was. */
import { basename } from 'node:path';
import type { NativeOptions } from '../options.js';

/** The last one since JDK 17; earlier JVMs ignore it. */
const OPTIONS = [
  '-XX:+IgnoreUnrecognizedVMOptions',
  '-XX:+PreserveFramePointer',
  '-XX:+UnlockDiagnosticVMOptions',
  '-XX:+DumpPerfMapAtExit',
];

/** The command with the options, if it starts a JVM and Java stacks are wanted. */
export function withPerfMap(
  command: readonly string[],
  { java = 'on', javaOptions }: Pick<NativeOptions, 'java' | 'javaOptions'>,
): { readonly command: readonly string[]; readonly isJava: boolean } {
  const [program = '', ...words] = command;
  if (basename(program) !== 'java' || java === 'off') return { command, isJava: false };
  const jvmWords = (javaOptions ?? '').split(/\s+/).filter((word) => word !== '');
  const launcher = java === 'on' ? program : `${java}/bin/java`;
  return { command: [launcher, ...OPTIONS, ...jvmWords, ...words], isJava: true };
}
