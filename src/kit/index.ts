/**
 * Small tools for plugins, the same that the shipped realms and filters use: `portico/kit`. A plugin that is a package
 * imports it; one that is a file in the plugin folder has `import type` only, and the host lends it what it needs.
 */
export { readBase64, textToBase64, toBase64 } from '../lib/base64.ts';
export { toHex } from '../lib/hex.ts';
export { after, type Maybe } from '../lib/maybe.ts';
export { withinTime } from './within-time.ts';
