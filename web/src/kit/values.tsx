import type { ComponentChildren } from 'preact';
import { dateText, numberText, relativeText, sizeText } from '../texts/index.ts';

/** A time as people say it, and exactly in the tip. */
export function Time({ at }: { readonly at: string | number | undefined }) {
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
