import type { Happening } from '../../../core/events/event-kinds.ts';
import type { SubscriptionRow } from '../registration/store.ts';

/** Kinds of messages to users. */
export const mailKinds = ['mention', 'assignment', 'share', 'quota', 'login', 'review'] as const;
export type MailKind = (typeof mailKinds)[number];

/** Kinds of users who choose none. A request for review names nobody, so those who review choose it. */
export const defaultKinds: readonly MailKind[] = mailKinds.filter((kind) => kind !== 'review');

/** Languages that the web page has. */
export const mailLanguages = ['en', 'sv'] as const;
export type MailLanguage = (typeof mailLanguages)[number];

/** Resource of the notification that brings the mail of one user. No path leads to it. */
export const mailResource = 'mail';

/** By event: the property that names whom a kind is for. Empty: all who want it. */
const addressees: Readonly<Record<string, Readonly<Partial<Record<MailKind, string>>>>> = {
  'annotation/create': { mention: 'mention', assignment: 'assigned' },
  'annotation/modify': { mention: 'mention', assignment: 'assigned' },
  'access/create': { share: 'user' },
  'access/grant': { share: 'user' },
  'approval/request': { review: '' },
  'quota/near': { quota: 'user' },
  'quota/warning': { quota: 'user' },
  'login/new': { login: 'user' },
};

/** Events without a trigger, which mail alone tells of. */
export const mailOnly: readonly string[] = ['access/grant', 'mail/confirm'];

const kindsOfEvent = (name: string): readonly (readonly [kind: MailKind, property: string])[] =>
  Object.entries((Object.hasOwn(addressees, name) && addressees[name]) || {}) as [MailKind, string][];

type ToldEvent = Pick<Happening, 'name' | 'payload'>;

const namesIn = ({ payload }: ToldEvent, property: string): readonly string[] =>
  [(payload as Readonly<Record<string, string | readonly string[] | undefined>>)[property] ?? []].flat();

const selector = (kind: MailKind, property: string, name: string): string => (property === '' ? '' : `${kind} ${name}`);

/** The selectors under which an event looks for the users whom it names. */
export const selectorsOfPeople = (event: ToldEvent): readonly string[] =>
  kindsOfEvent(event.name).flatMap(([kind, property]) =>
    property === '' ? [] : namesIn(event, property).map((name) => selector(kind, property, name)),
  );

/** Subscriptions of a user to events of some kinds. */
export const subscriptionsOfUser = (kinds: readonly MailKind[], name: string): readonly SubscriptionRow[] =>
  Object.keys(addressees).flatMap((event) =>
    kindsOfEvent(event).flatMap(([kind, property]) =>
      kinds.includes(kind) ? [[event, selector(kind, property, name), 1] as const] : [],
    ),
  );

/** Events that name users, and the selectors of one. */
export const selectorsOfUser = (name: string) => ({
  events: Object.keys(addressees),
  selectors: mailKinds.map((kind) => selector(kind, 'user', name)),
});

/**
 * Kinds for which a user hears of an event. A user who was renamed since has no name in it any more: then the first kind
 * counts.
 */
export function kindsFor(event: ToldEvent, name: string, kinds: readonly MailKind[]): readonly MailKind[] {
  const wanted = kindsOfEvent(event.name).filter(([kind]) => kinds.includes(kind));
  const naming = wanted.filter(([, property]) => property === '' || namesIn(event, property).includes(name));
  return (naming.length > 0 ? naming : wanted.slice(0, 1)).map(([kind]) => kind);
}
