/** The commands of the guide of gprofng, by the data that an experiment must have for them. */

/** A name for the table, and the words. */
export type NamedCommand = readonly [name: string, ...words: string[]];

const ALL_METRICS = 'e.%totalcpu:i.%totalcpu:size:address:name';

/** For every experiment. */
const COMMON: readonly NamedCommand[] = [
  ['functions', '-functions'],
  ['functions-all-columns', '-metrics', ALL_METRICS, '-sort', 'e.totalcpu', '-functions'],
  ['functions-by-name', '-sort', 'name', '-functions'],
  ['functions-limit', '-limit', '5', '-functions'],
  ['functions-machine', '-viewmode', 'machine', '-functions'],
  ['functions-expert', '-viewmode', 'expert', '-functions'],
  ['functions-short-soname', '-name', 'short:soname', '-functions'],
  ['functions-mangled', '-name', 'mangled', '-functions'],
  ['functions-long-nosoname', '-name', 'long:nosoname', '-functions'],
  ['metrics-name-first', '-metrics', 'name:i.%totalcpu:e.%totalcpu', '-limit', '10', '-functions'],
  ['metrics-without-name', '-metrics', 'i.totalcpu:e.%totalcpu', '-functions'],
  ['metrics-any', '-metrics', 'any', '-limit', '10', '-functions'],
  ['metrics-default', '-metrics', 'default', '-functions'],
  ['callers-callees', '-callers-callees'],
  ['calltree', '-calltree'],
  ['calltree-machine', '-viewmode', 'machine', '-calltree'],
  ['calltree-expert', '-viewmode', 'expert', '-limit', '50', '-calltree'],
  ['lines', '-lines'],
  ['pcs', '-pcs'],
  ['fsummary', '-fsummary'],
  ['lsummary', '-limit', '8', '-lsummary'],
  ['psummary', '-limit', '8', '-psummary'],
  ['objects', '-objects'],
  ['object_list', '-object_list'],
  ['object_hide', '-object_hide', 'libc.so.6', '-functions'],
  ['object_api', '-object_api', 'libc.so.6', '-functions', '-calltree'],
  ['object_select', '-object_select', 'libc.so.6', '-functions'],
  ['header', '-header'],
  ['header-all', '-header', 'all'],
  ['overview', '-overview'],
  ['statistics', '-statistics'],
  ['statistics-all', '-statistics', 'all'],
  ['sample_list', '-sample_list'],
  ['sample_detail', '-sample_detail', 'all'],
  ['thread_list', '-thread_list'],
  ['lwp_list', '-lwp_list'],
  ['cpu_list', '-cpu_list'],
  ['experiment_list', '-experiment_list'],
  ['metric_list', '-metric_list'],
  ['cmetric_list', '-cmetric_list'],
  ['indxobj_list', '-indxobj_list'],
  ['threads', '-threads'],
  ['cpus', '-cpus'],
  ['samples', '-samples'],
  ['seconds', '-seconds'],
  ['processes', '-processes'],
  ['experiment_ids', '-experiment_ids'],
  ['indxobj_define', '-indxobj_define', 'Tenths', '(TSTAMP/100000000)', '-indxobj_list', '-tenths'],
  ['describe', '-describe'],
  ['printmode-comma', '-printmode', ',', '-functions'],
  ['printmode-html', '-printmode', 'html', '-limit', '8', '-functions'],
  ['thread_select', '-thread_select', '2', '-functions'],
  ['cpu_select', '-cpu_select', '0', '-functions'],
  ['sample_select', '-sample_select', '2-4', '-functions'],
  ['filter-thread', '-filters', 'THRID==1', '-functions'],
  ['filter-time', '-filters', 'TSTAMP>=2000000000 && TSTAMP<9000000000', '-functions'],
  ['dump-dmap', '-dmap'],
  ['dump-dstacks', '-dstacks'],
  ['dunkpc', '-dunkpc'],
  ['procstats', '-procstats'],
  ['duration', '-duration'],
  ['datasize', '-datasize'],
];

/** By the name of the data in the log. */
const BY_DATA: Readonly<Record<string, readonly NamedCommand[]>> = {
  profile: [['dump-dprofile', '-dprofile']],
  synctrace: [
    ['dump-dsync', '-dsync'],
    ['functions-sync', '-metrics', 'e.sync:e.syncn:i.sync:i.syncn:name', '-sort', 'i.sync', '-functions'],
    ['callers-callees-sync', '-metrics', 'i.sync:i.syncn:name', '-callers-callees'],
    ['filter-long-wait', '-filters', 'EVT_TIME>10000000', '-functions'],
  ],
  heaptrace: [
    ['leaks', '-leaks'],
    ['allocs', '-allocs'],
    ['heap', '-heap'],
    ['heapstat', '-heapstat'],
    ['dump-dheap', '-dheap'],
    [
      'functions-heap',
      ...['-metrics', 'e.heapallocbytes:e.heapalloccnt:i.heapleakbytes:i.heapleakcnt:name'],
      ...['-sort', 'i.heapleakbytes', '-functions'],
    ],
    ['filter-leaked', '-filters', 'HLEAKED>0', '-functions'],
    ['filter-size', '-filters', 'HSIZE>=1000', '-functions'],
  ],
  iotrace: [
    ['ioactivity', '-ioactivity'],
    ['iodetail', '-iodetail'],
    ['iocallstack', '-iocallstack'],
    ['iostat', '-iostat'],
    ['dump-diotrace', '-diotrace'],
    [
      'functions-io',
      ...[
        '-metrics',
        'i.ioreadbytes:i.ioreadcnt:i.ioreadtime:i.iowritebytes:i.iowritecnt:i.ioothercnt:i.ioerrorcnt:name',
      ],
      ...['-sort', 'i.iowritebytes', '-functions'],
    ],
  ],
  jprofile: [
    ['dumpgc', '-dumpgc'],
    ['gcevents', '-gcevents'],
    ['filter-jgroup', '-filters', 'JGROUP("main")', '-functions'],
  ],
};

/** What is asked of single functions. */
const OF_FUNCTION = ['source', 'disasm', 'fsingle', 'csingle'] as const;

/** The commands for an experiment with these data; `functions`: those that are asked for one by one. */
export function commandsFor(data: readonly string[], functions: readonly string[]): NamedCommand[] {
  const single = functions.flatMap((name) =>
    OF_FUNCTION.map((command): NamedCommand => [`${command} ${name}`, `-${command}`, name, '1']),
  );
  return [...COMMON, ...data.flatMap((name) => BY_DATA[name] ?? []), ...single];
}
