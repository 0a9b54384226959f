import { describe, expect, it, onTestFinished } from 'vitest';
import type { Wire } from '../../src/core/outbound/wire.ts';
import type { OAuth2Configuration } from '../../src/spi/index.ts';
import { bench, trusting } from '../filters/support.ts';
import { newUser } from '../support/cast.ts';
import { audience, certificateOf, claims, jwk, type Pair, pair, signed } from '../support/keys.ts';
import { describeMatrix, type Entry, type World } from '../support/matrix.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { prepare } from '../support/scenario.ts';
import type { ServiceOptions } from '../support/service.ts';
import { bearerIni, storeOAuth2, toldOf } from '../support/ways.ts';

const [good, stranger] = [pair('P-256'), pair('P-256 stranger')];
const keySet = (...keys: readonly Pair[]) =>
  JSON.stringify({ keys: keys.map((key, index) => ({ ...jwk(key), kid: `k${index}` })) });
const token = (header: object = {}, by = good) => signed(by, claims(), header);

const metadata = (federationMetadataURI: string): OAuth2Configuration => ({
  federationMetadataURI,
  federationMetadataInterval: 86_400,
  expectedAudience: audience,
  tokenUser: 'user',
});
const endpoint = (validationEndpoint: string): OAuth2Configuration => ({ validationEndpoint, tokenUser: 'user' });
const ways = [
  ['metadata', metadata],
  ['an endpoint', endpoint],
] as const;

async function open(entry: Entry, options: ServiceOptions = {}): Promise<World> {
  const world = await entry.open(options);
  await prepare(world, [newUser(['alice', 'p'])]);
  return world;
}

async function receiver(): Promise<Receiver> {
  const made = await openReceiver();
  onTestFinished(() => made.close());
  return made;
}

/** A network that is made up, below the address policy: where names lead, one answer after the other, and what was sent where. */
function network(names: Readonly<Record<string, readonly string[]>>, documents: Readonly<Record<string, string>> = {}) {
  const sent: string[] = [];
  const looked: string[] = [];
  const wire: Wire = {
    resolve: async (host) => {
      const answers = names[host] ?? [];
      const turn = looked.filter((each) => each === host).length;
      looked.push(host);
      const found = answers[Math.min(turn, answers.length - 1)];
      return found === undefined ? [] : [found];
    },
    send: async (address, { url }) => {
      sent.push(`${address} ${url.href}`);
      const body = documents[url.href] ?? keySet(good);
      return { status: 200, headers: new Headers(), body: [new TextEncoder().encode(body)] as never };
    },
  };
  return { wire, sent, looked };
}

describeMatrix('a token that brings its own key', (entry) => {
  it('in jwk, x5c, jku or x5u of its header is refused, and no request leaves', async () => {
    const elsewhere = await receiver();
    const { wire, sent } = network({ 'evil.example': ['93.184.216.34'] });
    const world = await open(entry, { wire });
    await storeOAuth2(world, trusting(good));
    const certificate = certificateOf(stranger).toString('base64');
    const headers: readonly object[] = [
      { jwk: jwk(stranger) },
      { jwk: { ...jwk(stranger), kid: 'k0' }, kid: 'k0' },
      { x5c: [certificate] },
      { jku: 'https://evil.example/keys' },
      { jku: `${elsewhere.address}/keys` },
      { x5u: 'https://evil.example/certificate' },
      { x5u: `${elsewhere.address}/certificate`, x5c: [certificate], jwk: jwk(stranger), jku: elsewhere.address },
    ];
    for (const header of headers) {
      const reason = await toldOf(world, token(header, stranger));
      expect([header, reason]).toEqual([header, '401 signature-wrong']);
      // The same header with a key of ours is a token like any other.
      expect(await toldOf(world, token(header))).toBe('200 alice');
    }
    expect([sent, elsewhere.received]).toEqual([[], []]);
  });

  it('by a name that is a path, a query or an object is refused, and the name is only a name', async () => {
    const world = await open(entry);
    await storeOAuth2(world, { ...trusting(good), publicKey: [JSON.stringify({ ...jwk(good), kid: 'k0' })] });
    const names = [
      ...['../../../../dev/null', '/etc/passwd', 'file:///dev/null', '..%2f..%2fkeys', 'k0\0', 'C:\\keys\\k0'],
      ...["' OR '1'='1", "k0' UNION SELECT 'key' --", '"; DROP TABLE user; --', '$(id)', '`id`', '{{7*7}}', '#{7*7}'],
      ...['__proto__', 'constructor', 'k0', '', 'x'.repeat(4000), null, 0, true, ['k0'], { kid: 'k0' }],
    ];
    for (const kid of names) {
      expect([kid, await toldOf(world, token({ kid }, stranger))]).toEqual([kid, '401 signature-wrong']);
      expect([kid, await toldOf(world, token({ kid }))]).toEqual([kid, '200 alice']);
    }
  });
});

describe('a storm of tokens with unknown keys', () => {
  it('causes one download per cool-down, at most', async () => {
    const documents = { set: keySet(good) };
    const { told, host } = await bench({
      api: metadata('https://idp.example/keys'),
      backend: () => new Response(documents.set),
    });
    const soon = (header: object, by?: Pair) => signed(by ?? good, claims({ exp: host.now() / 1000 + 60 }), header);
    expect(await told(soon({}))).toBe('accept alice');
    expect(host.requests).toHaveLength(1);
    for (let round = 1; round <= 3; round++) {
      await host.clock.advance(30_000);
      for (let batch = 0; batch < 10; batch++) {
        const storm = Array.from({ length: 100 }, (_, index) =>
          told(soon({ kid: `${round}-${batch}-${index}` }, stranger)),
        );
        expect(new Set(await Promise.all(storm))).toEqual(new Set(['401 signature-wrong']));
      }
      expect(host.requests).toHaveLength(1 + round);
    }
    // A good key is accepted throughout, and the new key of a provider is found.
    expect(await told(soon({}))).toBe('accept alice');
    documents.set = keySet(good, pair('P-256 second'));
    expect(await told(soon({ kid: 'k1' }, pair('P-256 second')))).toBe('401 signature-wrong');
    await host.clock.advance(30_000);
    expect(await told(soon({ kid: 'k1' }, pair('P-256 second')))).toBe('accept alice');
  });

  it('does not make requests wait for a provider that hangs', async () => {
    let hangs = false;
    const { told, host } = await bench({
      api: metadata('https://idp.example/keys'),
      backend: () => (hangs ? new Promise<Response>(() => {}) : new Response(keySet(good))),
    });
    expect(await told(token())).toBe('accept alice');
    hangs = true;
    await host.clock.advance(30_000);
    const waits = told(token({ kid: 'x' }, stranger));
    while (host.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await told(token({ kid: 'k0' }))).toBe('accept alice');
    await host.clock.advance(10_000);
    expect(await waits).toBe('401 signature-wrong');
    expect(await told(token({ kid: 'y' }, stranger))).toBe('401 signature-wrong');
    expect(host.requests).toHaveLength(2);
  });
});

describe.each(ways)('%s that the API names', (way, configuration) => {
  const refused = way === 'metadata' ? '503 provider-unavailable' : '503 provider-unavailable';

  describeMatrix('behind a private address', (entry) => {
    const addresses = [
      ...[
        '127.0.0.1',
        '10.0.0.7',
        '172.16.0.1',
        '192.168.1.1',
        '169.254.169.254',
        '100.100.100.200',
        '0.0.0.0',
        '2130706433',
        '0x7f.1',
      ],
      ...[
        '[::1]',
        '[::]',
        '[fd00:ec2::254]',
        '[fe80::1]',
        '[::ffff:127.0.0.1]',
        '[64:ff9b::a00:7]',
        'localhost',
        'a.localhost',
      ],
    ];
    it('is not reached, however the address is written', async () => {
      const { wire, sent } = network({ localhost: ['127.0.0.1'], 'a.localhost': ['127.0.0.1'] });
      const world = await open(entry, { wire });
      for (const address of addresses) {
        await storeOAuth2(world, configuration(`https://${address}/x`));
        expect([address, await toldOf(world, token())]).toEqual([address, refused]);
      }
      expect(sent).toEqual([]);
    });

    it('is not reached by a name that leads there', async () => {
      const { wire, sent, looked } = network({ 'idp.example': ['10.0.0.7'] });
      const world = await open(entry, { wire });
      await storeOAuth2(world, configuration('https://idp.example/x'));
      expect(await toldOf(world, token())).toBe(refused);
      expect([sent, looked]).toEqual([[], ['idp.example']]);
    });

    it('is not reached by a name that leads elsewhere while it is looked at', async () => {
      const { wire, sent } = network(
        { 'idp.example': ['93.184.216.34', '10.0.0.7'] },
        { 'https://idp.example/x': '{}' },
      );
      const world = await open(entry, { wire });
      await storeOAuth2(world, configuration('https://idp.example/x'));
      for (let round = 0; round < 3; round++) {
        await toldOf(world, token({}, round === 0 ? good : stranger));
        await world.clock.advance(31_000);
      }
      expect(sent).toEqual(['93.184.216.34 https://idp.example/x']);
    });

    it('is not reached on a real socket either', async () => {
      const inside = await receiver();
      const world = await open(entry);
      await storeOAuth2(world, configuration(inside.address));
      expect(await toldOf(world, token())).toBe(refused);
      expect(inside.received).toEqual([]);
    });
  });

  describeMatrix('that answers with a redirect', (entry) => {
    it('leads nowhere else', async () => {
      const [first, second] = [await receiver(), await receiver()];
      const world = await open(entry, { settings: { outboundAllow: ['127.0.0.1'] } });
      await storeOAuth2(world, configuration(`${first.address}/x`));
      for (const status of [301, 302, 303, 307, 308]) {
        first.script({ status, headers: { location: `${second.address}/y` } });
        expect([status, await toldOf(world, token({}))]).toEqual([status, refused]);
        await world.clock.advance(31_000);
      }
      expect([first.received.length, second.received]).toEqual([5, []]);
    });
  });

  describeMatrix('that answers without an end', (entry) => {
    it('is read no further than its limit', async () => {
      const provider = await receiver();
      provider.script({ body: `${' '.repeat(2_000_000)}{}` });
      const world = await open(entry, { settings: { outboundAllow: ['127.0.0.1'] } });
      await storeOAuth2(world, configuration(provider.address));
      expect(await toldOf(world, token())).toBe(refused);
      expect(world.lines.some((line) => JSON.stringify(line).includes('at most'))).toBe(true);
    });
  });
});

describeMatrix('a discovery document', (entry) => {
  const leadsTo = (jwks_uri: string) => ({ 'https://idp.example/d': JSON.stringify({ jwks_uri }) });

  it('leads to no private address', async () => {
    const targets = [
      'https://10.0.0.7/keys',
      'https://keys.example/keys',
      'http://127.0.0.1/keys',
      'http://idp.example/keys',
      'file:///keys',
      'https://user:password@idp.example/keys',
    ];
    for (const target of targets) {
      const { wire, sent } = network(
        { 'idp.example': ['93.184.216.34'], 'keys.example': ['192.168.0.1'] },
        leadsTo(target),
      );
      const world = await open(entry, { wire });
      await storeOAuth2(world, metadata('https://idp.example/d'));
      expect([target, await toldOf(world, token())]).toEqual([target, '503 provider-unavailable']);
      expect(sent).toEqual(['93.184.216.34 https://idp.example/d']);
    }
  });

  it('leads to keys of another public host, once and no further', async () => {
    const names = { 'idp.example': ['93.184.216.34'], 'keys.example': ['93.184.216.35'] };
    const { wire, sent } = network(names, leadsTo('https://keys.example/keys'));
    const world = await open(entry, { wire });
    await storeOAuth2(world, metadata('https://idp.example/d'));
    expect(await toldOf(world, token())).toBe('200 alice');
    expect(sent).toEqual(['93.184.216.34 https://idp.example/d', '93.184.216.35 https://keys.example/keys']);
  });

  it('that security.ini names may be here, and so may keys beside it, but not keys elsewhere in here', async () => {
    const [provider, other] = [await receiver(), await receiver()];
    const statements = [
      `oauth2Auth.federationMetadataURI = ${provider.address}/d`,
      `oauth2Auth.expectedAudience = ${audience}`,
      'oauth2Auth.tokenUser = user',
    ];
    const world = await open(entry, { security: bearerIni(statements) });
    provider.script({ body: JSON.stringify({ jwks_uri: `${other.address}/keys` }) });
    expect(await toldOf(world, token())).toBe('503 provider-unavailable');
    expect(other.received).toEqual([]);
    await world.clock.advance(31_000);
    provider.script({ body: JSON.stringify({ jwks_uri: `${provider.address}/keys` }) }, { body: keySet(good) });
    expect(await toldOf(world, token())).toBe('200 alice');
  });
});
