import type { Route } from '../../../src/http/route.ts';
import { fileOf } from '../roles/files.ts';
import { ownerOf } from '../roles/metadata.ts';
import { nameOf } from '../roles/routes.ts';
import { kindOf, type Level, levels, type Named, partNames } from './case.ts';
import { one, other } from './rows.ts';

/** `nothing`: what a member is called, which the collection or library knows. */
type Wanted = Level | 'nothing';

/**
 * Patterns of routes that do not declare the level of their entities, and need another than READ to read and WRITE to
 * write. The first that matches counts.
 */
export const undeclared: readonly (readonly [route: RegExp, level: Wanted | Readonly<Record<string, Wanted>>])[] = [
  [/^DELETE \/item\/:item\/relation\/:other$/, { other: 'nothing' }],
  [/^PUT \/collection\/:collection\/:member$/, { member: 'READ' }],
  [/^DELETE \/collection\/:collection\/:member$/, { member: 'nothing' }],
  [/^DELETE \/library\/:library\/:item$/, { item: 'nothing' }],
];

const defaultValue = (route: string): Level => (route.startsWith('GET ') ? 'READ' : 'WRITE');

/** Level that the route declares for a segment of its path. */
const declaredLevel = ({ entities }: Route, part: string): Level | undefined =>
  levels.find((level) => level === entities?.[part]?.level);

/**
 * Levels that do not follow from the declaration: it has the least of several levels, or comes from a place that several
 * routes share, where a lower one would be believed.
 */
const fixed: readonly (readonly [route: RegExp, level: Level])[] = [
  // The matrix asks about another user. Users with READ may ask about themselves.
  [/\/access\/explain$/, 'ALL'],
  [/^(PUT|DELETE) \/(item|collection|library)\/:\w+\/(external-id|:externalId)/, 'ALL'],
  [/^(PUT|DELETE) \/library\/:library\/metadata/, 'ALL'],
  [/^(PUT|DELETE) .*\/deletion-lock\/:lock/, 'ALL'],
  [/^(PUT|DELETE) \/item\/:item\/shape\/:shape\/.*metadata/, 'WRITE'],
  // The item gets the shapes that are made of it, where the query names no other.
  [/^POST \/item\/:item\/(sequence\/render|timeline\/:format\/conform|shape\/:shape\/\w+-render)$/, 'WRITE'],
];

/** The least level on what a part of a path names. */
export function levelOf(route: Route, part: string): Wanted {
  const name = nameOf(route);
  const declared = fixed.find(([pattern]) => pattern.test(name))?.[1] ?? declaredLevel(route, part);
  if (declared) return declared;
  const [, level] = undeclared.find(([pattern]) => pattern.test(name)) ?? [];
  return (typeof level === 'string' ? level : level?.[part]) ?? defaultValue(name);
}

/** Whether a pattern gives a level to a segment without a declaration. */
export const isNeeded = (pattern: RegExp, routes: readonly Route[]): boolean =>
  routes.some(
    (route) =>
      pattern.test(nameOf(route)) &&
      partNames(route).some((part) => kindOf(route, part) && !declaredLevel(route, part)),
  );

const item = (id: string, level: Level): Named => ({ type: 'item', id, level });

/** Entities that a route is about without naming them in its path. */
export const elsewhere: readonly (readonly [route: RegExp, named: (who: string, route: string) => Named[]])[] = [
  [/^GET \/relation\/:relation$/, (who) => [item(one(who), 'READ'), item(other(who), 'READ')]],
  // Write access to one end of a relation is enough to change it.
  [/^(PUT|DELETE) \/relation\/:relation$/, (who) => [item(one(who), 'WRITE')]],
  // Files have no entries: those of the items that have them count.
  [
    /^\w+ (\/storage)?\/file\/:entity\/deletion-lock/,
    (who, route) => [item(one(who), route.startsWith('GET') ? 'READ' : 'ALL')],
  ],
  [/^\w+ \/deletion-lock\/:lock/, (who, route) => [item(one(who), route.startsWith('GET') ? 'READ' : 'ALL')]],
  [/^\w+ \/metadata\/:uuid$/, (who, route) => [item(ownerOf('item', who), defaultValue(route))]],
  [/^POST \/file\/:file\/analyze$/, (who) => [item(fileOf(who), 'WRITE')]],
];
