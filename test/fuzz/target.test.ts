import { expect, it } from 'vitest';
import { fuzzSeconds as seconds } from '../support/long.ts';
import { filterPath, modelPath, opaqueRoutes, pathWatcher, targetPieces } from '../support/paths.ts';
import { type Dice, dice } from '../support/random.ts';

const seed = Number(process.env['PORTICO_FUZZ_SEED'] ?? Date.now() % 0x7fffffff);

/** Where mutations begin: targets of real clients, and of real attacks. */
const corpus: readonly string[] = [
  '/API/user/alice',
  '/API/item;first=1;number=10?content=metadata&field=title',
  '/API/group/crew?clear=true',
  '/APInoauth/is-online/',
  '/health/ready',
  '/x/..;/admin/x',
  '/public/%2e%2e/admin',
  '/;a=b/admin/x',
  '/one/a%252fb',
  '/admin%ef%bc%8fx',
  '/public//../admin/x',
  'http://host:80/API/whoami',
  '*',
  '/API/open/in%2Fa%20b.mov/data',
  '/open/file%3A%2F%2F%2Fsrv%2Fa.mov;x=1/of/b',
  '/pair/a%5Cb/id/100%25%3B',
  '/x/rest/a%2fb/c/d',
  '/open/..%2f..%2fadmin/data',
  '/open/a%2f%252e%252e%2fb',
];

function mutate(text: string, roll: Dice): string {
  let out = text;
  for (let edits = roll(6); edits >= 0; edits--) {
    const at = roll(out.length + 1);
    const until = Math.min(out.length, at + roll(8));
    const piece = targetPieces[roll(targetPieces.length)]!;
    const kinds = [
      () => out.slice(0, at) + piece + out.slice(at),
      () => out.slice(0, at) + out.slice(until),
      () => out.slice(0, until) + out.slice(at),
      () => out.slice(0, at) + String.fromCharCode(roll(256)) + out.slice(at),
      () => out.slice(0, at) + piece + out.slice(until),
    ];
    out = kinds[roll(kinds.length)]!().slice(0, 300);
  }
  return out;
}

it(
  `a target is one path for filters and routes, or refused: seed ${seed}`,
  async () => {
    const watch = pathWatcher();
    const roll = dice(seed);
    const until = Date.now() + seconds * 1000;
    let tried = 0;
    let passed = 0;
    let opaque = 0;
    while (tried < 2_000 || Date.now() < until) {
      const raw = tried < corpus.length ? corpus[tried]! : mutate(corpus[roll(corpus.length)]!, roll);
      tried++;
      const { filtered, route, status, refusal } = await watch(raw);
      const label = `PORTICO_FUZZ_SEED=${seed}: ${JSON.stringify(raw)}`;
      const model = modelPath(raw, opaqueRoutes);
      if (status === 400 || model === 'refused') {
        expect([status, refusal, filtered, route, model], label).toEqual([
          400,
          'bad-target',
          undefined,
          undefined,
          'refused',
        ]);
      } else {
        expect([200, 404], label).toContain(status);
        expect(filtered, label).toBe(filterPath(model));
        if (status === 200) expect(route, label).toEqual(model);
        passed++;
        if (filtered?.includes('%')) opaque++;
      }
    }
    // A generator whose targets are all refused, or all taken, tests only half.
    expect(passed).toBeGreaterThan(tried / 20);
    expect(passed).toBeLessThan(tried);
    expect(opaque).toBeGreaterThan(tried / 200);
  },
  (seconds + 180) * 1000,
);
