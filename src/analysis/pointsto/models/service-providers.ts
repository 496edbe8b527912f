/** Which classes provide a service, as the descriptors of modules and the files in `META-INF/services` say. */

import { addToList } from '../../../base/columns/lists.js';
import { FormatError } from '../../../base/errors.js';
import type { Work } from '../../../base/progress.js';
import { decodeUtf8 } from '../../../base/text.js';
import { attributeOf } from '../../../code/java/class-file/attributes.js';
import { readClassFile } from '../../../code/java/class-file/class-file.js';
import { attempt } from '../../../code/java/class-file/cursor.js';
import { internalName } from '../../../code/java/class-file/descriptor.js';
import type { JoinedClassPath } from '../../../code/java/class-path/joined-class-path.js';

/** `META-INF/services/SERVICE`, also of classes in a folder of an archive. */
const SERVICE_FILE = /(?:^|\/)META-INF\/services\/([^/]+)$/;

export class ServiceProviders {
  readonly #providers = new Map<string, string[]>();

  /** The internal names of the classes that provide a service, by its internal name. */
  of(service: string): readonly string[] {
    return this.#providers.get(service) ?? [];
  }

  async read(classes: JoinedClassPath, work: Work): Promise<void> {
    await classes.files(SERVICE_FILE, (path, bytes) => this.#addFile(path, bytes), work);
    await classes.load(
      classes.moduleInfos,
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

  /** A line names a class (`ServiceLoader`); what follows a `#` is a comment. */
  #addFile(path: string, bytes: Uint8Array): void {
    const service = internalName(SERVICE_FILE.exec(path)?.[1] ?? '');
    for (const line of decodeUtf8(bytes, 0, bytes.length).split(/[\r\n]+/)) {
      const provider = line.replace(/#.*/, '').trim();
      if (provider !== '') addToList(this.#providers, service, internalName(provider));
    }
  }
}
