import { expect, it } from 'vitest';
import { assemble } from '../../src/security/ini/assemble.ts';
import { defaultIni } from '../../src/security/ini/default-ini.ts';
import { formatFindings } from '../../src/security/ini/findings.ts';
import { referencedClasses } from '../../src/security/ini/security-ini.ts';
import { canonicalPattern } from '../../src/security/path.ts';
import { hostFor, ini, read } from '../security/ini/try.ts';
import { fuzzSeconds as seconds } from '../support/long.ts';
import { type Dice, dice } from '../support/random.ts';
import { costSince, cpuTime } from '../support/turns.ts';

const seed = Number(process.env['PORTICO_FUZZ_SEED'] ?? Date.now() % 0x7fffffff);

const secret = 'xQ9-marker-of-a-secret';

const corpus: readonly string[] = [
  defaultIni,
  defaultIni.replace(/^#(?=\S)/gm, ''),
  ini(['h = portico.HttpRealm', 'h.url = https://example.com', `h.sharedSecret = ${secret}`]),
  ini(
    ['m = portico.PasswordMatcher', 'iniRealm.credentialsMatcher = $m'],
    undefined,
    `[users]\nann = "${secret}", a\n[roles]\na = b:c, "d:e,f"`,
  ),
  ini([], ['/a\\:b/** = roles["a,b"], perms["x:y"], port[80]', '/** = tokenAuth[permissive], rest[item], authcBasic']),
];

const pieces = [
  '[',
  ']',
  '[main]',
  '[urls]',
  '[users]',
  '[filters]',
  '[]',
  '[__proto__]',
  '\\',
  '\\\n',
  '\n',
  '\r\n',
  '\r',
  '\u2028',
  '\uFEFF',
  '=',
  ':',
  ' ',
  '\t',
  '\u3000',
  '\u00a0',
  '#',
  ';',
  '"',
  '""',
  ',',
  '.',
  '$',
  '\\$',
  '$serviceRealm',
  '$x',
  'null',
  'true',
  '.class',
  'shiro.',
  '__proto__',
  'constructor',
  '/**',
  '/*',
  '?',
  'roles[a]',
  'authc',
  'x = com.service.security.auth.DenyFilter\n',
  'securityManager.realms = ',
  'filterChainResolver.globalFilters = ',
  'tokenAuth.enabled = ',
  '0x10',
  '99999999999',
  '\0',
  '😀',
  '\ud800',
] as const;

function mutate(text: string, roll: Dice): string {
  let out = text;
  for (let edits = roll(8); edits >= 0; edits--) {
    const at = roll(out.length + 1);
    const until = Math.min(out.length, at + roll(40));
    const piece = pieces[roll(pieces.length)]!;
    const kinds = [
      () => out.slice(0, at) + piece + out.slice(at),
      () => out.slice(0, at) + piece + out.slice(until),
      () => out.slice(0, at) + out.slice(until),
      () => out.slice(0, until) + out.slice(at),
      () => out.slice(0, at) + String.fromCharCode(roll(0x3100)) + out.slice(at),
    ];
    out = kinds[roll(kinds.length)]!();
  }
  return out;
}

it(
  `a security.ini gives parts or findings, never a throw: seed ${seed}`,
  async () => {
    const roll = dice(seed);
    const until = Date.now() + seconds * 1000;
    const least = 2 * corpus.length;
    let tried = 0;
    let passed = 0;
    while (tried < least || Date.now() < until) {
      const text = tried < corpus.length ? corpus[tried]! : mutate(corpus[roll(corpus.length)]!, roll);
      tried++;
      const label = `PORTICO_FUZZ_SEED=${seed}: ${JSON.stringify(text)}`;
      const start = cpuTime();
      const { blueprint, findings } = read(text, [], { canonicalPattern });
      referencedClasses(text);
      const { parts, findings: more } = blueprint
        ? await assemble(blueprint, (name) => hostFor(name))
        : { parts: undefined, findings: [] };
      const all = [...findings, ...more];
      expect(costSince(start), label).toBeLessThan(1000);
      expect(parts !== undefined, label).toBe(all.every(({ severity }) => severity === 'warning'));
      const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).length;
      for (const { line, column, message } of all) {
        expect([line >= 1 && line <= lines, column >= 1], label).toEqual([true, true]);
        expect(message, label).toMatch(/^[A-Z].*[^.]$/s);
        expect(message, label).not.toMatch(/[\n\r]/);
      }
      // Only where no mutation has made it a part of another statement.
      if (text.split(secret).length === 2 && text.includes(`\nh.sharedSecret = ${secret}\n`) && !text.includes('\\'))
        expect(formatFindings(all, 'text'), label).not.toContain(secret);
      if (parts) passed++;
    }
    expect(passed).toBeGreaterThan(0);
    expect(passed).toBeLessThan(tried);
  },
  (seconds + 180) * 1000,
);
