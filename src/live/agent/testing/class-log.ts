/** Names of loaded classes, as the VM logs them and as the document's tracer prints them. */

/** Names in a log of the VM: classes at an address (`$$Lambda/0x…`) have a dot in JVMTI where the log has a slash. */
export function logged(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => / (\S+) source: /.exec(line)?.[1]?.replace('/', '.') ?? [])
    .sort();
}

export function traced(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => /^Class Load : (.*)$/.exec(line)?.[1] ?? [])
    .sort();
}
