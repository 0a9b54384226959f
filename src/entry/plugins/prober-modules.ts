import type { Plugin } from '../../spi/index.ts';

/** Location of a plugin's prober, so that a media process can load it. */
export interface ProberModule {
  readonly path: string;
  /** Folder with all files of the plugin. */
  readonly folder: string;
  readonly isTypeScript: boolean;
  /** Class name among the plugin's probers. */
  readonly className: string;
}

const moduleByProber = new WeakMap<object, ProberModule>();

/** Remembers the module that a component was loaded from. */
export function rememberProbers({ probers = {} }: Plugin, module: Omit<ProberModule, 'className'>): void {
  for (const [className, component] of Object.entries(probers)) {
    if (!moduleByProber.has(component)) moduleByProber.set(component, { ...module, className });
  }
}

export const proberModule = (component: object): ProberModule | undefined => moduleByProber.get(component);
