/** Flame graph and timeline within the page: their components, made anew for each answer. */
import { useEffect, useRef } from 'preact/hooks';
import type { ScopeStep } from '../../src/models/scope.js';
import { type FlameResult, flamePicture } from '../../src/pictures/flame/picture.js';
import type { TimelineResult } from '../../src/pictures/timeline/picture.js';
import { FlameGraph } from '../flame/flame.js';
import { timelineModel } from '../timeline/model.js';
import { Timeline } from '../timeline/timeline.js';
import type { PageResult } from './port.js';
import type { FunctionSelection } from './store.js';

interface PictureProps {
  readonly result: PageResult;
  readonly select: (selection: FunctionSelection | undefined) => void;
  readonly addStep: (step: ScopeStep) => void;
  /** The words of the command before its own. */
  readonly words: readonly string[];
}

export function Picture({ result, select, addStep, words }: PictureProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = host;
    if (current === null) return;
    if (isFlame(result)) {
      const graph = new FlameGraph(current, flamePicture(result), {
        focused: () => {
          const name = result.functions.name[graph.focusedFunction];
          select(name === undefined ? undefined : { name, handle: name });
        },
      });
    } else if (isTimeline(result)) {
      let timeline: Timeline | undefined;
      timeline = new Timeline(current, timelineModel(result), words, () => {
        const selected = timeline?.selected;
        span.current = selected === undefined ? undefined : { kind: 'time', from: selected.from, to: selected.to };
      });
    }
    return () => current.replaceChildren();
  }, [result]);
  const span = useRef<ScopeStep | undefined>(undefined);
  return (
    <>
      {result.type === 'timeline' && (
        <p class="app-hint">
          {'Drag with Shift to select a span of time. '}
          <button type="button" onClick={() => span.current !== undefined && addStep(span.current)}>
            Keep the selected time only
          </button>
        </p>
      )}
      <div class="page-picture" ref={host} />
    </>
  );
}

function isFlame(result: unknown): result is FlameResult {
  return typeof result === 'object' && result !== null && 'type' in result && result.type === 'flame';
}

function isTimeline(result: unknown): result is TimelineResult {
  return typeof result === 'object' && result !== null && 'type' in result && result.type === 'timeline';
}
