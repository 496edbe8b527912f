/** Times of the clock of a machine as times of a recording. */
import { UsageError } from '../../base/errors.js';
import { phrase, theStep } from '../../base/phrase.js';
import type { Recording, RecordingClock } from '../../models/recording.js';
import type { ScopeStep } from '../../models/scope.js';

/** A date, a time of day, a zone; the date and the zone may be missing. */
const MOMENT =
  /^(?:(\d{4}-\d\d-\d\d)(?:[T ]|$))?(?:(\d\d?):(\d\d)(?::(\d\d(?:[.,]\d{1,9})?))?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i;
const DAY = 86_400_000;

interface Moment {
  /** Midnight of its date, ms since 1970 in its zone; undefined without a date. */
  readonly date: number | undefined;
  /** ms since midnight. */
  readonly ofDay: number;
  /** Its zone, ms ahead of UTC; undefined without a zone. */
  readonly zone: number | undefined;
}

/** A step by times of the clock as one by times of the recording. Throws `UsageError` for what is no time, and for recordings that do not say when they began. */
export function timeStepOf(recording: Recording, step: Extract<ScopeStep, { kind: 'clock' }>): ScopeStep {
  const clock = requireClock(recording);
  const timeOf = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : Math.max(0, nsOf(text, clock));
  const start = timeOf(step.from) ?? 0;
  const end = timeOf(step.to);
  const words = `From ${timeOfDay(clock, start)} to ${timeOfDay(clock, end ?? clock.length)}, ${zoneText(clock)}`;
  return { kind: 'time', from: start, ...(end !== undefined && { to: end }), words };
}

/** When a recording began. Throws `UsageError` if it does not say. */
export function requireClock({ clock, name }: Recording): RecordingClock {
  if (clock !== undefined) return clock;
  throw new UsageError(`${name} does not say when it began, so times of day are not known`, {
    code: 'no-clock',
    advice: phrase`Times are seconds since its start: ${theStep('time', { value: '1.5..3' })}.`,
  });
}

/** A time of a recording, ns, as a time of day in the zone of the recording, to the millisecond. */
export function timeOfDay({ start, zoneOffset = 0 }: RecordingClock, ns: number): string {
  return new Date(Math.floor(start + zoneOffset + ns / 1e6)).toISOString().slice(11, 23);
}

/** The zone of the times of day of a recording. */
export function zoneText({ zoneOffset }: RecordingClock): string {
  if (zoneOffset === undefined || zoneOffset === 0)
    return zoneOffset === undefined ? 'UTC, since its zone is unknown' : 'UTC';
  const minutes = Math.round(Math.abs(zoneOffset) / 60_000);
  const digits = (value: number): string => String(value).padStart(2, '0');
  return `UTC${zoneOffset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
}

function nsOf(text: string, clock: RecordingClock): number {
  const moment = momentIn(text);
  if (moment === undefined)
    throw new UsageError(phrase`${theStep('time')}: ${text} is no time`, {
      code: 'not-a-time',
      advice:
        'Expected seconds since the start (1.5, 5s, 200ms), a time of day (08:07:58), or a date with one (2026-11-28 08:07:58+01:00).',
    });
  const { date, ofDay, zone = clock.zoneOffset ?? 0 } = moment;
  if (date !== undefined) return Math.round((date + ofDay - zone - clock.start) * 1e6);
  const midnight = Math.floor((clock.start + zone) / DAY) * DAY - zone;
  // Of the days around it, the one on which the time is in the recording, or the closest to it.
  const distance = (ns: number): number => Math.max(-ns, ns - clock.length, 0);
  const candidates = [0, 1, -1].map((day) => Math.round((midnight + day * DAY + ofDay - clock.start) * 1e6));
  return candidates.reduce((best, ns) => (distance(ns) < distance(best) ? ns : best));
}

function momentIn(text: string): Moment | undefined {
  const [whole, date, hours, minutes, seconds = '0', zone] = MOMENT.exec(text.trim()) ?? [];
  if (whole === undefined || whole === '' || (date === undefined && hours === undefined)) return undefined;
  const [h, min, s] = [Number(hours ?? 0), Number(minutes ?? 0), Number(seconds.replace(',', '.'))];
  const midnight = date === undefined ? undefined : Date.parse(`${date}T00:00:00Z`);
  if (h > 23 || min > 59 || s >= 61 || Number.isNaN(midnight)) return undefined;
  return {
    date: midnight,
    ofDay: ((h * 60 + min) * 60 + s) * 1000,
    zone: zone === undefined ? undefined : zoneIn(zone),
  };
}

function zoneIn(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const ms = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -ms : ms;
}
