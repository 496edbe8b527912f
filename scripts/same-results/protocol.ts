/** What passes between the comparison and the driver of each checkout, one request at a time. */
import { z } from 'zod';

/** One command line to run. */
export const Job = z.strictObject({
  words: z.array(z.string()),
  /** As on a terminal that shows colours. */
  colour: z.boolean().optional(),
  /** In a process of its own, as a shell starts it, reading this file; null for no input. */
  input: z.string().nullable().optional(),
});
export type Job = z.infer<typeof Job>;

export const Request = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('describe') }),
  z.strictObject({ kind: z.literal('run'), job: Job }),
  z.strictObject({ kind: z.literal('part'), name: z.string() }),
]);
export type Request = z.infer<typeof Request>;

/** A command as the program defines it. */
const CommandDefinition = z.strictObject({
  /** `pgo hot`; empty for the program itself. */
  path: z.string(),
  hasCommands: z.boolean(),
  options: z.array(z.strictObject({ flag: z.string(), choices: z.array(z.string()) })),
  examples: z.array(z.string()),
});
export type CommandDefinition = z.infer<typeof CommandDefinition>;
export const Description = z.array(CommandDefinition);

/**
 * What a command left behind: for `stdout`, `stderr` and each `file NAME` a hash; for `exit code` and `mode of NAME` the
 * text itself.
 */
export const Outcome = z.record(z.string(), z.string());
export type Outcome = z.infer<typeof Outcome>;

/** A part in base64, null if the last job has no part of that name. */
export const Part = z.string().nullable();

/** The exit code of a fault in Kansoku itself. */
export const FAULT = '70';

/** Whether an outcome holds the part itself rather than its hash. */
export function isPlain(part: string): boolean {
  return part === 'exit code' || part.startsWith('mode of ');
}
