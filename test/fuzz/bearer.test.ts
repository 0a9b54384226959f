import { expect, it } from 'vitest';
import { bench, trusting } from '../filters/support.ts';
import { claims, pair, signed } from '../support/keys.ts';
import { fuzzSeconds as seconds } from '../support/long.ts';
import { type Dice, dice } from '../support/random.ts';

const seed = Number(process.env['PORTICO_FUZZ_SEED'] ?? Date.now() % 0x7fffffff);

const pieces = [
  ...[
    '"alg":"none"',
    '"alg":"HS256"',
    '"alg":"RS256"',
    '"alg":["ES256"]',
    '"kid":"x"',
    '"crit":["exp"]',
    '"b64":false',
  ],
  ...['"exp":9999999999', '"exp":"1"', '"exp":-1', '"aud":null', '"aud":[]', '"sub":7', '"user":"admin"', '"user":[]'],
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\u0061', '\0', '\xff', '\ud800', '__proto__', '.', '=', '-', '1e999'],
];

function mutate(text: string, roll: Dice): string {
  let out = text;
  for (let edits = roll(3); edits >= 0; edits--) {
    const at = roll(out.length + 1);
    const until = Math.min(out.length, at + roll(6));
    out = out.slice(0, at) + (roll(3) > 0 ? pieces[roll(pieces.length)]! : '') + out.slice(roll(2) > 0 ? at : until);
  }
  return out;
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/** Whether it is the same bytes, however the last of them are written. */
function means(token: string, good: string): boolean {
  const [[head, body, signature, ...more], original] = [token.split('.'), good.split('.')];
  const bytes = (text: string) => Buffer.from(text, 'base64url').toString('hex');
  const isText = signature !== undefined && signature.length % 4 !== 1;
  const sameText = head === original[0] && body === original[1] && more.length === 0;
  return sameText && isText && bytes(signature) === bytes(original[2]!);
}

it('no change of a token by somebody without the key lets anybody in, and none is an error of ours', async () => {
  const roll = dice(seed);
  const { told } = await bench({ api: trusting(pair('P-256'), pair('RSA')) });
  const header = '{"alg":"ES256","typ":"JWT"}';
  const payload = JSON.stringify(claims());
  const good = signed(pair('P-256'), payload, header);
  const [, , signature] = good.split('.');
  expect(await told(good)).toBe('accept alice');
  const until = Date.now() + seconds * 1000;
  for (let turn = 0; turn < 200 || Date.now() < until; turn++) {
    const [head, body] = [roll(2) > 0 ? mutate(header, roll) : header, roll(2) > 0 ? mutate(payload, roll) : payload];
    const label = `seed ${seed}: ${JSON.stringify([head, body])}`;
    const forged = `${encoded(head)}.${encoded(body)}.${signature}`;
    const same = forged === good;
    expect(await told(forged), label).toMatch(same ? /^accept alice$/ : /^401 [a-z-]+$/);
    const bent = mutate(good, roll).replace(/[^\w.-]/g, '');
    expect(await told(bent), `${label} ${bent}`).toMatch(means(bent, good) ? /^accept alice$/ : /^401 [a-z-]+$/);
    // Signed by who may: nobody but who the token names, and no error.
    const own = signed(pair('P-256'), body, head, 'ES256');
    expect(await told(own), label).toMatch(/^(?:401 [a-z-]+|accept alice)$/);
  }
});
