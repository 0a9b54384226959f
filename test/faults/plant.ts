import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { faults } from './faults.ts';

function faultNamed(name: string) {
  const fault = faults.find((each) => each.name === name);
  if (!fault) throw new Error(`Expected the name of a fault: "${name}"`);
  return { ...fault, path: resolve(fault.file) };
}

/** A plugin of the bundler that makes programs of tests: the same for processes that a test starts. */
export function plantInProgram(name: string): Plugin {
  const { path, transform } = { ...faultNamed(name), ...plantFault(name) };
  return {
    name: 'plant-fault',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, (args) =>
        args.path === path ? { contents: transform(readFileSync(path, 'utf8'), path)!, loader: 'ts' } : undefined,
      ),
  };
}

/** A plugin of the bundler that the tests run under: one file of the product is read with a fault in it. */
export function plantFault(name: string) {
  const { path: file, ...fault } = faultNamed(name);
  return {
    name: 'plant-fault',
    enforce: 'pre' as const,
    transform(code: string, id: string) {
      if (id.split('?')[0] !== file) return undefined;
      if (code.split(fault.find).length !== 2) throw new Error(`Expected the place of "${name}" once in ${fault.file}`);
      return code.replace(fault.find, () => fault.replace);
    },
  };
}
