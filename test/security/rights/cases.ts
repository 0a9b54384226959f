import { all, everyRoute, nameOf } from '../roles/routes.ts';
import type { Rule } from '../roles/rule.ts';
import { served } from '../roles/rules.ts';
import { shapeOf, tagOf } from '../roles/shapes.ts';
import { type Case, kindOf, type Named, type Narrow, partNames, partsIn } from './case.ts';
import { elsewhere, levelOf } from './levels.ts';
import { more } from './more.ts';
import { isNotification, notificationCase } from './notifications.ts';

const byName = new Map(everyRoute.map((route) => [nameOf(route), route]));

/** Cases of a route: entities that its path names, by its parts or as the table says. */
function caseOf(rule: Rule): Case[] {
  const route = byName.get(rule.route)!;
  // The key of a picture and the passkey of an import are rights of their own.
  if (rule.needs === 'nothing') return [];
  const parts = partNames(route).flatMap((part) => {
    const kind = kindOf(route, part);
    const level = levelOf(route, part);
    return kind && level !== 'nothing' ? [{ part, type: kind, level }] : [];
  });
  const more = elsewhere.find(([pattern]) => pattern.test(rule.route))?.[1];
  if (parts.length === 0 && !more) return [];
  const named = (who: string): Named[] => {
    const values = partsIn(route.path, rule.request(who).request.split(' ')[1]!);
    return [
      ...parts.map(({ part, type, level }): Named => ({ type, level, id: values.get(part)! })),
      ...(more?.(who, rule.route) ?? []),
    ];
  };
  const ofShape = rule.route.includes('/shape/:shape') && !rule.route.includes(':toItem');
  const narrow = (who: string): Narrow | undefined => {
    // The other shape has no tag, so no entry is about it alone.
    const isTagged = rule.request(who).request.includes(shapeOf(who));
    return isTagged ? { operation: 'SHAPE', extradata: tagOf(who), level: 'NONE' } : undefined;
  };
  return [{ name: rule.route, rule, named, ...(ofShape && { narrow }) }];
}

export const cases: readonly Case[] = [
  ...served.flatMap(caseOf),
  ...all.filter(isNotification).map(notificationCase),
  ...more.map(
    ({ route, names, named, narrow, ...rule }): Case => ({
      name: `${route}, ${names}`,
      rule: { ...rule, route, needs: 'any caller' },
      named,
      narrow,
    }),
  ),
];
