/** heap=sites, and what heap=dump knows of where objects were made. */
import type { AgentSetup } from 'kansoku/jvmpi';
import type { Site } from './output.ts';
import type { Profile, Trace } from './profile.ts';

export class Allocations {
  readonly #profile: Profile;
  readonly #sites = new Map<string, Site>();
  readonly #objects = new Map<number, { readonly site: Site; readonly size: number }>();

  constructor(profile: Profile, { on }: AgentSetup) {
    this.#profile = profile;
    on(
      'OBJECT_ALLOC',
      ({ class_id, is_array, size, obj_id }, { env_id, moment }) => {
        const site = this.#site(class_id, is_array, profile.trace(env_id, moment?.trace ?? []));
        site.liveBytes += size;
        site.liveObjects++;
        site.bytes += size;
        site.objects++;
        this.#objects.set(obj_id, { site, size });
      },
      { trace: profile.options.depth },
    );
    on('OBJECT_FREE', ({ obj_id }) => {
      profile.forget(obj_id);
      const object = this.#objects.get(obj_id);
      this.#objects.delete(obj_id);
      if (object === undefined) return;
      object.site.liveBytes -= object.size;
      object.site.liveObjects--;
    });
  }

  #site(classId: number, array: number, trace: Trace): Site {
    const key = `${trace.serial} ${array} ${classId}`;
    let site = this.#sites.get(key);
    if (site === undefined) {
      const type = this.#profile.typeName(classId, array);
      site = { type, classId, array, trace, liveBytes: 0, liveObjects: 0, bytes: 0, objects: 0 };
      this.#sites.set(key, site);
    }
    return site;
  }

  get sites(): readonly Site[] {
    return [...this.#sites.values()];
  }

  /** Where an object was made, and its size; undefined if it was not seen. */
  of(object: number): { readonly trace: Trace; readonly size: number } | undefined {
    const found = this.#objects.get(object);
    return found && { trace: found.site.trace, size: found.size };
  }
}
