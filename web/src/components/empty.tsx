import type { ComponentChildren } from 'preact';
import { t } from '../texts/index.ts';
import { Icon, type IconName } from './icon.tsx';
import type { Loaded } from './load.ts';
import { RefusalNote } from './refusal.tsx';

interface EmptyProps {
  readonly icon: IconName;
  /** Sentence why nothing is here. */
  readonly text: string;
  /** Single button below the text. */
  readonly children?: ComponentChildren;
}

export function Empty({ icon, text, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p>{text}</p>
      {children}
    </div>
  );
}

interface SkeletonProps {
  readonly rows?: number | undefined;
  /** A picture comes first. */
  readonly hasPicture?: boolean | undefined;
}

/** The shape of what comes, after a moment. */
export function Skeleton({ rows = 4, hasPicture }: SkeletonProps) {
  return (
    <div class={hasPicture ? 'skeleton pictured' : 'skeleton'} role="status" aria-label={t('word.loading')}>
      {Array.from({ length: rows }, (_row, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

interface PendingProps extends SkeletonProps {
  /** Answer of `useLoad`. */
  readonly of: Pick<Loaded<unknown>, 'refusal' | 'reload'>;
}

/** Why an answer is not there, with a button that asks again, or the shape of it. */
export const Pending = ({ of: { refusal, reload }, ...shape }: PendingProps) =>
  refusal ? <RefusalNote error={refusal} onAgain={() => void reload()} /> : <Skeleton {...shape} />;

interface ShownProps<T> extends SkeletonProps {
  readonly of: Pick<Loaded<T>, 'value' | 'refusal' | 'reload'>;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows loaded data, or a skeleton until then. A refusal stands above data of before. */
export const Shown = <T,>({ of, children, ...shape }: ShownProps<T>) => (
  <>
    {(of.refusal || of.value === undefined) && <Pending of={of} {...shape} />}
    {of.value !== undefined && children(of.value)}
  </>
);
