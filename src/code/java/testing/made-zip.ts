/** Archives for tests, made with Python's zipfile. */
import { spawnSync } from 'node:child_process';

const PROGRAM = `
import json, sys, zipfile
members = json.load(sys.stdin)
with zipfile.ZipFile(sys.argv[1], 'w') as z:
    for path, text, stored in members:
        z.writestr(path, bytes.fromhex(text), zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED)
`;

export type MemberContent = string | Uint8Array;

/** Writes an archive with members in this order; those that `stored` names are not deflated. */
export function makeZip(
  file: string,
  members: Readonly<Record<string, MemberContent>>,
  stored: readonly string[] = [],
): void {
  const input = Object.entries(members).map(([path, content]) => [
    path,
    Buffer.from(content).toString('hex'),
    stored.includes(path),
  ]);
  const made = spawnSync('python3', ['-c', PROGRAM, file], { input: JSON.stringify(input), encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
}
