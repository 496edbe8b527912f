/** Which classes provide a service, as the descriptors of modules say. */

import { addToList } from '../../base/columns/lists.js';
import { FormatError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { attributeOf } from '../../code/java/class-file/attributes.js';
import { readClassFile } from '../../code/java/class-file/class-file.js';
import { attempt } from '../../code/java/class-file/cursor.js';
import type { ClassPath } from '../../models/program/class-path.js';

export class ServiceProviders {
  readonly #providers = new Map<string, string[]>();

  /** The internal names of the classes that provide a service, by its internal name. */
  of(service: string): readonly string[] {
    return this.#providers.get(service) ?? [];
  }

  /** Reads module descriptors of a class path, by what it takes as their names. */
  async read(classes: ClassPath, moduleInfos: readonly string[], work: Work): Promise<void> {
    await classes.load(
      moduleInfos,
      (name, bytes) => {
        const file = attempt(() => readClassFile(bytes.slice(), name));
        const attribute = file instanceof FormatError ? undefined : attributeOf(file, file.pool, 'Module');
        if (attribute === undefined || attribute instanceof Error) return;
        for (const { service, providers } of attribute.module.provides)
          for (const provider of providers) addToList(this.#providers, service.text, provider.text);
      },
      work,
    );
  }
}
