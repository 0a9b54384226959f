import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { home as address } from '../program-path.ts';

/** Folder of the checkout, or of the installed package. */
export const home = fileURLToPath(address);
export const isCheckout = existsSync(join(home, 'src/spi/index.ts'));

/** For an editor and `tsc`: as strict as the service itself, with the types of this very program. */
export function configOf(folder: string): string {
  const types = join(home, isCheckout ? 'src' : 'dist/src');
  const path = relative(resolve(folder), types).replaceAll('\\', '/');
  const at = (name: string) => [
    `${path.startsWith('.') ? path : `./${path}`}/${name}/index.${isCheckout ? '' : 'd.'}ts`,
  ];
  const compilerOptions = {
    ...{ target: 'ES2023', lib: ['ES2023', 'ES2024.String', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'] },
    ...{ module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'] },
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ erasableSyntaxOnly: true, verbatimModuleSyntax: true, allowImportingTsExtensions: true },
    ...{ skipLibCheck: true, noEmit: true },
    paths: { 'portico/spi': at('spi'), 'portico/kit': at('kit'), 'portico/testing': at('kit/testing') },
  };
  return `${JSON.stringify({ compilerOptions, include: ['.'] }, null, 2)}\n`;
}

/** Commands that check the types and run the test. In a checkout the package finds itself by its sources. */
export function furtherCommands(folder: string, test: string): readonly string[] {
  const check = `Check its types: npx tsc -p ${folder}`;
  try {
    createRequire(join(resolve(folder), 'x.js')).resolve('portico/testing');
  } catch (error) {
    // An unbuilt checkout has the sources instead of this file.
    if (!isCheckout || !String((error as Error).message).includes(home.replace(/[/\\]$/, '')))
      return [check, `Its test runs where the package portico is installed: node --test ${test}`];
  }
  const conditions = isCheckout ? '--conditions portico-source ' : '';
  return [check, `Run its test: node ${conditions}--import tsx --test ${test}`];
}
