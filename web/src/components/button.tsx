import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'class'>;

interface ButtonProps extends Native {
  readonly kind?: 'main' | 'danger' | 'quiet' | undefined;
  readonly icon?: IconName | undefined;
  readonly children?: ComponentChildren;
  readonly class?: string;
}

const classes = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ');

export function Button({ kind, icon, children, type = 'button', class: more, ...props }: ButtonProps) {
  return (
    <button {...props} type={type} class={classes('button', kind, more)}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Native {
  readonly icon: IconName;
  /** Name for screen readers, and the tip. */
  readonly label: string;
  readonly kind?: 'main' | 'danger' | 'quiet' | undefined;
}

export function IconButton({ icon, label, kind = 'quiet', type = 'button', ...props }: IconButtonProps) {
  return (
    <button {...props} type={type} class={classes('button', 'icon-only', kind)} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}
