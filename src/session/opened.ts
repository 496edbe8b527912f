/** Recordings that are in memory, opened with the check of their format. */
import { checkedProblems } from '../analysis/checked.js';
import type { Problems } from '../base/problems.js';
import { FORMATS } from '../formats/registry.js';
import { type OpenRecording, openedRecording } from '../models/open-recording.js';
import type { Recording } from '../models/recording.js';

/** An open recording without a source. */
export function inMemory(recording: Recording): OpenRecording {
  const check = checkOf(recording);
  return openedRecording(recording, check && { check });
}

/** Problems found while reading, and those found by the check. */
export function allProblems(recording: Recording): Problems {
  return checkedProblems(recording, checkOf(recording));
}

function checkOf(recording: Recording): OpenRecording['check'] {
  return FORMATS.find((format) => format.id === recording.format)?.check;
}
