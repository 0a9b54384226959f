import type { ComponentChildren } from 'preact';
import { Link } from '../router.tsx';
import { t } from '../texts/index.ts';
import { Icon } from './icon.tsx';

interface Chip {
  readonly id: string;
  readonly text: string;
  /** Text of the tooltip. */
  readonly title?: string | undefined;
  /** Page of what it names. */
  readonly to?: string | undefined;
  /** Left out: it cannot be taken away. */
  readonly onRemove?: (() => void) | undefined;
}

export function Chips({ label, chips }: { readonly label: string; readonly chips: readonly Chip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label={label}>
      {chips.map(({ id, text, title, to, onRemove }) => (
        <li class="chip" key={id}>
          {to ? (
            <Link class="cut" to={to}>
              {text}
            </Link>
          ) : (
            <span class="cut" title={title}>
              {text}
            </span>
          )}
          {onRemove && (
            <button type="button" aria-label={t('word.removeNamed', { name: text })} onClick={onRemove}>
              <Icon name="x" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

type Tone = 'good' | 'warn' | 'bad' | 'live';

/** A state in a word: the colour never says it alone. */
export function Mark({ tone, children }: { readonly tone?: Tone | undefined; readonly children?: ComponentChildren }) {
  return <span class={tone ? `mark ${tone}` : 'mark'}>{children}</span>;
}
