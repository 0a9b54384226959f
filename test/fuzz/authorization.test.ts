import { expect, it } from 'vitest';
import { fuzzSeconds as seconds } from '../support/long.ts';
import { basic } from '../support/matrix.ts';
import { type Dice, dice } from '../support/random.ts';
import { admin, withService } from '../support/service.ts';

const seed = Number(process.env['PORTICO_FUZZ_SEED'] ?? Date.now() % 0x7fffffff);

const encoded = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

const corpus: readonly string[] = [
  basic(admin),
  encoded('admin:'),
  encoded(':password'),
  encoded('admin'),
  encoded('jörg:pässwörd'),
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  'token abcdef',
  'Digest username="admin", realm="x"',
  'Basic',
  '',
];

const pieces = [
  ...[
    'Basic ',
    'basic',
    'BASIC\t',
    'Bearer ',
    'token ',
    ' ',
    '\t',
    ',',
    ', ',
    '=',
    '==',
    ':',
    ';',
    '"',
    '\\',
    '-',
    '_',
  ],
  ...['AAAA', '////', '++++', 'OjpB', 'gICA', '\xff', '\xe9', '%3a', '__proto__', 'null', 'x'.repeat(200)],
];

function mutate(text: string, roll: Dice): string {
  let out = text;
  for (let edits = roll(5); edits >= 0; edits--) {
    const at = roll(out.length + 1);
    const until = Math.min(out.length, at + roll(8));
    const piece = pieces[roll(pieces.length)]!;
    const kinds = [
      () => out.slice(0, at) + piece + out.slice(at),
      () => out.slice(0, at) + out.slice(until),
      () => out.slice(0, until) + out.slice(at),
      () => out.slice(0, at) + String.fromCharCode(0x20 + roll(0x5f)) + out.slice(until),
    ];
    out = kinds[roll(kinds.length)]!();
  }
  return out;
}

/** Reads the header independently: exact credentials of admin, or none. */
function isAdmin(header: string): boolean {
  const match = /^basic ([A-Za-z0-9+/]+)(={0,2})$/i.exec(header.trim());
  if (!match || match[1]!.length % 4 === 1) return false;
  const padding = (4 - (match[1]!.length % 4)) % 4;
  if (match[2] !== '' && match[2]!.length !== padding) return false;
  return Buffer.from(match[1]!, 'base64').equals(Buffer.from(admin.join(':')));
}

it(
  `an Authorization header is exact credentials or a 401: seed ${seed}`,
  async () => {
    const { service } = await withService({ settings: { loginDelayMost: 0 } });
    const roll = dice(seed);
    const until = Date.now() + seconds * 1000;
    let tried = 0;
    let admitted = 0;
    while (tried < 2 * corpus.length + 200 || Date.now() < until) {
      const header = tried < corpus.length ? corpus[tried]! : mutate(corpus[roll(corpus.length)]!, roll);
      tried++;
      const headers = new Headers({ authorization: header });
      const response = await service.fetch(new Request('http://portico.test/API/whoami', { headers }));
      const expected = isAdmin(header) ? 200 : 401;
      expect(response.status, `PORTICO_FUZZ_SEED=${seed}: ${JSON.stringify(header)}`).toBe(expected);
      if (expected === 200) admitted++;
    }
    expect(admitted).toBeGreaterThan(0);
    expect(tried).toBeGreaterThan(corpus.length);
  },
  (seconds + 180) * 1000,
);
