/** Words of gprofng for numbers in packets. */
export const MICROSTATES = [
  'USER',
  'SYSTEM',
  'TRAP',
  'TFAULT',
  'DFAULT',
  'KFAULT',
  'USER_LOCK',
  'SLEEP',
  'WAIT_CPU',
  'STOP',
  'LINUX_CPU',
  'KERNEL_CPU',
] as const;
