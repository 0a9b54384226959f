import { all, everyRoute, nameOf } from '../roles/routes.ts';
import type { Rule } from '../roles/rule.ts';
import { served } from '../roles/rules.ts';
import { type Case, kindOf, type Named, partNames, partsIn } from './case.ts';
import { elsewhere, levelOf } from './levels.ts';
import { more } from './more.ts';
import { isNotification, notificationCase } from './notifications.ts';

const byName = new Map(everyRoute.map((route) => [nameOf(route), route]));

/** What the path of a route names, by its parts or as the table says. */
function caseOf(rule: Rule): Case[] {
  const route = byName.get(rule.route)!;
  // The key of a picture and the passkey of an import are rights of their own.
  if (rule.needs === 'nothing') return [];
  const parts = partNames(route).flatMap((part) => {
    const kind = kindOf(route, part);
    const level = levelOf(rule.route, part);
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
  return [{ name: rule.route, rule, named }];
}

export const cases: readonly Case[] = [
  ...served.flatMap(caseOf),
  ...all.filter(isNotification).map(notificationCase),
  ...more.map(
    ({ route, names, named, ...rule }): Case => ({
      name: `${route}, ${names}`,
      rule: { ...rule, route, needs: 'any caller' },
      named,
    }),
  ),
];
