import { describe, expect, it, vi } from 'vitest';
import { matcherComponents } from '../../plugins/index.ts';
import { sameBytes, sameText } from '../../plugins/matchers/digests.ts';
import type { CheckingMatcher } from '../../plugins/matchers/plain.ts';
import { createTurns } from '../../plugins/matchers/turns.ts';
import { make, secret, testHost } from '../realms/support.ts';
import { testClock } from '../support/clock.ts';

const original = 'org.apache.shiro.authc.credential.';
const matcher = async (name: string, given: Record<string, unknown> = {}, host = testHost()) =>
  (await make(matcherComponents[name]!, given, host)) as CheckingMatcher;
const matches = async (of: CheckingMatcher, given: string, stored: string, name = 'alice') =>
  of.matches(secret(given), secret(stored), { name });

const bcrypt = '$2y$10$7rOjsAf2U/AKKqpMpCIn6etuOXyQ86tp2Tn9xv6FyXl2T0QYc3.G.';
const argon2 = '$argon2id$v=19$m=4096,t=3,p=4$MTIzNDU2Nzg5MDEyMzQ1Ng$bjcHqfb0LPHyS13eVaNcBga9LF12I3k34H5ULt2gyoI';
const password = 'secret#shiro,password;Jo8opech';

/** Made by other programs: those of the original, and Python's hashlib. */
const known = [
  [bcrypt, password],
  [bcrypt.replace('2y', '2b'), password],
  [bcrypt.replace('2y', '2a'), password],
  [`$shiro2${bcrypt}`, password],
  [argon2, password],
  [`$shiro2${argon2}`, password],
  [
    '$shiro1$SHA-512$1$$sQnzu7wkTrgkQZF+0G1hi5AI3Qmzvv0bXgc5THBqi7mAsdd4Xll27ASbRt9fEyavWi6m0QP9B8lThf+rDKy8hg==',
    'password',
  ],
  ['$shiro1$SHA-256$3$c2FsdA==$sEWgBOJFk6iCo6wVsh4quVciGVIGVUtWm3lfkZEkNVY=', 'pässword'],
  ['$scrypt$ln=4,r=8,p=1$c2FsdHNhbHQ$Mw6NExh7u856/tGLuolJZNFRrKhkpLR6xFc6xjPfy4w', 'pässword'],
  ['$pbkdf2-sha256$i=1000,l=32$c2FsdHNhbHQ$6h4IQHL9HWR81h+An2xpgQd08jjehAg7eLRyOAYi/os', 'pässword'],
  [
    '$pbkdf2-sha512$1000$c2FsdHNhbHQ$G.1BfL9NZ.7pX1Kqu3bOIPPyYjBGnfYPyogikEjYNxEYrLr5zUVkLffEx9C9CpjE7G33i1YnJ0NvhrzX9.d8nA',
    'pw',
  ],
] as const;

describe('stored hashes that name their form', () => {
  it.each(known)('%s', async (stored, given) => {
    const of = await matcher('portico.PasswordMatcher');
    expect(of.defect(secret(stored))).toBeUndefined();
    expect(await matches(of, given, stored)).toBe(true);
    expect(await matches(of, `${given}x`, stored)).toBe(false);
    expect(await matches(of, '', stored)).toBe(false);
  });

  it('of scrypt are computed by the host, which takes turns', async () => {
    const calls: unknown[] = [];
    const host = testHost({
      scrypt: async (_password, _salt, parameters, length) => {
        calls.push(parameters);
        return new Uint8Array(length);
      },
    });
    await matches(
      await matcher('portico.PasswordMatcher', {}, host),
      'x',
      `$scrypt$ln=14,r=8,p=5$c2FsdA$${'A'.repeat(43)}`,
    );
    expect(calls).toEqual([{ cost: 14, block: 8, parallel: 5 }]);
  });

  it('of pbkdf2 are counted by hand where the runtime refuses that many', async () => {
    const refusing = vi.spyOn(crypto.subtle, 'deriveBits').mockRejectedValue(new Error('NotSupportedError'));
    const [stored, given] = known.at(-1)!;
    const of = await matcher('portico.PasswordMatcher');
    expect([await matches(of, given, stored), await matches(of, 'x', stored)]).toEqual([true, false]);
    refusing.mockRestore();
  });

  it('with a private salt of the installation', async () => {
    const stored = '$shiro1$SHA-256$500000$qvBT48YD2nz+w6FishMD+w==$KmYfTMAM5/iseXAux1GCZg5qz03qlweI05alDmzBFxU=';
    expect(
      await matches(await matcher('portico.PasswordMatcher', { privateSalt: secret(btoa('admin')) }), 'admin', stored),
    ).toBe(true);
    expect(await matches(await matcher('portico.PasswordMatcher'), 'admin', stored)).toBe(false);
  });
});

describe('stored texts that match nothing, and say so beforehand', () => {
  const salt = 'c2FsdHNhbHQ';
  const digest = 'A'.repeat(43);
  it.each([
    ['', 'none of the forms'],
    ['secret', 'none of the forms'],
    ['$shiro1$SHA-256$1$', 'none of the forms'],
    ['$shiro1$SHA-256$N$foo$foo', 'none of the forms'],
    [`$shiro1$argon2id$v=19$t=2,m=131072,p=4$${salt}$${digest}`, 'none of the forms'],
    [`$shiro1$WHIRLPOOL$1$${salt}$${digest}`, 'algorithm'],
    [`$shiro1$SHA-256$0$${salt}$${digest}`, 'iterations'],
    [`$shiro1$SHA-256$999999999$${salt}$${digest}`, 'iterations'],
    [`$shiro1$SHA-256$1$${salt}$`, 'cannot be read'],
    [`$shiro1$SHA-512$1$${salt}$${digest}`, 'cannot be read'],
    [bcrypt.replace('$10$', '$31$'), 'cost'],
    [bcrypt.replace('$10$', '$03$'), 'cost'],
    [bcrypt.slice(0, -1), 'none of the forms'],
    [argon2.replace('m=4096', 'm=4194304'), 'cost'],
    [argon2.replace('t=3', 't=900000'), 'cost'],
    [argon2.replace('p=4', 'm=4096'), 'cost'],
    [`$scrypt$ln=30,r=8,p=1$${salt}$${digest}`, 'cost'],
    [`$scrypt$ln=17,r=32,p=1$${salt}$${digest}`, 'cost'],
    [`$scrypt$ln=14,r=8,p=1$${salt}$`, 'cannot be read'],
    [`$pbkdf2-sha256$i=999999999$${salt}$${digest}`, 'iterations'],
    [`$pbkdf2-sha1$1000$${salt}$${digest}`, 'none of the forms'],
  ])('%s', async (stored, word) => {
    const of = await matcher('portico.PasswordMatcher');
    expect(of.defect(secret(stored))).toContain(word);
    for (const given of ['', stored, 'secret']) expect(await matches(of, given, stored)).toBe(false);
  });
});

describe('plain text', () => {
  it.each([
    ['secret', 'secret', true],
    ['secret', 'Secret', false],
    ['secret', 'secret1', false],
    ['pä', 'pä', true],
    ['', '', false],
    ['', 'x', false],
  ])('%j against %j: %s', async (given, stored, expected) => {
    expect(await matches(await matcher(`${original}SimpleCredentialsMatcher`), given, stored)).toBe(expected);
  });

  it('takes the same steps wherever a difference is', () => {
    expect(sameText('a', 'a')).toBe(true);
    expect(sameBytes(Uint8Array.of(1), Uint8Array.of(1, 2))).toBe(false);
    expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
  });
});

describe('digests', () => {
  const sha256 = '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8';
  it.each([
    ['in upper case', {}, sha256.toUpperCase(), true],
    ['in Base64', { storedCredentialsHexEncoded: false }, Buffer.from(sha256, 'hex').toString('base64'), true],
    ['in Base64, taken for hexadecimal', {}, Buffer.from(sha256, 'hex').toString('base64'), false],
    ['of another length', {}, sha256.slice(2), false],
    ['that is empty', {}, '', false],
    ['with another salt', { hashSalted: true }, sha256, false],
    [
      'of more iterations',
      { hashIterations: 2 },
      '73641c99f7719f57d8f4beb11a303afcd190243a51ced8782ca6d3dbe014d146',
      true,
    ],
  ])('%s', async (_what, given, stored, expected) => {
    expect(await matches(await matcher(`${original}Sha256CredentialsMatcher`, given), 'password', stored)).toBe(
      expected,
    );
  });

  it('that are broken or fast are compared with a word in the log', async () => {
    const host = testHost();
    const md5 = await matcher(`${original}Md5CredentialsMatcher`, { hashIterations: 200_000 }, host);
    await matcher(`${original}Sha512CredentialsMatcher`, { hashIterations: 200_000 }, host);
    expect(host.logged).toEqual([expect.stringContaining('weak-password-hash')]);
    expect(md5.defect(secret('x'))).toBe('it is no hexadecimal MD5 digest');
  });

  it('need an algorithm that is known', async () => {
    await expect(matcher(`${original}HashedCredentialsMatcher`, { hashAlgorithmName: 'CRC' })).rejects.toThrow(
      'SHA-256',
    );
    await expect(matcher(`${original}HashedCredentialsMatcher`)).rejects.toThrow('SHA-256');
    const { properties } = matcherComponents[`${original}HashedCredentialsMatcher`]!;
    expect(properties?.['hashAlgorithmName']?.check?.('CRC')).toContain('Expected one of');
    expect(properties?.['hashIterations']?.check?.(0)).toContain('Expected 1 to');
  });
});

it('refuses to let anybody in', async () => {
  await expect(matcher(`${original}AllowAllCredentialsMatcher`)).rejects.toThrow('accepts every password');
});

it('lets an old file name the service that compares', async () => {
  const passwordService = await matcher(`${original}DefaultPasswordService`);
  expect(await matcher(`${original}PasswordMatcher`, { passwordService })).toBe(passwordService);
});

describe('what matched is remembered', () => {
  const cost = 12;
  async function setUp(given: Record<string, unknown> = {}) {
    const clock = testClock();
    let computed = 0;
    const host = testHost({
      now: clock.now,
      scrypt: async (text, _salt, _parameters, length) => {
        computed++;
        return new Uint8Array(length).fill(text.length);
      },
    });
    const stored = `$scrypt$ln=${cost},r=8,p=1$c2FsdA$${btoa(String.fromCharCode(...new Uint8Array(32).fill(6)))}`;
    const of = await matcher('portico.PasswordMatcher', given, host);
    return { clock, of, stored, count: () => computed };
  }

  it('for a minute, for this user, this password and this hash', async () => {
    const { clock, of, stored, count } = await setUp();
    for (const _ of [1, 2, 3]) expect(await matches(of, 'secret', stored)).toBe(true);
    expect(count()).toBe(1);
    await matches(of, 'secret', stored, 'bob');
    await matches(of, 'terces', stored);
    await matches(of, 'secret', stored.replace('c2FsdA', 'c2FsdB'));
    expect(count()).toBe(4);
    await clock.advance(60_000);
    await matches(of, 'secret', stored);
    expect(count()).toBe(5);
  });

  it('and never what did not match', async () => {
    const { of, stored, count } = await setUp();
    for (const _ of [1, 2, 3]) expect(await matches(of, 'wrong', stored)).toBe(false);
    expect(count()).toBe(3);
  });

  it('unless it is switched off', async () => {
    const { of, stored, count } = await setUp({ rememberFor: 0 });
    for (const _ of [1, 2, 3]) await matches(of, 'secret', stored);
    expect(count()).toBe(3);
  });

  it('within a bound', async () => {
    const { of, stored, count } = await setUp();
    for (let i = 0; i <= 1000; i++) await matches(of, 'secret', stored, `user ${i}`);
    await matches(of, 'secret', stored, 'user 1000');
    expect(count()).toBe(1001);
    await matches(of, 'secret', stored, 'user 0');
    expect(count()).toBe(1002);
  });
});

describe('slow comparisons take turns', () => {
  it('two at once, and a bounded number that waits', async () => {
    const inTurn = createTurns(testHost());
    let [running, max] = [0, 0];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const task = async () => {
      max = Math.max(max, ++running);
      await gate;
      running--;
      return true;
    };
    const tasks = [...Array(67).keys()].map(() => inTurn(task).catch((error: Error) => error.message));
    setTimeout(release, 20);
    const answers = await Promise.all(tasks);
    expect(max).toBe(2);
    expect(answers.filter((answer) => answer !== true)).toEqual([expect.stringContaining('Too many passwords')]);
  });

  it('and leave the event loop to others meanwhile', async () => {
    const of = await matcher(`${original}Sha256CredentialsMatcher`, { hashIterations: 300_000 });
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await matches(of, 'password', '00'.repeat(32));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});
