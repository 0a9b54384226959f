import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/lib/secret.ts';
import { listenFor } from '../support/matrix.ts';
import { type RawAnswer, sendRaw } from '../support/raw.ts';
import { withService } from '../support/service.ts';

/** A request as the original was sent it, over a raw socket. */
interface Asked {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** Answer of the original, and the part of it that answered. */
interface Recorded {
  readonly id: string;
  readonly status: number;
  readonly by: 'app' | 'filter' | 'container' | 'error';
  readonly challenge?: string;
}

const malformed = 'what is not exactly credentials logs nobody in';
const wholeWord = 'the scheme must be the whole word: a prefix would make an attempt of what is another scheme';
const noChain = 'a path that no line of [urls] covers is refused, as the newest version does';
const twoMeanings = 'a form that could mean two things is refused before any filter';

/** Where we answer otherwise on purpose: what the answer is, and why. */
const differences: Readonly<Record<string, readonly [status: number, challenge: string | null, why: string]>> = {
  'default-043': [401, 'BASIC realm="serviceRealm"', `a third field: ${malformed}`],
  'default-044': [200, null, 'padding of base64 is optional, as many clients leave it out'],
  'default-047': [401, 'BASIC realm="serviceRealm"', `a comma after base64: ${malformed}`],
  'default-049': [401, 'BASIC realm="serviceRealm"', wholeWord],
  'default-054': [401, 'BASIC realm="serviceRealm"', wholeWord],
  'default-059': [401, 'BASIC realm="serviceRealm"', wholeWord],
  'default-062': [401, 'BASIC realm="serviceRealm"', 'two headers could mean two callers'],
  'default-068': [204, null, 'preflights carry no credentials: answered before the filters, as later versions do'],
  'default-069': [401, 'Session', 'a page of another origin opens no login window of the browser'],
  'default-071': [401, null, 'RunAs is ours: the end user does not exist'],
  'globals-005': [403, null, noChain],
  'globals-006': [403, null, noChain],
  ...Object.fromEntries(
    ['028', '029', '030', '031', '032', '040', '047', '058', '059', '060', '061'].map((id) => [
      `strict-${id}`,
      [400, null, twoMeanings] as const,
    ]),
  ),
};

const lines = (name: string) =>
  readFileSync(new URL(`./shiro/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const headerLines = (headers: Asked['headers'] = {}): string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((each) => `${name}: ${Buffer.from(each).toString('latin1')}`),
  );

/** Behind the pipeline there is another application than the recorded one: whether it was reached is what counts. */
const reached = ({ status, headers }: RawAnswer): boolean =>
  ![401, 403].includes(status) && headers.get('portico-error') !== 'bad-target';

describe.each(['default', 'at-least-one', 'globals', 'strict'])('the recorded requests of %s', (name) => {
  const recorded = new Map((lines(`${name}.expected`) as Recorded[]).map((each) => [each.id, each]));

  it('have the recorded answers, or one of the table of differences', async () => {
    const text = readFileSync(new URL(`./shiro/${name}.ini`, import.meta.url), 'utf8');
    const world = await withService({
      security: { text, file: `${name}.ini`, plugins: [] },
      settings: { adminPassword: new Secret('admin') },
    });
    const port = await listenFor(world);
    const otherwise: unknown[] = [];
    for (const { id, method, target, headers } of lines(`${name}.requests`) as Asked[]) {
      const bytes = Buffer.from(target).toString('latin1');
      const answer = await sendRaw(port, { method, target: bytes, headers: headerLines(headers) });
      const was = recorded.get(id)!;
      const [status, challenge] = differences[id] ?? [was.status, was.challenge ?? null];
      const found = [answer.status, answer.headers.get('www-authenticate') ?? null];
      const same = status === 200 ? reached(answer) : found[0] === status && found[1] === challenge;
      if (!same) otherwise.push([id, method, target, headers, { expected: [status, challenge], found }]);
    }
    expect(otherwise).toEqual([]);
  });
});

it('no difference is listed that is none', () => {
  const known = ['default', 'at-least-one', 'globals', 'strict'].flatMap(
    (name) => lines(`${name}.expected`) as Recorded[],
  );
  for (const [id, [status, challenge]] of Object.entries(differences)) {
    const was = known.find((each) => each.id === id);
    expect(was, id).toBeDefined();
    expect([status, challenge], id).not.toEqual([was?.status, was?.challenge ?? null]);
  }
});
