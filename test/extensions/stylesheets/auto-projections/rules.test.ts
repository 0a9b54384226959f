import { expect, it } from 'vitest';
import { openWorld } from '../../../support/matrix.ts';
import { admin } from '../../../support/service.ts';

const rule = {
  step: [
    { order: 1, description: 'first', script: 'field.title' },
    { order: 2, xslt: '<a v:version="2.0" xmlns:v="http://www.w3.org/1999/XSL/Transform"/>' },
  ],
  description: 'a rule',
  inputFilters: { inputFilter: ['oldMetadata'], bulkyMetadataKeysRegex: '.*' },
  triggers: { trigger: ['itemMetadata', 'shapeMetadata'] },
};

it('an auto-projection rule is kept, and listed by its switch', async () => {
  const world = await openWorld('fetch');
  const send = (request: string, body?: object) =>
    world.send({ as: admin, request, headers: { accept: 'application/json' }, ...(body && { body }) });
  const listed = async () =>
    Promise.all(
      ['', '/enable', '/disable'].map(async (at) => JSON.parse((await send(`GET /API/auto-projection${at}`)).body).uri),
    );
  const kept = await send('PUT /API/auto-projection/titles', rule);
  expect([kept.status, kept.headers.get('portico-ignored')]).toEqual([200, null]);
  expect(JSON.parse((await send('GET /API/auto-projection/titles')).body)).toEqual({ ...rule, name: 'titles' });
  expect(await listed()).toEqual([['titles'], ['titles'], []]);
  expect((await send('PUT /API/auto-projection/titles/disable')).status).toBe(200);
  expect(await listed()).toEqual([['titles'], [], ['titles']]);
  // Writing a disabled rule again leaves it disabled.
  await send('PUT /API/auto-projection/titles', { step: [] });
  expect(await listed()).toEqual([['titles'], [], ['titles']]);
  await send('PUT /API/auto-projection/titles/enable');
  await send('PUT /API/auto-projection/titles/enable');
  const text = { as: admin, request: 'GET /API/auto-projection', headers: { accept: 'text/plain' } };
  expect((await world.send(text)).body).toBe('titles\r\n');
  expect((await send('DELETE /API/auto-projection/titles')).status).toBe(200);
  expect(await listed()).toEqual([[], [], []]);
  const gone = ['GET /API/auto-projection/titles', 'DELETE /API/auto-projection/titles'];
  const refused = [...gone, 'PUT /API/auto-projection/titles/enable'].map(async (each) => (await send(each)).status);
  expect(await Promise.all(refused)).toEqual([404, 404, 404]);
});

it.each([
  ['a name of a list', 'enable', rule],
  ['a name that is none', 'a%20b%3F', rule],
  ['a step that does nothing', 'a', { step: [{ order: 1 }] }],
  ['a stylesheet that is none', 'a', { step: [{ xslt: '<a/>' }] }],
  ['a step that does two things', 'a', { step: [{ script: '1', xslt: '<a/>' }] }],
])('an auto-projection rule with %s is refused', async (_what, name, body) => {
  const world = await openWorld('fetch');
  const answer = await world.send({ as: admin, request: `PUT /API/auto-projection/${name}`, body });
  expect(answer.status).toBe(400);
});
