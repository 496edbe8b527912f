/** Dates of binary files, in UTC: the file does not have the zone. */

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** As C's ctime() spells it, `Sat Nov 21 01:42:25 2026`; empty for milliseconds that are no time of a four-digit year. */
export function ctime(milliseconds: number): string {
  const date = dateOf(milliseconds);
  if (date === undefined) return '';
  const time = date.toISOString().slice(11, 19);
  const day = String(date.getUTCDate()).padStart(2);
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} ${date.getUTCFullYear()}`;
}

/** `2026-11-21 01:42:25 UTC`; undefined likewise. */
export function isoDate(milliseconds: number): string | undefined {
  return dateOf(milliseconds)?.toISOString().slice(0, 19).replace('T', ' ').concat(' UTC');
}

function dateOf(milliseconds: number): Date | undefined {
  return milliseconds >= 0 && milliseconds < 253_402_300_800_000 ? new Date(Math.floor(milliseconds)) : undefined;
}
