/** The classes that the places of a profile are in, as stages. */
import type { ClassSet } from '../../code/java/class-path/class-set.js';
import { type Stage, type Subject, type Use, use } from '../../models/open-recording.js';
import type { ClassPath } from '../../models/program/class-path.js';
import { requireProfile, scopedUse } from '../scope/scoped.js';
import { classesOfReceivers, type ReceiverKind } from './placed-receivers.js';
import { classesOfSites, type SiteKind } from './sites.js';

const siteClassesStage: Stage<ClassSet, { readonly classes: ClassPath; readonly kind: SiteKind }> = {
  name: 'classes of places',
  version: 1,
  key: ({ classes, kind }) => `${classes.id} ${kind.kind}`,
  needs: ([subject]) => [scopedUse(subject)],
  run: async ([subject], { classes, kind }, get, work) => {
    const scoped = await get(scopedUse(subject));
    const profiled = { profile: requireProfile(scoped), program: scoped.recording.program, classes };
    return classesOfSites(profiled, kind, work);
  },
  bytes: ({ bytes }) => bytes,
};

/** The classes of a path that declare the methods with events of a kind; no use where there is no path. */
export function siteClassesUse(
  subject: Subject,
  classes: ClassPath | undefined,
  kind: SiteKind,
): Use<ClassSet> | undefined {
  return classes && use(siteClassesStage, [subject], { classes, kind });
}

const receiverClassesStage: Stage<ClassSet, { readonly classes: ClassPath; readonly kind: ReceiverKind }> = {
  name: 'classes of receivers',
  version: 1,
  key: ({ classes, kind }) => `${classes.id} ${kind}`,
  needs: ([subject]) => [scopedUse(subject)],
  run: async ([subject], { classes, kind }, get, work) => {
    const scoped = await get(scopedUse(subject));
    const profiled = { profile: requireProfile(scoped), program: scoped.recording.program, classes };
    return classesOfReceivers(profiled, kind, work);
  },
  bytes: ({ bytes }) => bytes,
};

/** The classes with the calls or checks, those that were met, and all that these inherit from. */
export function receiverClassesUse(
  subject: Subject,
  classes: ClassPath | undefined,
  kind: ReceiverKind,
): Use<ClassSet> | undefined {
  return classes && use(receiverClassesStage, [subject], { classes, kind });
}
