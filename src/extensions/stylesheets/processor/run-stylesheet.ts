import { type Transformation, type Transformed, transformHere } from './transform.ts';

export { StylesheetFails } from './fails.ts';
export type { Transformed } from './transform.ts';

type RunStylesheet = (given: Transformation) => Promise<Transformed>;

let elsewhere: RunStylesheet | undefined;

/** Sets the thread for stylesheets. On a server they run there, block no request, and can be aborted. */
export function runStylesheetsIn(thread: RunStylesheet): void {
  elsewhere = thread;
}

/** Applies a stylesheet to a document. It sees both and nothing else. Throws `StylesheetFails`. */
export const runStylesheet: RunStylesheet = async (given) => (elsewhere ?? transformHere)(given);
