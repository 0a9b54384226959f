export { fixedTextOnce, fixedTextReply } from './description-routes.ts';
export { clockDefect, keyDefect, stateOfKey } from './stored-key.ts';
