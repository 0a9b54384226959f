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
