import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { oauth2Problems } from '../../filters/bearer/login.ts';
import { filterComponents } from '../../filters/index.ts';
import { filterRequest, testHost } from '../../src/kit/testing/index.ts';

/** Valid from 2020 to 2090. Its key was thrown away. */
const certificate =
  'MIIBLTCB1KADAgECAgEBMAoGCCqGSM49BAMCMBcxFTATBgNVBAMMDHBvcnRpY28gdGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMDkwMDEwMTAwMDAwMFow' +
  'FzEVMBMGA1UEAwwMcG9ydGljbyB0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEhhSdr18xJ+D6Va1QnPpHgi8+L/7AIwThDWiHvZqGulXz+Y0v' +
  'kQGtyPOwNnol7Co1vhHGxD5rhRmCZG+90x0nXKMPMA0wCwYDVR0PBAQDAgCAMAoGCCqGSM49BAMCA0gAMEUCIQC87POaJ1b6ozhC03wLYsW1YxVaQpL4' +
  'DLJnbHtlWllmOAIgF9uXykqeLziqdQuNtcaVotXnAw6cfSGGRI6oa9v1dzg=';

/** Keys and signatures are the platform's, and each has its own. */
export function describeBearer(): void {
  describe('bearer tokens', () => {
    it.each(['RS256', 'PS512', 'ES256', 'ES384', 'EdDSA'])('are verified by a key: %s', async (alg) => {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
      const rules = { expectedAudience: 'portico', tokenUser: 'sub' };
      const host = testHost();
      const ends = host.now() + 60_000;
      const token = await new SignJWT({ sub: 'alice', aud: 'portico', exp: ends / 1000 })
        .setProtectedHeader({ alg })
        .sign(privateKey);
      for (const text of [await exportSPKI(publicKey), JSON.stringify(await exportJWK(publicKey))]) {
        const filter = await filterComponents['portico.OAuth2Filter']!.create({ publicKey: [text], ...rules }, host);
        const ask = (given: string) =>
          filter.check(
            filterRequest({
              headers: { authorization: `Bearer ${given}` },
              users: [{ name: 'alice', enabled: true }],
            }),
          );
        for (const _time of ['first', 'remembered']) {
          expect(await ask(token)).toEqual({ verdict: 'accept', account: { name: 'alice', ends } });
        }
        const [header, payload, signature] = token.split('.');
        const other = signature!.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
        expect(await ask(`${header}.${payload}.${other}`)).toMatchObject({ reason: 'signature-wrong' });
      }
    });

    it('may be of a certificate, whose dates are read', async () => {
      const configuration = { x509Certificate: [certificate], expectedAudience: 'portico' };
      expect(await oauth2Problems(configuration, Date.UTC(2030, 0))).toEqual([]);
      expect(await oauth2Problems(configuration, Date.UTC(2091, 0))).toMatchObject([{ element: 'x509Certificate' }]);
    });
  });
}
