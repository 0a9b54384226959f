/**
 * Small tools for plugins, the same that the shipped realms and filters use: `portico/kit`. A plugin that is a package
 * imports it. A plugin that is a file in the plugin folder has `import type` only, and its host provides the tools.
 */
export { isWithin, parseAddress, parseRange, type Range } from '../core/lib/address.ts';
export { readBase64, textToBase64, toBase64, toHex } from '../core/lib/bytes.ts';
export { boxAt, boxBelow, boxesIn, type ContainerBox } from '../core/lib/iso-boxes.ts';
export { after, type Maybe } from '../core/lib/maybe.ts';
export { xmpNamespaces } from '../core/lib/xmp-namespaces.ts';
export { addressedOrigin, cookieValues, isSameOrigin, type PageSite, pageSite, sessionCookieName } from './browsers.ts';
export { BrokenBody, pour } from './pour.ts';
export { withinTime } from './within-time.ts';
