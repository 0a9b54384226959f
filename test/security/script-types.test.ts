import { expect, it } from 'vitest';
import { openWorld } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { sendWell } from '../support/ways.ts';

const source = 'preset.setFormat("mp4")';
const json = { 'content-type': 'application/json' };

const owners: readonly (readonly [at: string, document: object])[] = [
  ['shape-tag/web', {}],
  ['task-definition/jobtype/TRANSCODE/step/4711', { description: 'x', script: source }],
  ['export-location/out', { uri: 'file:///tmp/out/' }],
];

it('a page of the service that is made to load a script of an administrator runs nothing: it is plain text', async () => {
  const world = await openWorld('fetch');
  for (const [at, document] of owners) {
    const request = `/API/${at}`;
    await sendWell(world, { as: admin, request: `PUT ${request}`, body: JSON.stringify(document), headers: json });
    const headers = { 'content-type': 'application/javascript', accept: 'application/javascript' };
    await sendWell(world, { as: admin, request: `PUT ${request}/script`, headers, body: source });
    for (const accept of ['*/*', 'application/javascript', 'text/plain']) {
      const asked = { as: admin, request: `GET ${request}/script`, headers: { accept } };
      const { body, headers: answered } = await sendWell(world, asked);
      const type = answered.get('content-type')?.split(';')[0];
      expect([body, type, answered.get('x-content-type-options')], `${at} as ${accept}`).toEqual([
        source,
        'text/plain',
        'nosniff',
      ]);
    }
  }
});

it('an answer of the API that a browser shows as a page runs nothing, and no other page frames it', async () => {
  const world = await openWorld('fetch');
  const seen = async (path: string, dest?: string) => {
    const headers = { 'sec-fetch-site': 'none', ...(dest && { 'sec-fetch-dest': dest }) };
    const { headers: answered } = await world.send({ as: admin, request: `GET ${path}`, headers });
    const names = ['content-security-policy', 'referrer-policy', 'x-content-type-options', 'cache-control'];
    return names.map((name) => answered.get(name));
  };
  const kept = ['nosniff', 'private, no-cache'];
  for (const path of ['/API/user/admin', '/API/user/nobody', '/API/whoami?%zz']) {
    for (const dest of ['document', 'iframe', 'embed', 'object'])
      expect(await seen(path, dest)).toEqual([
        "sandbox; default-src 'none'; frame-ancestors 'none'",
        'no-referrer',
        ...kept,
      ]);
    expect(await seen(path, 'script')).toEqual([null, null, ...kept]);
    expect(await seen(path)).toEqual([null, null, null, null]);
  }
  expect((await seen('/ui/', 'document'))[0], 'a page with a policy of its own').toContain("script-src 'self'");
});
