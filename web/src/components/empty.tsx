import type { ComponentChildren } from 'preact';
import type { Refusal } from '../api/client.ts';
import { t } from '../texts/index.ts';
import { Icon, type IconName } from './icon.tsx';
import { RefusalNote } from './refusal.tsx';

interface EmptyProps {
  readonly icon: IconName;
  /** One sentence why nothing is here. */
  readonly text: string;
  /** One button. */
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

/** The shape of what comes, after a moment. */
export function Skeleton({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={t('word.loading')}>
      {Array.from({ length: rows }, (_row, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

interface ShownProps<T> {
  /** Answer of `useLoad`. */
  readonly of: { readonly value: T | undefined; readonly refusal: Refusal | undefined; readonly reload: () => void };
  readonly rows?: number;
  readonly children: (value: T) => ComponentChildren;
}

/** What was read, or a skeleton until then. A refusal stands above what was read before it. */
export function Shown<T>({ of: { value, refusal, reload }, rows = 4, children }: ShownProps<T>) {
  return (
    <>
      {refusal && <RefusalNote error={refusal} onAgain={reload} />}
      {value === undefined ? !refusal && <Skeleton rows={rows} /> : children(value)}
    </>
  );
}
