/** Sessions of drawn profiles, to ask views as front ends do. */
import { ProblemLog } from '../../base/problems.js';
import { type Session, sessionOf } from '../../session/session.js';
import type { Picture } from './picture.js';

/** A session with one recording a picture: `picture 1`, `picture 2` … */
export function picturedSession(...pictures: readonly Picture[]): Session {
  return sessionOf(
    pictures.map(({ program, profile }, i) => ({
      name: `picture ${i + 1}`,
      format: 'picture',
      metadata: [],
      sections: [],
      program,
      profile,
      problems: new ProblemLog().finish(),
      complete: true,
      residue: undefined,
    })),
  );
}
