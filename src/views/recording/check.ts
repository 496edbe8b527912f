/** `check`: every problem of the input, with its code, its place in the file, and whether it is an error. */
import { z } from 'zod';
import { checkedUse } from '../../analysis/checked.js';
import { NO_OPTIONS } from '../../questions/options/shared.js';
import { columnsOf, common, listed, listingShape, maybe, text } from '../listing.js';
import { defineView } from '../question.js';

const row = z.object({
  severity: text('Severity', 'error, warning or info'),
  code: text('Code', 'stable code of the problem, explained on the page of the format'),
  offset: maybe('Byte', 'none', 'offset in the (uncompressed) input'),
  path: text('Where', 'JSON path or other location'),
  message: text('Problem', 'what was found'),
});

const codeCount = z.object({ code: z.string(), severity: z.string(), count: z.number() });

export const checkView = defineView({
  name: 'check',
  version: 1,
  title: 'Check',
  options: NO_OPTIONS,
  shape: {
    ...listingShape(row),
    sound: z.boolean().describe('no error was found'),
    codes: z.array(codeCount).describe('number of problems of each code; only the first 20 of each are listed'),
  },
  needs: ({ subject }) => ({ problems: checkedUse(subject) }),
  answer: async (input, _, { problems }) => {
    const list = problems.list;
    const severity = new Map(list.map((problem) => [problem.code, problem.severity]));
    const codes = Object.entries(problems.counts).map(([code, count]) => ({
      code,
      severity: severity.get(code) ?? 'error',
      count,
    }));
    const cells = {
      severity: (i: number) => list[i].severity,
      code: (i: number) => list[i].code,
      offset: (i: number) => list[i].offset ?? null,
      path: (i: number) => list[i].path ?? '',
      message: (i: number) => list[i].message,
    };
    return {
      ...common(input),
      sound: !codes.some((code) => code.severity === 'error'),
      codes,
      ...(await listed(cells, {
        columns: columnsOf(row),
        count: list.length,
        input,
        usual: 'severity',
        orders: { severity: (i) => -RANK.indexOf(list[i].severity) },
      })),
    };
  },
});

const RANK = ['error', 'warning', 'info'];
