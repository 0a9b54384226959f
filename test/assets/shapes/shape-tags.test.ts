import { expect, it } from 'vitest';
import { newUser } from '../../support/cast.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { ask } from '../../support/requests.ts';
import { playScenario, prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { told, uris } from './support.ts';

const viewer: Credentials = ['viewer', 'password of viewer'];
const tag = '/API/shape-tag/web';

describeMatrix('shape tags', (entry) => {
  it('answers a preset exactly as it was put, what nobody knows included', async () => {
    const world = await entry.open();
    const sent = `{ "format": "mp4", "video": {"codec":"h264","framerate":{"numerator":1,"denominator":25},"later":1.50},
      "audio": {"codec":"aac","channel":[0,1]}, "mediaconvert": {"queue":["a", null]} }`;
    const put = { as: admin, request: `PUT ${tag}`, headers: { 'content-type': 'application/json' }, body: sent };
    await playScenario(world, { ...put, name: 'put', status: 200, says: { exact: '' } });
    await playScenario(world, { ...ask(`GET ${tag}`), name: 'get', status: 200, says: { exact: sent } });
    const xml = await world.send({ as: admin, request: `GET ${tag}`, headers: { accept: 'application/xml' } });
    expect(xml.body).toContain('<format>mp4</format>');
    expect(xml.body).toContain('<framerate><numerator>1</numerator><denominator>25</denominator></framerate>');
    const preset = '<TranscodePresetDocument><format>mov</format><unknown a="1">x</unknown></TranscodePresetDocument>';
    const inXml = { ...put, headers: { 'content-type': 'application/xml' }, body: preset };
    await playScenario(world, { ...inXml, name: 'replaced', status: 200 });
    const back = await world.send({ as: admin, request: `GET ${tag}`, headers: { accept: 'application/xml' } });
    expect(back.body).toBe(preset);
    expect(await told(world, `GET ${tag}`)).toEqual({ format: 'mov' });
  });

  it('lists names, at least original', async () => {
    const world = await entry.open();
    expect(await uris(world, 'GET /API/shape-tag/')).toEqual(['lowres', 'original']);
    expect(await told(world, 'GET /API/shape-tag/original')).toEqual({});
    await prepare(world, [ask(`PUT ${tag}`, {})]);
    expect(await uris(world, 'GET /API/shape-tag')).toEqual(['lowres', 'original', 'web']);
    expect(await uris(world, 'GET /API/shape-tag?first=3&number=1')).toEqual(['web']);
    expect((await uris(world, 'GET /API/shape-tag?url=true'))[2]).toMatch(/^http.*\/API\/shape-tag\/web$/);
    const text = await world.send({ as: admin, request: 'GET /API/shape-tag', headers: { accept: 'text/plain' } });
    expect(text.body).toBe('lowres\r\noriginal\r\nweb\r\n');
  });

  it('refuses names of another form, those of the release, and what is no preset', async () => {
    const world = await entry.open();
    for (const name of ['__mp4', 'a%20b', 'x'.repeat(65), 'storage-rule.x:', 'notification']) {
      const answer = await world.send(ask(`PUT /API/shape-tag/${name}`, {}));
      expect(answer.status, name).toBe(400);
    }
    const rows = [
      ['', 400],
      ['{', 400],
      ['{"video":{"bitrate":"fast"}}', 400],
      ['<TranscodePresetDocument>', 400],
    ] as const;
    for (const [body, status] of rows) {
      await playScenario(world, { as: admin, request: `PUT ${tag}`, body, name: body, status });
    }
    expect(await uris(world, 'GET /API/shape-tag')).toEqual(['lowres', 'original']);
  });

  it('deletes a tag but original; a shape keeps the name', async () => {
    const world = await entry.open();
    await prepare(world, [ask(`PUT ${tag}`, {}), ask(`PUT ${tag}/metadata`, { field: [{ key: 'k', value: 'v' }] })]);
    await playScenario(world, { ...ask(`DELETE ${tag}`), name: 'delete', status: 200, says: { exact: '' } });
    const missing = { jsonPart: { notFound: { type: 'shape-tag', id: 'web' } } };
    for (const method of ['GET', 'DELETE']) {
      await playScenario(world, { ...ask(`${method} ${tag}`), name: method, status: 404, says: missing });
    }
    for (const name of ['original', '__mp4']) {
      await playScenario(world, { ...ask(`DELETE /API/shape-tag/${name}`), name, status: 400 });
    }
    expect(await world.service.store.read("SELECT * FROM key_value WHERE entity_type = 'shape-tag'")).toEqual([]);
  });

  it('asks for the roles of shape tags', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(viewer, ['_shape_tag_read'])]);
    expect((await world.send(ask('GET /API/shape-tag', undefined, viewer))).status).toBe(200);
    await playScenario(world, { ...ask(`PUT ${tag}`, {}, viewer), name: 'write', status: 403 });
  });
});
