import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { asCloudEvent } from '../../../src/administration/notifications/cloud-event.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { openWorld, receiving, register, within } from '../../support/receiver.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** The rules of CloudEvents 1.0 for an event with these attributes. */
function checkRules(event: Attributes): void {
  for (const name of Object.keys(event)) expect(name, 'lower-case letters and digits').toMatch(/^[a-z0-9]{1,20}$/);
  for (const name of ['id', 'source', 'type', 'subject']) {
    expect(event[name], `${name} is a text that is not empty`).toEqual(expect.stringMatching(/./));
  }
  expect(event['specversion']).toBe('1.0');
  expect(URL.canParse(String(event['source']), 'http://portico.example'), 'a reference to an address').toBe(true);
  expect(event['time'], 'RFC 3339').toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/);
  expect(event['datacontenttype'], 'a media type').toMatch(/^[\w.+-]+\/[\w.+-]+/);
}

const attributesIn = (headers: Readonly<Record<string, unknown>>): Attributes => ({
  ...Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('ce-') ? [[name.slice(3), decodeURIComponent(String(value))]] : [],
    ),
  ),
  datacontenttype: headers['content-type'],
});

describeMatrix('a notification that asks for CloudEvents', (entry) => {
  it('sends a structured event, signed, under the same id again', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    receiver.script({ status: 503 });
    const id = await register(world, { url: receiver.address, contentType: 'application/cloudevents+json', retry: 3 });
    const secret = await world.send({ as: admin, request: `POST /API/group/notification/${id}/secret` });
    await prepare(world, [{ as: admin, request: 'PUT /API/group/editors' }]);
    await within(world, 20_000);
    expect(receiver.received).toHaveLength(2);
    const [first, second] = receiver.received.map(({ body }) => JSON.parse(body));
    for (const event of [first, second]) checkRules(event);
    const { data, ...attributes } = second;
    expect(attributes).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(new RegExp(`^${id}_\\d+$`)),
      source: '/API/group',
      type: 'portico.group.create',
      subject: 'group/editors',
      time: '2030-01-01T00:00:00.000Z',
      datacontenttype: 'application/json',
    });
    expect(data.field).toContainEqual({ key: 'group', value: 'editors' });
    expect([first.id, first.time]).toEqual([second.id, second.time]);
    const { headers, body } = receiver.received[1]!;
    expect(headers['content-type']).toBe('application/cloudevents+json');
    expect(headers['webhook-id']).toBe(second.id);
    expect(secret.status).toBe(200);
    const signature = new Webhook(/whsec_[\w+/=]+/.exec(secret.body)![0]);
    const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const late = new Date(Number(headers['webhook-timestamp']) * 1000);
    expect(late.getTime()).toBeGreaterThan(0);
    expect(signature.sign(second.id, late, body)).toBe(signed['webhook-signature']!.split(' ')[0]);
  });

  it('sends its usual body as a binary event, with the attributes as headers', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    const contentType = 'text/plain; charset=utf-8; cloudevents=binary';
    await register(world, { url: receiver.address, contentType });
    await prepare(world, [{ as: admin, request: `PUT /API/group/${encodeURIComponent('ä "b')}` }]);
    await world.service.tick();
    const { headers, body } = receiver.received[0]!;
    const event = attributesIn(headers);
    checkRules(event);
    expect(event).toMatchObject({ type: 'portico.group.create', subject: 'group/ä "b' });
    expect(headers['ce-subject']).toBe('group/%C3%A4%20%22b');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toMatch(/^\{.*action=\[CREATE\]/);
  });

  it('is no such event where it asks for none', async () => {
    const world = await openWorld(entry);
    const receiver = await receiving();
    await register(world, { url: receiver.address });
    await prepare(world, [{ as: admin, request: 'PUT /API/group/editors' }]);
    await world.service.tick();
    expect(Object.keys(receiver.received[0]!.headers).filter((name) => name.startsWith('ce-'))).toEqual([]);
    expect(JSON.parse(receiver.received[0]!.body)).not.toHaveProperty('specversion');
  });
});

describe('attributes of an event in headers', () => {
  it.each(['a\r\nx-evil: 1', 'a\u0000b', '\ud800', '😀', 'a"b%c d'])(
    'cannot bring a header of their own: %j',
    (subject) => {
      const event = { id: '1', source: '/API/group', type: 'portico.group.create', time: '', subject };
      const sent = asCloudEvent({ contentType: 'text/plain', body: '' }, 'binary', event);
      const { headers } = sent as { headers: Record<string, string> };
      expect(headers['ce-subject']).toMatch(/^[!#-~]+$/);
      expect(decodeURIComponent(headers['ce-subject']!)).toBe(subject.toWellFormed());
    },
  );
});
