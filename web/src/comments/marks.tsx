import { frameAt, timecode } from '../player/frames.ts';
import type { View } from '../player/scale.ts';
import { t } from '../texts/index.ts';
import { marksOf, withNames } from './comments.ts';
import type { Desk } from './desk.ts';

/** A button on the timeline where comments begin. */
export function CommentMarks({ desk, view }: { readonly desk: Desk; readonly view: View }) {
  const { engine, threads } = desk;
  const marks = marksOf(threads.value ?? [], view);
  if (!engine) return null;
  const { counting } = engine;
  return (
    <ul class="comment-marks" aria-label={t('comments.marks')}>
      {marks.map(({ share, seconds, comments }) => {
        const frame = frameAt(seconds, counting.rate);
        const says = `${timecode(frame, counting)}, ${t('comments.count', { count: comments.length })}`;
        return (
          <li key={seconds} style={{ left: `${share * 100}%` }}>
            <button
              type="button"
              aria-label={says}
              title={`${says}\n${withNames(comments[0]?.text, desk.api.nameOf)}`}
              data-done={comments.every(({ state }) => state === 'done') || undefined}
              onClick={() => desk.show(comments[0]!)}
            />
          </li>
        );
      })}
    </ul>
  );
}
