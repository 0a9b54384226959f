export { fixed } from './description/routes.ts';
export { madeOnce } from './description/texts.ts';
