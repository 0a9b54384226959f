import { expect, it } from 'vitest';
import { openWorld } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';

const json = { accept: 'application/json' };
const text = { accept: 'text/plain' };

it('the site has key-value metadata, and there is no other site', async () => {
  const world = await openWorld('fetch');
  const send = (request: string, body?: string | object, headers: Readonly<Record<string, string>> = json) =>
    world.send({ as: admin, request, headers, ...(body !== undefined && { body }) });
  const [site] = JSON.parse((await send('GET /API/site')).body).uri;
  const path = `/API/site/${site}/metadata`;
  const field = [
    { key: 'town', value: 'Kiel' },
    { key: 'floor', value: '2' },
  ];
  expect((await send(`PUT ${path}`, { field })).status).toBe(204);
  expect((await send(`PUT ${path}/town`, 'Bremen', { 'content-type': 'text/plain' })).status).toBe(204);
  expect((await send(`GET ${path}/town`, undefined, text)).body).toBe('Bremen');
  expect((await send(`DELETE ${path}/floor`)).status).toBe(204);
  expect(JSON.parse((await send(`GET ${path}`)).body)).toEqual({ field: [{ key: 'town', value: 'Bremen' }] });
  expect((await send(`DELETE ${path}`)).status).toBe(204);
  expect(JSON.parse((await send(`GET ${path}`)).body)).toEqual({ field: [] });
  for (const request of ['GET', 'PUT', 'DELETE'].map((method) => `${method} /API/site/ELSEWHERE/metadata`)) {
    expect((await send(request, request.startsWith('PUT') ? { field } : undefined)).status, request).toBe(404);
  }
});

it.each([
  ['GET /API/analyze-preset/black', 404, 'AnalyzePreset'],
  ['GET /API/javascript/session/1', 404, 'Session'],
  ['DELETE /API/javascript/session/1', 404, 'Session'],
  ['GET /API/license', 501, 'this service needs none and keeps none'],
  ['POST /API/collection/VX-1/train', 501, 'none is behind this one'],
  ['PUT /API/site/OTHER', 501, 'exchanges nothing with others'],
  ['GET /API/item/site-rule', 501, 'this service is one site'],
  ['GET /API/item/VX-1/site-rule/VX-2', 501, 'this service is one site'],
  ['POST /API/user/site-rule', 501, 'this service is one site'],
  ['DELETE /API/group/editors/site-rule/VX-2', 501, 'this service is one site'],
  ['POST /API/item/deletion-lock', 501, '/item/VX-1/deletion-lock'],
  ['GET /API/collection/deletion-lock/VX-1', 501, '/deletion-lock/VX-1'],
  ['PUT /API/file/deletion-lock/VX-1/metadata/why', 501, '/deletion-lock/VX-1'],
  ['POST /API/vidispine-logs/job', 501, 'it goes to the standard output'],
  ['POST /API/storage/file/VX-1/import/assetmap', 501, 'no package of IMF'],
  ['POST /API/import/assetmap', 501, 'no package of IMF'],
  ['POST /API/item/VX-1/metadata/initialize', 501, 'has it from the beginning'],
  ['POST /API/item/VX-1/archive', 501, 'an archive class'],
  ['PUT /API/item/VX-1/archive', 501, 'an archive class'],
  ['POST /API/item/VX-1/shape/from-document', 501, 'POST /item/VX-1/shape/create'],
  ['POST /API/sequence', 501, 'PUT /item/VX-1/sequence/vidispine'],
  ['GET /API/error/1', 501, 'Expected GET /error'],
  ['GET /API/otif', 501, 'no OTIF'],
  ['DELETE /API/otif/tool', 501, 'no OTIF'],
  ['GET /API/item/VX-1/shape/VX-1/pfd', 501, 'no description of partial files'],
  ['POST /API/vxa', 501, 'no call to agents'],
  ['DELETE /API/site/OTHER', 501, 'exchanges nothing with others'],
  ['GET /API/site/file/exists/VX-1', 501, 'exchanges nothing with others'],
  ['POST /API/site/changeset/1/OTHER', 501, 'exchanges nothing with others'],
  ['PUT /API/group/editors/site-rule', 501, 'this service is one site'],
  ['GET /API/storage/VX-1/file/path/a.mov/site/OTHER', 501, 'this service is one site'],
  ['PUT /API/file/VX-1/archive', 501, 'an archive class'],
  ['POST /API/item/VX-1/shape/VX-1/restore', 501, 'an archive class'],
  ['POST /API/storage/storage-group/tapes/restore', 501, 'an archive class'],
  ['GET /API/storage/file/VX-1/pfd', 501, 'no description of partial files'],
  ['POST /API/storage/VX-1/file/VX-2/import/assetmap', 501, 'no package of IMF'],
  ['PUT /API/otif/tool/resource/model', 501, 'no OTIF'],
  ['PUT /API/vxa/1/ping', 501, 'no call to agents'],
  ['POST /API/item/create', 501, 'POST /import/placeholder'],
  ['POST /API/search/flush', 501, 'a change is found at once'],
  ['PUT /API/user/ann/resync', 501, 'GET /selftest'],
  ['POST /API/transcode', 501, 'POST /item/VX-1/transcode'],
  ['GET /API/item/VX-1/id', 501, '/item/VX-1/external-id'],
  ['GET /API/poster/VX-1', 501, 'GET /thumbnail/VX-1/VX-2'],
  ['PUT /API/storage/VX-1/status', 501, 'scans set it'],
  ['POST /APIinit/metadatarepair', 501, 'GET /selftest'],
])('%s tells why it does nothing', async (request, status, says) => {
  const world = await openWorld('fetch');
  const answer = await world.send({ as: admin, request, headers: json });
  expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(says)]);
});
