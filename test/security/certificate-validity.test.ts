import { describe, expect, it } from 'vitest';
import { oauth2Problems } from '../../filters/bearer/login.ts';
import { bench } from '../filters/support.ts';
import { newUser } from '../support/cast.ts';
import { startOfTime } from '../support/clock.ts';
import { audience, type CertificateOptions, certificateOf, claims, pair, signed } from '../support/keys.ts';
import { describeMatrix } from '../support/matrix.ts';
import { prepare } from '../support/scenario.ts';
import { bearerIni, storeOAuth2, toldOf } from '../support/ways.ts';

const minute = 60_000;
const key = pair('RSA');
const dates = (from: number, until: number): CertificateOptions => ({
  from: new Date(startOfTime + from * minute),
  until: new Date(startOfTime + until * minute),
});
const certificate = (options: CertificateOptions) => certificateOf(key, options).toString('base64');
const token = signed(key, claims());
const usage = { signatures: 0x80, encryption: 0x20, authorities: 0x06 };

const bad: readonly (readonly [string, CertificateOptions, string])[] = [
  ['has expired', dates(-60, -1), 'expired on 2029-12-31T23:59:00.999Z'],
  ['is not valid yet', dates(1, 60), 'valid from 2030-01-01T00:01:00.000Z'],
  [
    'expired in the last century',
    { from: new Date('1990-01-01'), until: new Date('1999-12-31T23:59:59Z') },
    'expired on 1999-12-31T23:59:59.999Z',
  ],
  [
    'is valid from 2050 on',
    { from: new Date('2050-01-01'), until: new Date('2060-01-01') },
    'valid from 2050-01-01T00:00:00.000Z',
  ],
  [
    'is for the encryption of keys',
    { ...dates(-60, 60), usage: usage.encryption },
    'its key usage has no signatures (it expires on 2030-01-01T01:00:00.999Z)',
  ],
  [
    'is for authorities',
    { ...dates(-60, 60), usage: usage.authorities },
    'its key usage has no signatures (it expires on 2030-01-01T01:00:00.999Z)',
  ],
];

describe.each(bad)('a certificate that %s', (_what, options, problem) => {
  const configuration = { x509Certificate: [certificate(options)], expectedAudience: audience, tokenUser: 'user' };
  const explanation = `Expected a certificate that is valid now: ${problem} (x509Certificate 1)`;

  it('is an error of the configuration, with the date', async () => {
    expect(await oauth2Problems(configuration, startOfTime)).toEqual([{ element: 'x509Certificate', explanation }]);
  });

  it('stops the start where security.ini has it', async () => {
    await expect(bench({ ini: configuration })).rejects.toThrow(explanation);
  });

  it('lets nobody in where it was stored all the same', async () => {
    const { told, host } = await bench({ api: configuration });
    expect(await told(token)).toBe('401 certificate-not-valid');
    expect(await told(token)).toBe('401 certificate-not-valid');
    expect(host.logged).toEqual([`level warn event certificate-not-valid key x509Certificate 1 problem ${problem}`]);
    expect(await told(signed(pair('RSA stranger'), claims()))).toBe('401 signature-wrong');
  });

  it('lets nobody in where it was downloaded', async () => {
    const xml = `<EntityDescriptor><KeyDescriptor use="signing"><X509Certificate>${configuration.x509Certificate[0]}</X509Certificate></KeyDescriptor></EntityDescriptor>`;
    const api = { federationMetadataURI: 'https://idp.example/', expectedAudience: audience, tokenUser: 'user' };
    const backend = () => new Response(xml);
    expect(await (await bench({ api, backend })).told(token)).toBe('401 certificate-not-valid');
    const insecure = await bench({ api, backend, ini: { insecureCertificates: true } });
    expect(await insecure.told(token)).toBe('accept alice');
  });

  it('counts where security.ini says that it is insecure on purpose', async () => {
    const insecureCertificates = true;
    expect(await oauth2Problems(configuration, startOfTime, { insecureCertificates, allowPlainText: false })).toEqual(
      [],
    );
    for (const given of [
      { ini: { ...configuration, insecureCertificates } },
      { api: configuration, ini: { insecureCertificates } },
    ]) {
      expect(await (await bench(given)).told(token)).toBe('accept alice');
    }
  });
});

const fine: readonly (readonly [string, CertificateOptions])[] = [
  ['until this very second', dates(-60, 0)],
  ['from this very second on', dates(0, 60)],
  ['beyond 2050', { from: new Date(startOfTime), until: new Date('2090-01-01') }],
  ['for signatures', { ...dates(-60, 60), usage: usage.signatures }],
  ['for signatures and encryption', { ...dates(-60, 60), usage: 0xa0 }],
];
it.each(fine)('a certificate that is valid %s lets its tokens in', async (_what, options) => {
  const ini = { x509Certificate: [certificate(options)], expectedAudience: audience, tokenUser: 'user' };
  expect(await (await bench({ ini })).told(token)).toBe('accept alice');
});

it('an expired certificate does not disable another one', async () => {
  const other = certificateOf(pair('P-256'), dates(-60, 60)).toString('base64');
  const api = { x509Certificate: [certificate(dates(-60, -1)), other], expectedAudience: audience, tokenUser: 'user' };
  const { told } = await bench({ api });
  expect(await told(signed(pair('P-256'), claims()))).toBe('accept alice');
  expect(await told(token)).toBe('401 certificate-not-valid');
});

describeMatrix('a certificate that expires while the service runs', (entry) => {
  it('ends its tokens at that moment, also those that are remembered', async () => {
    const world = await entry.open();
    await prepare(world, [newUser(['alice', 'p'])]);
    const x509Certificate = [certificate(dates(-60, 10))];
    await storeOAuth2(world, { x509Certificate, expectedAudience: audience, tokenUser: 'user' });
    expect(await toldOf(world, token)).toBe('200 alice');
    await world.clock.advance(10 * minute + 999);
    expect(await toldOf(world, token)).toBe('200 alice');
    await world.clock.advance(1);
    expect(await toldOf(world, token)).toBe('401 certificate-not-valid');
  });

  it('is told with its date by a start with the same file', async () => {
    const world = await entry.open();
    const statements = [
      `oauth2Auth.x509Certificate = ${certificate(dates(-60, -1))}`,
      `oauth2Auth.expectedAudience = ${audience}`,
      'oauth2Auth.issuer = https://issuer.example',
    ];
    world.expectErrors('security-finding');
    const { applied, findings } = await world.service.configure(bearerIni(statements));
    expect([applied, findings.map(({ code, message }) => `${code}: ${message}`)]).toEqual([
      false,
      ['not-made: Expected a certificate that is valid now: expired on 2029-12-31T23:59:00.999Z (x509Certificate 1)'],
    ]);
  });
});
