/** The classes that the places of a profile are in, as stages. */
import type { Work } from '../../base/progress.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { type Stage, type Subject, type Use, use } from '../../models/open-recording.js';
import type { ClassPath } from '../../models/program/class-path.js';
import { requireProfile, scopedUse } from '../scope/scoped.js';
import { classesOfReceivers, type ReceiverKind } from './placed-receivers.js';
import { classesOfSites, type ProfiledClasses, type SiteKind } from './sites.js';

/** A stage that loads what the sites of one kind need of a class path. */
function classesStage<Kind>(
  name: string,
  nameOf: (kind: Kind) => string,
  load: (profiled: ProfiledClasses, kind: Kind, work: Work) => Promise<ClassSet>,
): Stage<ClassSet, { readonly classes: ClassPath; readonly kind: Kind }> {
  return {
    name,
    version: 1,
    key: ({ classes, kind }) => `${classes.id} ${nameOf(kind)}`,
    needs: ([subject]) => [scopedUse(subject)],
    run: async ([subject], { classes, kind }, get, work) => {
      const scoped = await get(scopedUse(subject));
      return load({ profile: requireProfile(scoped), program: scoped.recording.program, classes }, kind, work);
    },
    bytes: ({ bytes }) => bytes,
  };
}

const siteClassesStage = classesStage('classes of places', ({ kind }: SiteKind) => kind, classesOfSites);
const receiverClassesStage = classesStage('classes of receivers', (kind: ReceiverKind) => kind, classesOfReceivers);

/** The classes of a path that declare the methods with events of a kind; no use where there is no path. */
export function siteClassesUse(
  subject: Subject,
  classes: ClassPath | undefined,
  kind: SiteKind,
): Use<ClassSet> | undefined {
  return classes && use(siteClassesStage, [subject], { classes, kind });
}

/** The classes with the calls or checks, those that were met, and all that these inherit from. */
export function receiverClassesUse(
  subject: Subject,
  classes: ClassPath | undefined,
  kind: ReceiverKind,
): Use<ClassSet> | undefined {
  return classes && use(receiverClassesStage, [subject], { classes, kind });
}
