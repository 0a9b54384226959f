import type { Plugin } from '../../spi/index.ts';

/** Where a prober of a plugin lies, so that a media process can load it. */
export interface ProberModule {
  readonly path: string;
  /** It holds all files of the plugin. */
  readonly folder: string;
  readonly isTypeScript: boolean;
  /** Among the probers of the plugin. */
  readonly className: string;
}

const known = new WeakMap<object, ProberModule>();

/** A component belongs to the module that it was read from. */
export function rememberProbers({ probers = {} }: Plugin, module: Omit<ProberModule, 'className'>): void {
  for (const [className, component] of Object.entries(probers)) {
    if (!known.has(component)) known.set(component, { ...module, className });
  }
}

export const proberModule = (component: object): ProberModule | undefined => known.get(component);
