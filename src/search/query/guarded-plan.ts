import type { Viewer } from '../viewer.ts';
import type { Node, SearchKind } from './ast.ts';
import { joined } from './conditions/fragment.ts';
import { matchOf } from './conditions/match.ts';
import { Conditions } from './conditions/store.ts';
import { guarded, widest } from './guarded.ts';
import type { Names } from './names.ts';
import { matchedScopeOf, type Plan, readable } from './rows/store.ts';

/** Plan for words without wildcards: the text index drives, and closed parts are checked per hit. */
export function guardedPlan(viewer: Viewer, kind: SearchKind, node: Node, names: Names): Plan {
  const safe = guarded(node, names);
  const [expansions, scope] = [new Map(), matchedScopeOf(kind)];
  const { isTimed, ranged } = names.index;
  const conditions = new Conditions({
    viewer,
    closedShapes: undefined,
    expansions,
    groups: new Map(),
    scans: false,
    isTimed,
    ranged,
  });
  const rest = safe === node ? [] : [conditions.of(safe, scope, 'both')];
  const match = matchOf(safe === node ? node : widest(safe), 'both', expansions);
  return { kind, match, where: joined([...rest, readable(viewer, kind, scope.number)], 'AND') };
}
