import sprite from '../style/sprite.svg';
import type { iconNames } from './icon-names.ts';

export type IconName = (typeof iconNames)[number];

export function Icon({ name, class: more = '' }: { readonly name: IconName; readonly class?: string }) {
  return (
    <svg class={`icon ${more}`} viewBox="0 0 24 24" aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}

/** The sign of the product. */
export function Brand() {
  return (
    <svg class="sign" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M7 25V14a9 9 0 0 1 18 0v11M12 25V14.5a4 4 0 0 1 8 0V25" />
    </svg>
  );
}
