import type { ComponentChildren } from 'preact';
import { Link } from '../router.tsx';

interface HeadProps {
  /** The list that it is in. */
  readonly to: string;
  readonly up: string;
  readonly title: string;
  readonly mark?: ComponentChildren;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** Head of the page of one entity. */
export function Head({ to, up, title, mark, children }: HeadProps) {
  return (
    <>
      <p class="row small">
        <Link to={to}>{up}</Link>
      </p>
      <header class="row wrap">
        <h1 class="any-name">{title}</h1>
        {mark}
        <span class="grow" />
        {children}
      </header>
    </>
  );
}
