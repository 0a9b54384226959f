import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { dateText, numberText, relativeText, sizeText } from '../texts/index.ts';
import { useClock } from './clock.ts';

const drawnMs = 10_000;

/** A time as people say it, and exactly in the tip. It moves on while the page is open. */
export function Time({ at }: { readonly at: string | number | undefined }) {
  const [, draw] = useState(0);
  useClock(drawnMs, () => draw(Date.now()));
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return null;
  return (
    <time dateTime={date.toISOString()} title={dateText(date)}>
      {relativeText(date)}
    </time>
  );
}

export function Bytes({ value }: { readonly value: number | undefined }) {
  if (value === undefined) return null;
  return <span title={numberText(value)}>{sizeText(value)}</span>;
}

/** A row of `.facts`. Nothing where there is no value. */
export function Fact({ name, children }: { readonly name: string | undefined; readonly children?: ComponentChildren }) {
  if (!children) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

interface BarProps {
  readonly label: string;
  /** From 0 to 1. Undefined: it goes on, and nobody knows how far it is. */
  readonly value: number | undefined;
  readonly tone?: 'warn' | 'bad' | undefined;
}

/** Progress or usage. */
export function Bar({ label, value, tone }: BarProps) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <span
      class={`meter ${percent === undefined ? 'unknown' : ''} ${tone ?? ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={percent === undefined ? undefined : { inlineSize: `${percent}%` }} />
    </span>
  );
}
