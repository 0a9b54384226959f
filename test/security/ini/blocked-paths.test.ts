import { expect, it } from 'vitest';
import { defaultIni } from '../../../src/security/ini/default-ini.ts';
import { openPathLines } from '../../../src/security/ini/objects/blocked-paths.ts';
import { readSecurityIni } from '../../../src/security/ini/security-ini.ts';
import { shippedRegistry } from './shipped.ts';
import { base, ini } from './try.ts';

const findings = (text: string) =>
  readSecurityIni(text, 'security.ini', shippedRegistry([]).registry)
    .findings.filter(({ code }) => code === 'blocked-paths')
    .map(({ line, severity, message }) => [line, severity, message]);

const semicolons =
  'Expected "invalidRequest.blockSemicolon = false": without it addresses of thumbnails (;version=) and matrix parameters (;first=1) are refused with 400';
const backslashes =
  'Expected "invalidRequest.blockBackslash = false": without it external ids with a backslash (%5C) are refused with 400';
const letters =
  'Expected "invalidRequest.blockNonAscii = false": without it names with letters beyond ASCII, such as the group Nyhetsløpet, are refused with 400';
const warned = (line: number, ...messages: string[]) => messages.map((message) => [line, 'warning', message]);
const own = 'paths = org.apache.shiro.web.filter.InvalidRequestFilter';
const global = 'filterChainResolver.globalFilters = paths';

it.each<[string, string, unknown[]]>([
  ['without any of the lines', ini(), warned(1, semicolons, backslashes, letters)],
  ['without one of them', ini(openPathLines.slice(0, 2)), warned(1, letters)],
  ['with all lines that portico init writes', ini(openPathLines), []],
  ['that is built in', defaultIni, []],
  ['that blocks on purpose', ini(openPathLines.map((line) => line.replace('false', 'true'))), []],
  ['that switches the filter off', ini(['invalidRequest.enabled = false']), []],
  ['whose chains go without the filter', ini(['filterChainResolver.globalFilters = noSessionCreation']), []],
  [
    'with the filter under a name of its own',
    ini([own, global], base.urls),
    warned(4, ...[semicolons, backslashes, letters].map((each) => each.replace('invalidRequest', 'paths'))),
  ],
])('a file %s is told which requests of this API it refuses', (_what, text, expected) => {
  expect(findings(text)).toEqual(expected);
});
