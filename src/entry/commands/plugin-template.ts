/** Placeholders in a template for the plugin's own names. */
export interface TemplateNames {
  /** Name of the plugin and its file. */
  readonly name: string;
  /** Name of the object in security.ini. */
  readonly object: string;
}

export interface Template {
  /** Suffix of the class name. */
  readonly suffix: string;
  module(names: TemplateNames): string;
  /** Lines for `[main]`. */
  main(names: TemplateNames): readonly string[];
  /** A line for `[urls]`, where one is needed. */
  urls?(names: TemplateNames): readonly string[];
}

/** Module text: imports, plugin definition and examples around the given components. */
export const moduleOf = (types: string, says: string, name: string, components: string, examples: string): string =>
  `import type { ${types} } from 'portico/spi';
import type { PluginExamples } from 'portico/testing';

/** ${says} */
export default {
  name: '${name}',
  version: '1.0.0',
  contract: 1,
${components}
} satisfies Plugin;

/** Examples for "portico plugin test" and for the test beside this file. */
export const examples = [
${examples}
] satisfies PluginExamples;
`;
