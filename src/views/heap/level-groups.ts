/** Rows of a class histogram: classes, or groups of them. */
import type { ClassLevel, ClassLevels } from '../../analysis/heap/class-levels.js';
import { hasSizes } from '../../analysis/heap/object-sizes.js';
import { MissingError } from '../../base/errors.js';
import { CLASS_OBJECTS } from '../../models/heap/heap.js';
import type { ClassId } from '../../models/program/program.js';
import type { ViewInput } from '../question.js';
import { addressText } from './choice.js';
import { levelName } from './classes.js';
import { packageOf } from './groups.js';

/** Classes of the levels, with a name for each; `class`: -1 for groups. Largest first. */
export type NamedLevel = ClassLevel & { readonly name: string };

/** The wanted classes one by one, or their sums by package or loader. */
export function levelRows(
  input: ViewInput,
  { classes }: ClassLevels,
  isChosen: (id: ClassId) => boolean,
  by: 'class' | 'package' | 'loader',
): readonly NamedLevel[] {
  const { program } = input.recording;
  const name = (id: ClassId): string => levelName(program, id);
  const chosenLevels = classes.filter((level) => isChosen(level.class));
  if (by === 'class') return chosenLevels.map((level) => ({ ...level, name: name(level.class) }));
  if (by === 'loader') return sums(loaderLevels(input, isChosen));
  // All class objects are of one class.
  const packageName = (id: ClassId): string => (id === CLASS_OBJECTS ? 'java.lang' : packageOf(name(id)));
  return sums(chosenLevels.map((level) => ({ ...level, name: packageName(level.class) })));
}

/** By class and loader: names of loaders would need the objects, so they are named by address. */
function loaderLevels({ heap, recording }: ViewInput, isChosen: (id: ClassId) => boolean): NamedLevel[] {
  if (heap === undefined)
    throw new MissingError(`${recording.name} has no class loaders`, {
      code: 'no-class-loaders',
      advice: 'Heap dumps have them; class histograms do not.',
    });
  const { classes, sizes } = heap;
  const levels: NamedLevel[] = [];
  for (let row = 0; row < classes.length; row++) {
    if (classes.objects[row] === 0 || !isChosen(classes.class[row])) continue;
    const loader = classes.loader[row];
    const name =
      loader === 0 ? '<boot loader>' : loader < 0 ? '<unknown loader>' : addressText(heap.recorded ?? {}, loader);
    levels.push({
      class: -1,
      objects: classes.objects[row],
      bytes: hasSizes(sizes) ? sizes.bytes[row] : null,
      elements: null,
      name,
    });
  }
  return levels;
}

function sums(levels: readonly NamedLevel[]): NamedLevel[] {
  const groups = new Map<string, { objects: number; bytes: number | null }>();
  for (const { name, objects, bytes } of levels) {
    const group = groups.get(name) ?? { objects: 0, bytes: bytes === null ? null : 0 };
    group.objects += objects;
    if (bytes !== null) group.bytes = (group.bytes ?? 0) + bytes;
    groups.set(name, group);
  }
  return [...groups]
    .map(([name, group]) => ({ ...group, name, class: -1, elements: null }))
    .sort((a, b) => (b.bytes ?? b.objects) - (a.bytes ?? a.objects));
}
