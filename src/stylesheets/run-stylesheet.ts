import { type Transformation, type Transformed, transformHere } from './transform.ts';

export { StylesheetFails } from './fails.ts';
export type { Transformation, Transformed } from './transform.ts';

export type RunStylesheet = (given: Transformation) => Promise<Transformed>;

let elsewhere: RunStylesheet | undefined;

/** A server lends a thread: a stylesheet holds up nobody there, and is ended by force. */
export function runStylesheetsIn(thread: RunStylesheet): void {
  elsewhere = thread;
}

/** Applies a stylesheet to a document. It sees both and nothing else. Throws `StylesheetFails`. */
export const runStylesheet: RunStylesheet = async (given) => (elsewhere ?? transformHere)(given);
