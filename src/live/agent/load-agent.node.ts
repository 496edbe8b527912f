/** Loads the module of an agent, in TypeScript or JavaScript. */
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../base/errors.js';
import type { AgentModule } from '../jvmpi/interface.js';
import { importModule, liveModule } from './modules.node.js';
import type { HookData } from './ts-hooks.node.js';

let registered = false;

function registerHooks(): void {
  if (registered) return;
  registered = true;
  const data: HookData = { jvmpi: liveModule('jvmpi/index.js').href };
  register(liveModule('agent/ts-hooks.node.js'), { data });
}

/** `AGENT[:OPTIONS]` in parts: the file ends at the first colon behind which there is no file with this name. */
export function splitAgent(words: string): { readonly file: string; readonly options: string } {
  const at = words.indexOf(':');
  return at < 0 || existsSync(words)
    ? { file: words, options: '' }
    : { file: words.slice(0, at), options: words.slice(at + 1) };
}

/** Whether a module exports `JVM_OnLoad`. */
function isAgent(module: object): module is AgentModule {
  return 'JVM_OnLoad' in module && typeof module.JVM_OnLoad === 'function';
}

/** Throws UsageError if the file is missing, is no agent, or throws itself. */
export async function loadAgent(file: string): Promise<AgentModule> {
  if (!existsSync(file)) throw new UsageError(`${file}: there is no such agent`);
  registerHooks();
  let module: object;
  try {
    module = await importModule(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new UsageError(`${file}: the agent cannot be loaded: ${error instanceof Error ? error.message : error}`);
  }
  if (isAgent(module)) return module;
  throw new UsageError(`${file}: an agent exports JVM_OnLoad(jvm, options), this file does not`);
}
