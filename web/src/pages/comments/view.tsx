import type { ItemType } from 'portico/types';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { addressOf, send } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Shown } from '../../components/empty.tsx';
import { Check, Field } from '../../components/field.tsx';
import { useLoad } from '../../components/load.ts';
import type { Engine } from '../../player/engine.ts';
import { codeOf, frameAt, startOf, timecode } from '../../player/frames.ts';
import { may } from '../../rights.ts';
import { t } from '../../texts/index.ts';
import { useNewsOf } from '../item/news.ts';
import { Approval } from './approval.tsx';
import { marksOf, type Part, readComments, rectangleOf, type Thread, timesOf } from './comments.ts';
import { type Sketch, svgOf } from './drawing.tsx';
import { Overlay, type OverlayProps } from './overlay.tsx';
import { ThreadRow, WriteForm } from './thread.tsx';
import './comments.css';

export interface CommentsProps {
  readonly item: ItemType;
  /** Undefined: nothing is played. */
  readonly engine?: Engine | undefined;
  readonly hasPicture: boolean;
  /** Between the marks and the list. */
  readonly children?: ComponentChildren;
}

/** Comments that are read at once. */
const page = 500;
const formats = ['csv', 'edl', 'fcpxml', 'vtt'] as const;
/** Where choosing a part begins. */
const middle: Part = { left: 30, top: 30, width: 40, height: 40 };

/** Comments of an item below its player: marks over time, a list, and parts of the picture. */
export function Comments({ item, engine, hasPicture, children }: CommentsProps) {
  const id = item.id ?? '';
  const path = `/item/${encodeURIComponent(id)}/annotation`;
  const [most, setMost] = useState(page);
  const [isWriting, setWriting] = useState(false);
  const [part, setPart] = useState<Part>();
  const [sketch, setSketch] = useState<Sketch>();
  const comments = useLoad(`${path} ${most}`, (signal) => readComments(path, most, signal));
  const { reload } = comments;
  useNewsOf(id, 'annotation/*', reload);
  // An instance may leave comments out.
  if (comments.refusal?.status === 404) return <>{children}</>;
  const threads = comments.value?.threads ?? [];
  const close = () => {
    setWriting(false);
    setPart(undefined);
    setSketch(undefined);
  };
  const isDrawn = sketch !== undefined && sketch.lines.length > 0;
  return (
    <>
      {engine && engine.duration > 0 && <Marks engine={engine} threads={threads} />}
      {children}
      {hasPicture && <Parts {...{ engine, threads, part, sketch }} onChange={part && setPart} onSketch={setSketch} />}
      <Approval item={item} />
      <section class="comments stack" aria-label={t('comments.title')}>
        <header class="row wrap">
          <h2 class="grow">{t('comments.title')}</h2>
          {may('comment.write') && !isWriting && (
            <Button
              icon="plus"
              onClick={() => {
                engine?.run('k');
                setWriting(true);
              }}
            >
              {t('comments.comment')}
            </Button>
          )}
        </header>
        {isWriting && (
          <WriteForm
            label={t('comments.comment')}
            isNeeded={part === undefined && !isDrawn}
            onClose={close}
            work={async (readField) => {
              await send('POST', path, {
                text: readField('text'),
                assignedTo: readField('assignedTo').trim(),
                ...(engine && readField('timed') && { start: codeOf(engine.frame.peek(), engine.counting.rate) }),
                ...(part && { rectangle: rectangleOf(part) }),
                ...(isDrawn && { drawing: svgOf(sketch) }),
              });
              await reload();
            }}
          >
            <Field label={t('comments.assignedTo')} name="assignedTo" autocomplete="off" />
            <div class="row wrap">
              {engine && <Timed engine={engine} />}
              {hasPicture && (
                <Button
                  aria-pressed={part !== undefined}
                  onClick={() => {
                    setPart(part ? undefined : middle);
                    setSketch(undefined);
                  }}
                >
                  {t('comments.part')}
                </Button>
              )}
              {hasPicture && (
                <Button
                  aria-pressed={sketch !== undefined}
                  onClick={() => {
                    setSketch(sketch ? undefined : { size: { width: 0, height: 0 }, lines: [] });
                    setPart(undefined);
                  }}
                >
                  {t('comments.draw')}
                </Button>
              )}
              {sketch && <span class="muted small">{t('comments.drawNote')}</span>}
              {part && <span class="muted small">{t('comments.partNote')}</span>}
            </div>
          </WriteForm>
        )}
        <Shown of={comments} rows={2}>
          {({ hasMore }) => (
            <>
              {threads.length === 0 && <p class="muted small">{t('comments.none')}</p>}
              <ul class="plain">
                {threads.map((thread) => (
                  <ThreadRow key={thread.comment.id} {...{ ...thread, item, path, engine, reload }} />
                ))}
              </ul>
              {hasMore && <Button onClick={() => setMost(most + page)}>{t('word.more')}</Button>}
              {threads.length > 0 && (
                <p class="row wrap small muted">
                  {t('comments.markers')}
                  {formats.map((format) => (
                    <a key={format} href={addressOf(`${path}/markers`, { format })} download={`${id}.${format}`}>
                      {format.toUpperCase()}
                    </a>
                  ))}
                </p>
              )}
            </>
          )}
        </Shown>
      </section>
    </>
  );
}

/** Whether the comment is about what the player shows, with its time. */
const Timed = ({ engine }: { readonly engine: Engine }) => (
  <Check name="timed" value="true" defaultChecked label={t('comments.at', { time: engine.timecode.value })} />
);

/** A strip with a button where comments begin. It always runs from left to right, as the timeline. */
function Marks({ engine, threads }: { readonly engine: Engine; readonly threads: readonly Thread[] }) {
  const { counting, duration } = engine;
  const marks = marksOf(threads, duration);
  if (marks.length === 0) return null;
  return (
    <ul class="comment-marks" dir="ltr" aria-label={t('comments.marks')}>
      {marks.map(({ share, seconds, comments }) => {
        const frame = frameAt(seconds, counting.rate);
        const says = `${timecode(frame, counting)}, ${t('comments.count', { count: comments.length })}`;
        return (
          <li key={seconds} style={{ left: `${share * 100}%` }}>
            <button
              type="button"
              aria-label={says}
              title={`${says}\n${comments[0]?.text ?? ''}`}
              data-done={comments.every(({ state }) => state === 'done') || undefined}
              onClick={() => engine.goTo(frame)}
            />
          </li>
        );
      })}
    </ul>
  );
}

interface PartsProps extends Omit<OverlayProps, 'rectangles' | 'drawings'> {
  readonly engine: Engine | undefined;
  readonly threads: readonly Thread[];
}

/** Parts that open comments mark, and their drawings, on the picture that is seen now. */
function Parts({ engine, threads, ...choosing }: PartsProps) {
  const now = engine && startOf(engine.frame.value, engine.counting.rate);
  const length = engine ? startOf(1, engine.counting.rate) : 0;
  const seen = threads
    .map(({ comment }) => comment)
    .filter((comment) => {
      if (comment.state === 'done') return false;
      const times = timesOf(comment);
      return now === undefined || (times && times[0] < now + length * 0.99 && times[1] > now - length * 0.01);
    });
  const each = (key: 'rectangle' | 'drawing') => [...new Set(seen.flatMap((comment) => comment[key] ?? []))];
  return <Overlay {...choosing} rectangles={each('rectangle')} drawings={each('drawing')} />;
}
