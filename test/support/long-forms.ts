import { readFileSync } from 'node:fs';

/**
 * Suites that mostly wait for processes and servers that they start. `npm test` leaves them to `npm run test:long`: with
 * them it would take nearly twice as long.
 */
export const slow = [
  'test/**/{instances,crash-points,shipped-crash-points}.test.ts',
  'test/entry/{bundle,checkout,deliver,deploy,move-storages,plugin-command,plugins-defects,processes,read-connection,sample}.test.ts',
  'test/entry/{reload,security,serve,server-lock,signals,stop-under-load,transcoders-told}.test.ts',
  'test/entry/media/media-child.test.ts',
  'test/entry/migrate/{command,copies,houses,troubles}.test.ts',
  'test/entry/runner/killed.test.ts',
  'test/core/store/{backup,readings}.test.ts',
  'test/remote/{budget,conflicts,edge-calls,imports,lists}.test.ts',
  'test/administration/notifications/acceptance/delivery.test.ts',
  'test/administration/quota/makers.test.ts',
  'test/extensions/streaming/played.test.ts',
  'test/security/audit-flood.test.ts',
  'test/attack/attack.test.ts',
  'test/storage/bytes/nginx.test.ts',
  'test/{docs,examples}/examples.test.ts',
  'test/container.test.ts',
  'test/examples/worker.test.ts',
  'test/clients/oidc-provider.test.ts',
  'test/kit/testing/{realm,storage-driver}.test.ts',
];

/** Handles only the few signs that the patterns above have. */
function patternOf(glob: string): RegExp {
  const signs = new Map([
    ['**/', '(?:.*/)?'],
    ['{', '(?:'],
    ['}', ')'],
    [',', '|'],
    ['.', '\\.'],
  ]);
  return new RegExp(`^${glob.replace(/\*\*\/|[{},.]/g, (sign) => signs.get(sign)!)}$`);
}

/** Whether `npm run test:long` runs a suite: `npm test` leaves it out, or it imports `support/long.ts`, or has a matrix. */
export const hasLongForm = (path: string): boolean =>
  slow.some((pattern) => patternOf(pattern).test(path)) ||
  /support\/long\.ts|describe(?:Matrix|Forms)/.test(readFileSync(path, 'utf8'));
