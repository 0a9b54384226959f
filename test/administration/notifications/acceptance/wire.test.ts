import { createHmac, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { type TriggerEvent, triggerEvents, triggers } from '../../../support/declared.ts';
import { within } from '../../../support/receiver.ts';
import { ask, openNet, register } from '../delivery/support.ts';

const minute = 60_000;

/** `whpk_…` as node knows public keys: what stands before one in SPKI, then the key. */
const publicKeyOf = (text: string) =>
  createPublicKey({
    key: Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(text.replace('whpk_', ''), 'base64'),
    ]),
    format: 'der',
    type: 'spki',
  });

describe('what leaves, at the highest bar', () => {
  it('signatures are verified by a published library and by node itself, also while a secret is exchanged', async () => {
    const world = await openNet();
    const { net, clock } = world;
    const id = await register(world, 'https://one/hook');
    const path = `/API/group/notification/${id}/secret`;
    const old = await ask(world, `POST ${path}?overlap=3600`);
    await ask(world, 'PUT /API/group/a');
    await within(world, minute);
    const young = await ask(world, `POST ${path}?overlap=3600`);
    await ask(world, 'PUT /API/group/b');
    await within(world, minute);
    await clock.advance(60 * minute);
    await ask(world, 'PUT /API/group/c');
    await within(world, minute);
    const [first, both, last] = net.sent;
    const good = async (
      { headers, body, at }: (typeof net.sent)[number],
      { secret, publicKey }: { secret: string; publicKey: string },
    ) => {
      const signatures = headers['webhook-signature']!.split(' ');
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const byNode = signatures.includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
      const byKey = signatures
        .filter((text) => text.startsWith('v1a,'))
        .some((text) =>
          verify(null, Buffer.from(signed), publicKeyOf(publicKey), Buffer.from(text.slice(4), 'base64')),
        );
      // The library compares with the time of its own clock.
      vi.useFakeTimers({ now: at, toFake: ['Date'] });
      let byLibrary = true;
      try {
        new Webhook(secret).verify(body, headers);
      } catch {
        byLibrary = false;
      } finally {
        vi.useRealTimers();
      }
      expect([byNode, byKey], 'they agree').toEqual([byLibrary, byLibrary]);
      return byLibrary;
    };
    expect([await good(first!, old), await good(first!, young)]).toEqual([true, false]);
    expect([await good(both!, old), await good(both!, young)]).toEqual([true, true]);
    expect([await good(last!, old), await good(last!, young)]).toEqual([false, true]);
  });

  it('429 with Retry-After 120: not before, and not much later; 410: switched off, visibly, and somebody is told', async () => {
    const world = await openNet();
    const { net, clock } = world;
    const id = await register(world, 'https://one/hook');
    let status = 429;
    const send = net.wire.send;
    Object.assign(net.wire, {
      send: async (...given: Parameters<typeof send>) => ({
        ...(await send(...given)),
        status,
        headers: new Headers({ 'retry-after': '120' }),
      }),
    });
    await ask(world, 'PUT /API/group/a');
    const asked = clock.now();
    const next = (await world.service.tick())!;
    expect(next - asked).toBe(120_000);
    await clock.advance(119_999);
    await world.service.tick();
    expect(net.sent).toHaveLength(1);
    status = 410;
    await clock.advance(1);
    await world.service.tick();
    expect(net.sent).toHaveLength(2);
    await ask(world, 'PUT /API/group/b');
    await within(world, 24 * 60 * minute);
    expect(net.sent).toHaveLength(2);
    expect(await ask(world, `GET /API/group/notification/${id}/health`)).toMatchObject({
      state: 'disabled',
      parked: 1,
    });
    expect((await world.events()).map(({ name }) => name)).toContain('notification/disabled');
  });

  const forbidden = [
    ...[
      '169.254.169.254',
      '127.0.0.1',
      '10.1.2.3',
      '100.64.0.1',
      '0.0.0.0',
      '172.16.0.1',
      '192.168.1.1',
      '192.0.0.1',
      '192.88.99.1',
    ],
    ...['198.18.0.1', '198.51.100.7', '203.0.113.7', '224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
    ...['::1', '::', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'ff02::1', '2001:db8::1', '3fff::1', '100::1', '5f00::1'],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:169.254.169.254',
      '64:ff9b::7f00:1',
      '64:ff9b:1::a00:1',
      '2002:7f00:1::',
      '2001:0:1::1',
    ],
  ];

  it.each(forbidden)(
    '6 a name that leads to %s by the time it is called: nothing leaves, and it is written down',
    async (address) => {
      const world = await openNet();
      const { net } = world;
      const id = await register(world, 'https://one/hook');
      await ask(world, 'PUT /API/group/a');
      await within(world, minute);
      expect(net.sent).toHaveLength(1);
      net.names.set('one', address);
      await ask(world, 'PUT /API/group/b');
      await within(world, minute);
      expect(net.sent).toHaveLength(1);
      const { delivery } = await ask(world, `GET /API/group/notification/${id}/delivery?state=parked`);
      expect(delivery).toMatchObject([{ entity: 'b', error: 'blocked' }]);
    },
  );

  it('a private range that is allowed can be called; metadata inside of one cannot', async () => {
    const world = await openNet({ outboundAllow: ['10.0.0.0/8', '169.254.0.0/16'] });
    const { net } = world;
    for (const [host, address] of [
      ['private', '10.9.8.7'],
      ['other', '192.168.0.1'],
      ['local', '169.254.7.7'],
      ['metadata', '169.254.169.254'],
    ] as const) {
      net.names.set(host, address);
      await register(world, `http://${host}/hook`);
    }
    await ask(world, 'PUT /API/group/a');
    await within(world, minute);
    expect(net.sent.map(({ address }) => address).sort()).toEqual(['10.9.8.7', '169.254.7.7']);
    expect((await world.service.store.read('SELECT count(*) FROM parked')).flat()).toEqual([2]);
  });

  const golden = (event: TriggerEvent, ending: string): string =>
    readFileSync(new URL(`../golden/${event.replaceAll('/', '-')}.${ending}`, import.meta.url), 'utf8');
  const forms = [
    ['application/xml', 'xml'],
    ['application/json', 'json'],
    ['text/plain', 'txt'],
  ] as const;

  it('the body of every trigger arrives as it was agreed, byte for byte', async () => {
    const world = await openNet();
    const { net } = world;
    const expected: string[] = [];
    for (const event of triggerEvents) {
      const { resource } = triggers.of(event);
      const path = resource === '/notification' ? '/API/notification' : `/API${resource}/notification`;
      let trigger: object = {};
      for (const element of event.split('/').reverse()) trigger = { [element]: trigger };
      for (const [contentType, ending] of forms) {
        const http = { url: `https://one/${ending}/${event}`, contentType };
        const id = await ask(world, `POST ${path}`, { action: { http }, trigger }, 'text/plain');
        await ask(world, `POST ${path}/${id}/test`);
        await within(world, 1_000);
        expected.push(golden(event, ending));
      }
    }
    // Samples name the client that asked for them as the user.
    expect(net.sent.map(({ body }) => body.replaceAll('admin', 'carol'))).toEqual(expected);
    expect(net.sent).toHaveLength(triggerEvents.length * forms.length);
  });
});
