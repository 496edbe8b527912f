/** Whether instances have the bytes of the fields of their classes. */
import { recordedBytes } from '../../../models/heap/values.js';
import type { ReadClasses } from './heap-classes.js';
import type { ScanPart } from './passes/scan-part.js';

/** Instances with more or fewer bytes than their fields: at least so many, of so many classes. */
export function wrongLengths(
  { instances, lengths, others }: ScanPart,
  read: ReadClasses,
  idSize: number,
): { readonly instances: number; readonly classes: number } {
  const wrong = { instances: 0, classes: 0 };
  lengths.forEach((bytes, number) => {
    const row = read.ofInstances[number];
    if (bytes < 0 || row < 0) return;
    const expected = fieldBytes(read, row, idSize);
    if (expected < 0) return;
    const count = bytes === expected ? others[number] : instances[number] - others[number];
    if (count > 0) wrong.classes++;
    wrong.instances += count;
  });
  return wrong;
}

/** Bytes of the values of an instance; -1 if a class has no class dump. */
function fieldBytes({ classes, hasFields }: ReadClasses, row: number, idSize: number): number {
  const { fieldFirst, fieldType, parent } = classes;
  let bytes = 0;
  for (let at = row; at >= 0; at = parent[at]) {
    if (hasFields[at] === 0) return -1;
    for (let i = fieldFirst[at]; i < fieldFirst[at + 1]; i++) bytes += recordedBytes(fieldType[i], idSize);
  }
  return bytes;
}
