/** Asks every question of a recording by command: each gives an answer or a reason, never nothing and never an error of the program. */
import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { runCommand } from '../../cli/testing/run-command.js';

/** By question: `answer`, or the reason on standard error. */
export type Answers = Readonly<Record<string, string>>;

const QUESTIONS: readonly (readonly string[])[] = [
  ['summary'],
  ['check'],
  ['functions'],
  ['functions', '--by', 'line'],
  ['tree'],
  ['threads'],
  ['events'],
  ['timeline'],
];

/** `method`: a function that the recording has; `folder`: for the written page. */
export async function answersOf(path: string, method: string, folder: string): Promise<Answers> {
  const answers: Record<string, string> = {};
  const page = join(folder, 'page.html');
  const questions = [
    ...QUESTIONS.map(([name = '', ...options]) => [name, path, ...options]),
    ['callers', path, method],
    ['diff', path, path],
    ['flame', path, '-o', page],
  ];
  for (const words of questions) {
    const { status, stdout, stderr } = await runCommand(words, { env: {} });
    const name = [
      words[0],
      ...words.slice(2).filter((word) => word !== path && word !== page && word !== method && word !== '-o'),
    ].join(' ');
    const isAnswer = stdout.trim() !== '' || (words[0] === 'flame' && status === 0);
    const reason = stderr.split('\n')[0]?.replaceAll(path, 'FILE') ?? '';
    answers[name] = isAnswer && status <= 1 ? 'answer' : reason;
  }
  return answers;
}

/** All questions are answered but these, which have reasons. */
export function allAnswered(answers: Answers, reasons: Answers = {}): void {
  deepEqual(Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== 'answer')), reasons);
}
