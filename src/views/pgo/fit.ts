/** How much of a profile is in the code: sites without a finding and their weight; the other sites by reason. */
import { z } from 'zod';
import type { ProfileFit } from '../../analysis/places/fit.js';
import { FINDING_REASONS } from '../../analysis/places/method-code.js';
import { type Note, note } from '../../base/note.js';
import { formatCount, formatValue, plural } from '../../base/units.js';

export const FIT = z
  .object({
    sites: z.number(),
    fitting: z.number().describe('sites that the code has'),
    weight: z.number().describe('events at all sites'),
    fitting_weight: z.number().describe('events at sites that the code has'),
    findings: z.array(
      z.object({
        reason: z.enum(FINDING_REASONS),
        sites: z.number(),
        weight: z.number(),
        example: z.string(),
      }),
    ),
  })
  .nullable()
  .describe('how much of the profile fits the code; null without classes');

/** Notes on sites that do not fit the code shown; none if all fit. */
export function strayNotes({ sites, fitting, weight, fitting_weight, findings }: ProfileFit, where: string): Note[] {
  if (fitting === sites) return [];
  const share = weight === 0 ? '' : `, ${formatValue(fitting_weight / weight, 'ratio')} of the counts`;
  const others = findings.map(
    (finding) => `${finding.reason} ${formatCount(finding.sites)} with ${formatCount(finding.weight)}`,
  );
  const [first] = findings;
  const example = first === undefined ? '' : ` (${first.example})`;
  return [
    note('fit', `The code has ${formatCount(fitting)} of ${plural(sites, 'site')}${share}.`),
    note('stray-sites', `The other sites ${where}: ${others.join(', ')}${example}.`),
  ];
}

/** Notes on how much of the profile fits. */
export function fitNotes({ sites, fitting, weight, fitting_weight, findings }: ProfileFit): Note[] {
  if (fitting === sites) return [note('fit', `The code has all ${plural(sites, 'site')}.`)];
  const share = weight === 0 ? '' : `, ${formatValue(fitting_weight / weight, 'ratio')} of the counts`;
  const others = findings.map((finding) => `${finding.reason} ${formatCount(finding.sites)}`).join(', ');
  return [
    note('fit', `The code has ${formatCount(fitting)} of ${plural(sites, 'site')}${share}.`),
    note('stray-sites', `Sites that do not fit (column Finding): ${others}.`, { about: { column: 'finding' } }),
  ];
}
