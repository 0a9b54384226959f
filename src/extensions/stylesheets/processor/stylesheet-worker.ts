import { StylesheetFails } from './fails.ts';

/** Program of the thread for stylesheets. */
export { transformHere as run } from './transform.ts';

export const isFailure = (error: unknown): boolean => error instanceof StylesheetFails;
