/** Stages that load the classes with the places of a profile. */
import type { Work } from '../../base/progress.js';
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { ClassPath } from '../../models/program/class-path.js';
import { requireProfile, scopedUse } from '../scope/scoped.js';
import { classesOfReceivers, type ReceiverKind } from './placed-receivers.js';
import { classesOfSites, type ProfiledClasses, type SiteKind } from './sites.js';

/** A stage that loads the classes needed for sites of one kind. */
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

/** The classes of a path that declare methods with events of a kind; no use if there is no path. */
export function siteClassesUse(
  subject: Subject,
  classes: ClassPath | undefined,
  kind: SiteKind,
): StageUse<ClassSet> | undefined {
  return classes && use(siteClassesStage, [subject], { classes, kind });
}

/** The classes with the calls or checks, the receiver classes, and all their superclasses and interfaces. */
export function receiverClassesUse(
  subject: Subject,
  classes: ClassPath | undefined,
  kind: ReceiverKind,
): StageUse<ClassSet> | undefined {
  return classes && use(receiverClassesStage, [subject], { classes, kind });
}
