import { expect, it } from 'vitest';
import { upload } from '../storage/bytes/support.ts';
import { requestOf } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { byToken, newKey, newToken, sendWell, whoIs } from '../support/ways.ts';
import { type RoomWorld, uploader, worldOf } from '../support/world.ts';

const open = () => worldOf('uploads');
const revokeAll = (world: RoomWorld) => sendWell(world, { as: admin, request: 'DELETE /API/user/uploader/tokens' });

it('a thief goes on with no upload by tus: each part asks for the login', async () => {
  const world = await open();
  const how = byToken(await newToken(world, { as: uploader }), { 'tus-resumable': '1.0.0' });
  const metadata = `storage ${btoa('VX-1')},path ${btoa('in/')},filename ${btoa('a.mov')}`;
  const made = await world.send({
    ...how,
    request: 'POST /API/upload',
    headers: { ...how.headers, 'upload-length': '11', 'upload-metadata': metadata },
  });
  const request = `PATCH ${made.headers.get('location')}`;
  const type = { 'content-type': 'application/offset+octet-stream' };
  const part = (offset: string, body: string) => ({
    request,
    body,
    headers: { ...how.headers, ...type, 'upload-offset': offset },
  });
  expect((await world.send(part('0', 'hello '))).status).toBe(204);
  await revokeAll(world);
  expect((await world.send(part('6', 'world'))).status).toBe(401);
});

it('a thief gets the download that had begun, and no other', async () => {
  const world = await open();
  await sendWell(world, upload('a.mov', 'hello world'));
  const headers = byToken(await newToken(world, { as: uploader })).headers ?? {};
  const sent = { request: 'GET /API/file/VX-1/data', headers };
  const { body } = await world.service.fetch(requestOf('http://portico.test', sent));
  await revokeAll(world);
  expect(await new Response(body).text()).toBe('hello world');
  expect((await world.send(sent)).status).toBe(401);
});

it('an access key outlives tokens and passwords, until it is deleted or its user is disabled', async () => {
  const world = await open();
  const { pair, id } = await newKey(world, 'uploader');
  await revokeAll(world);
  expect(await whoIs(world, { as: pair })).toBe('uploader');
  await sendWell(world, { as: admin, request: `DELETE /API/user/uploader/key/${id}` });
  expect(await whoIs(world, { as: pair })).toContain('401');
});
