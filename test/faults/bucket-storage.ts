import type { Fault } from './fault.ts';

const folder = 'plugins/storages';
const tests = 'test/plugins/storages';

/** Faults of the drivers whose files are in buckets and on web servers. */
export const bucketStorageFaults: readonly Fault[] = [
  {
    name: 'a refusal within a 200 that passes for an answer',
    file: `${folder}/s3/client.ts`,
    find: 'if (root?.name === name) return root;',
    replace: 'if (root) return root;',
    caughtBy: `${tests}/s3-stores.test.ts`,
  },
  {
    name: 'an object that is written over one of somebody else',
    file: `${folder}/s3/publish.ts`,
    find: "mode === 'create' && conditional ? { 'if-none-match': '*' } : {}",
    replace: '{}',
    caughtBy: `${tests}/s3.test.ts`,
  },
  {
    name: 'the size of staged bytes that goes before the bytes',
    file: `${folder}/s3/staging.ts`,
    find: 'for (const name of names) if (!whole.test(name))',
    replace: 'for (const name of names.toReversed())',
    caughtBy: `${tests}/s3.test.ts`,
  },
  {
    name: 'a missing bucket that passes for a missing file',
    file: `${folder}/s3/objects.ts`,
    find: 'await requireBucket(signal);',
    replace: '',
    caughtBy: `${tests}/s3-stores.test.ts`,
  },
  {
    name: 'a body that is whole where it only ends',
    file: `${folder}/lazy-body.ts`,
    find: 'if (piece === undefined) throw cut();',
    replace: 'if (piece === undefined) return controller.close();',
    caughtBy: `${tests}/web.test.ts`,
  },
  {
    name: 'a web server whose bytes are of whichever version',
    file: `${folder}/web.ts`,
    find: 'fileOf(file.path, size, headers).version !== file.version',
    replace: 'false',
    caughtBy: `${tests}/web.test.ts`,
  },
  {
    name: 'requests to storages that pass by the address policy',
    file: `${folder}/web.ts`,
    find: 'return await host.stream({ url,',
    replace: 'return await host.stream({ trusted: true, url,',
    caughtBy: 'test/security/ssrf/storages.test.ts',
  },
];
