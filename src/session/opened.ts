/** Recordings that are in memory, opened with the check of their format. */
import { checkedProblems } from '../analysis/checked.js';
import type { Problems } from '../base/problems.js';
import { FORMATS } from '../formats/registry.js';
import { type OpenRecording, openedRecording } from '../models/open-recording.js';
import type { Recording } from '../models/recording.js';

/** A recording of no source, opened. */
export function inMemory(recording: Recording): OpenRecording {
  const check = checkOf(recording);
  return openedRecording(recording, check && { check });
}

/** Problems met while reading and those that only a check finds. */
export function allProblems(recording: Recording): Problems {
  return checkedProblems(recording, checkOf(recording));
}

function checkOf(recording: Recording): OpenRecording['check'] {
  return FORMATS.find((format) => format.id === recording.format)?.check;
}
