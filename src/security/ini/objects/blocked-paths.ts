import type { Findings, LinePosition } from '../findings.ts';
import type { Registry } from '../registry.ts';
import { isInstanceOf, type PlannedObject } from './requirements.ts';

const filterClass = 'portico.InvalidRequestFilter';
const top: LinePosition = { line: 1, column: 1 };

/** Checks that are on unless a file says otherwise, and the requests to this API that each of them refuses. */
const refused: readonly (readonly [string, string])[] = [
  ['blockSemicolon', 'addresses of thumbnails (;version=) and matrix parameters (;first=1)'],
  ['blockBackslash', 'external ids with a backslash (%5C)'],
  ['blockNonAscii', 'names with letters beyond ASCII, such as the group Nyhetsløpet,'],
];

/** Lines for `[main]` without which addresses that the service itself prints are refused. */
export const openPathLines: readonly string[] = refused.map(([check]) => `invalidRequest.${check} = false`);

/** A file that sets a check, to either value, has decided. */
export function warnOfBlockedPaths({ ini, chains }: PlannedObject, registry: Registry, findings: Findings): void {
  const used = new Set(chains.flatMap(({ steps }) => steps.map(({ filter }) => filter)));
  for (const filter of used) {
    if (filter.values.get('enabled')?.value === false || !isInstanceOf(filter, filterClass, registry)) continue;
    const position = filter.implicit ? (ini.sections.get('main')?.position ?? top) : filter.position;
    for (const [check, requests] of refused) {
      if (filter.values.has(check)) continue;
      const line = `${filter.name}.${check} = false`;
      findings.warning('blocked-paths', position, `Expected "${line}": without it ${requests} are refused with 400`);
    }
  }
}
