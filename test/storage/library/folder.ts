/** Has `node_modules` with the library. */
export const folder = import.meta.dirname;
