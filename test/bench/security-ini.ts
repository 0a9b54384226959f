import { assemble } from '../../src/security/ini/assemble.ts';
import { formatFindings } from '../../src/security/ini/findings.ts';
import { readSecurityIni } from '../../src/security/ini/security-ini.ts';
import { canonicalPattern } from '../../src/security/path.ts';
import { shippedRegistry } from '../security/ini/shipped.ts';
import { hostFor } from '../security/ini/try.ts';
import { median, type Row } from './row.ts';

/** A thousand lines as a large installation has them: objects, users, roles, and mostly rules. */
function sample(): string {
  const several = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index));
  return [
    '[main]',
    'serviceRealm = com.service.security.auth.DefaultServiceRealm',
    'tokenAuth = com.service.security.auth.TokenAuthenticationFilter',
    ...several(
      60,
      (index) => `realm${index} = portico.HttpRealm\nrealm${index}.url = https://realm${index}.example.com/login`,
    ),
    '[users]',
    ...several(100, (index) => `user${index} = password${index}, role${index % 40}, "role, with a comma"`),
    '[roles]',
    ...several(40, (index) => `role${index} = item:read:${index}, "collection:create,update"`),
    '[urls]',
    ...several(
      730,
      (index) =>
        `/API/area${index % 30}/*/part-${index}/** = noSessionCreation, tokenAuth[permissive], authcBasic, roles["role${index % 40}, reader"]`,
    ),
    '/** = noSessionCreation, tokenAuth[permissive], authcBasic',
    '',
  ].join('\n');
}

/** All that `portico check` does but reading the file and starting: read, make, print. */
export async function benchIni(rounds = 15): Promise<Row[]> {
  const text = sample();
  const { registry } = shippedRegistry();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const { blueprint, findings } = readSecurityIni(text, 'security.ini', registry, { canonicalPattern });
    if (!blueprint) throw new Error(formatFindings(findings, 'text'));
    const assembled = await assemble(blueprint, (name) => hostFor(name));
    formatFindings([...findings, ...assembled.findings], 'text');
    times.push(performance.now() - start);
  }
  const lines = text.split('\n').length - 1;
  // 200 ms are the limit, so a ratio of 1 is just good enough. The command is a process of its own, so its first counts.
  const first = times[0]!;
  return [
    {
      name: `check of a security.ini of ${lines} lines, the first in a process, ms`,
      value: first,
      ratio: 200 / first,
      floor: 1,
    },
    { name: `check of a security.ini of ${lines} lines, the median of ${rounds}, ms`, value: median(times) },
  ];
}
