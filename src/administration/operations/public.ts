export { fixedTextOnce, fixedTextReply } from './description-routes.ts';
