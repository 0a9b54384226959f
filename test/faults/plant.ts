import { resolve } from 'node:path';
import { faults } from './faults.ts';

/** A plugin of the bundler that the tests run under: one file of the product is read with a fault in it. */
export function plantFault(name: string) {
  const fault = faults.find((each) => each.name === name);
  if (!fault) throw new Error(`Expected the name of a fault: "${name}"`);
  const file = resolve(fault.file);
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
